import { describe, it } from 'node:test'
import { expect } from 'chai'
import { withoutOutsideLoads } from './allure/outside-loads.ts'
import { pageLoads } from './page-loads.ts'

const LOADING = [
  '<script async src="https://cdn.example/a.js"></script>',
  "<img alt='' src='//cdn.example/a.png'>",
  '<link rel="stylesheet" href="https://cdn.example/a.css">',
  '<iframe src=https://cdn.example/></iframe>',
  '<style>@import url("https://cdn.example/a.css")</style>',
  '<style>p { background: url(//cdn.example/a.png) }</style>',
  '<script>fetch("https://cdn.example/a")</script>',
  "<script>navigator.sendBeacon('https://cdn.example/a')</script>",
  '<script>new WebSocket("wss://cdn.example/a")</script>',
  '<meta http-equiv="refresh" content="0; url=https://cdn.example/">',
  '<form action="https://cdn.example/"></form>',
]

describe('what a page loads from outside', () => {
  for (const markup of LOADING) {
    it(`is found in ${markup}`, () => {
      expect(pageLoads(`<html><body>${markup}</body></html>`).join()).to.contain(
        '//cdn.example/a'.slice(0, 13),
      )
    })
  }

  it('is nothing where it only links, names a namespace or carries its own data', () => {
    const harmless =
      '<a href="https://cdn.example/">x</a><svg xmlns="http://www.w3.org/2000/svg"></svg><img src="data:image/png;base64,//8=">'
    expect(pageLoads(harmless)).to.deep.equal([])
  })
})

describe('an Allure page', () => {
  const ANALYTICS = `<!DOCTYPE html><html><head><title>Report</title></head><body><script>keep()</script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        function gtag(){dataLayer.push(arguments);}
        gtag('config', 'G-1');
    </script><script>keepToo()</script></body></html>`

  it('loses its analytics and keeps the rest', () => {
    const page = withoutOutsideLoads(ANALYTICS)
    expect(page).not.to.match(/googletagmanager|dataLayer|gtag/)
    expect(page).to.contain('<script>keep()</script>').and.to.contain('<script>keepToo()</script>')
  })

  it('gets a policy that forbids loading anything, before anything else', () => {
    const page = withoutOutsideLoads(ANALYTICS)
    expect(page.indexOf('Content-Security-Policy')).to.be.lessThan(page.indexOf('<title>'))
    expect(page)
      .to.match(/default-src 'none'/)
      .and.not.to.match(/-src [^;"]*https?:/)
  })

  it('is refused while something it loads is left', () => {
    const page = ANALYTICS.replace('keep()', 'fetch("https://collector.example/")')
    expect(() => withoutOutsideLoads(page)).to.throw('https://collector.example/')
  })
})
