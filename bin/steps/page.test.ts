import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readCatalogue } from './catalogue.ts'
import { docComment } from './doc-comment.ts'
import { STEPS_PAGE, stepsPage } from './page.ts'

describe('the steps that scenarios are written with', () => {
  it('docs/steps.md lists those of today: npm run poolwright -- steps --write renews it', async () => {
    expect(readFileSync(STEPS_PAGE, 'utf8')).to.equal(stepsPage(await readCatalogue()))
  })

  it('each say what they do, and are used by a feature', async () => {
    const { steps } = await readCatalogue()
    expect(steps.filter(({ doc }) => !doc).map(({ pattern }) => pattern)).to.deep.equal([])
    expect(steps.filter(({ example }) => !example).map(({ pattern }) => pattern)).to.deep.equal([])
  })

  it('say it in the doc comment right above them, and in no other', () => {
    const source = [
      '/**',
      ' * Over two',
      ' * lines.',
      ' */',
      'When()',
      '',
      '/** Not its own. */',
      '',
      'Then()',
    ]
    expect(docComment(source, 5)).to.equal('Over two lines.')
    expect(docComment(source, 9)).to.equal('')
    expect(docComment(['/** One line. */', 'Given()'], 2)).to.equal('One line.')
  })

  it('are shown so that a bar ends no cell and a pattern stays as it is', () => {
    const page = stepsPage({
      parameters: [{ name: 'status', expressions: ['a|b'], doc: 'One of two.' }],
      steps: [
        { noun: 'pool', keyword: 'Given', pattern: '^a (no|empty) pool$', doc: '', file: 'f', line: 1 },
      ],
    })
    expect(page).to.include('| `{status}` | `a\\|b` | One of two. |').and.to.include('`^a (no|empty) pool$`')
  })
})
