import { describe, it } from 'node:test'
import { expect } from 'chai'
import { html } from './html.ts'

describe('markup', () => {
  it('escapes whatever is put into it', () => {
    const hostile = `"><script>alert('x')</script>&amp;`
    expect(html`<p title="${hostile}">${hostile}</p>`.text).to.equal(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</p>',
    )
  })

  it('takes markup and lists of markup as they are', () => {
    expect(html`<ul>${['<a>', 'b'].map((each) => html`<li>${each}</li>`)}</ul>`.text).to.equal(
      '<ul><li>&lt;a&gt;</li><li>b</li></ul>',
    )
  })

  it('leaves out what is absent, but not zero', () => {
    expect(html`${undefined}${false}${0}`.text).to.equal('0')
  })

  it('shows control characters and turned writing instead of obeying them', () => {
    expect(html`${'a\u0000b\u202ec\td\n'}`.text).to.equal('a\\u0000b\\u202ec\td\n')
  })
})
