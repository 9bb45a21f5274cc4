import { describe, it } from 'node:test'
import { expect } from 'chai'
import { configMapDiff } from './config-map-diff.ts'

const configMap = (resourceVersion: string, data: Record<string, string>) => ({
  metadata: { resourceVersion, uid: 'u' },
  data,
})

describe('ConfigMap diff', () => {
  it('shows what changed in an entry, and only counts the rest', () => {
    const before = configMap('1', { a: 'status: available\nusername: x\n', b: 'same\n' })
    const after = configMap('2', { a: 'status: in-use\nusername: x\n', b: 'same\n' })
    const diff = configMapDiff(before, after)
    expect(diff).to.include('resourceVersion 1').and.to.include('resourceVersion 2')
    expect(diff).to.include('1 of 2 entries changed')
    expect(diff).to.include('-status: available\n+status: in-use\n username: x')
    expect(diff).not.to.include('same')
  })

  it('counts the entries by state, before and after', () => {
    const before = configMap('1', { a: 'status: available\n', b: '{"status": "quarantined"}', c: '[' })
    const after = configMap('2', { a: 'status: in-use\n', b: '{"status": "quarantined"}', c: '[' })
    expect(configMapDiff(before, after))
      .to.include('3 entries: 1 available, 0 in-use, 1 quarantined, 1 of no such state')
      .and.to.include('3 entries: 0 available, 1 in-use, 1 quarantined, 1 of no such state')
  })

  it('shows entries that came and went, and a ConfigMap that is not there', () => {
    expect(configMapDiff(configMap('1', { a: 'x\n' }), configMap('2', { b: 'y\n' })))
      .to.include('-x')
      .and.to.include('+y')
    expect(configMapDiff(undefined, undefined)).to.include('does not exist')
  })

  it('makes line ends visible that a reader would not see', () => {
    const diff = configMapDiff(configMap('1', { a: 'x\r\n' }), configMap('2', { a: 'x\n' }))
    expect(diff).to.include('-x␍').and.to.include('+x\n')
  })

  it('takes keys that objects have by nature for entries like any other', () => {
    const diff = configMapDiff(configMap('1', {}), configMap('2', { constructor: 'x\n' } as never))
    expect(diff).to.include('1 of 1 entries changed').and.to.include('+x')
  })

  it('stays short when thousands of entries change', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 'x\n']))
    const diff = configMapDiff(configMap('1', many), configMap('2', {}))
    expect(diff).to.include('4980 more entries changed')
    expect(diff.length).to.be.lessThan(10_000)
  })
})
