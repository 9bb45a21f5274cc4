import { test } from 'node:test'
import { expect } from 'chai'
import { listenForInterruption } from './interruption.ts'

test('one key press that arrives twice is one; a later one insists', () => {
  let time = 0
  using interruption = listenForInterruption(() => time)
  process.emit('SIGINT', 'SIGINT')
  time += 100
  process.emit('SIGINT', 'SIGINT')
  expect(interruption.asked.reason).to.equal('SIGINT')
  expect(interruption.insisted.aborted).to.equal(false)
  time += 501
  process.emit('SIGINT', 'SIGINT')
  expect(interruption.insisted.aborted).to.equal(true)
})

test('another signal is another request, at once', () => {
  using interruption = listenForInterruption(() => 0)
  process.emit('SIGHUP', 'SIGHUP')
  process.emit('SIGINT', 'SIGINT')
  expect(interruption.insisted.aborted).to.equal(true)
})

test('afterwards signals are Node’s again', () => {
  const before = process.listenerCount('SIGTERM')
  listenForInterruption()[Symbol.dispose]()
  expect(process.listenerCount('SIGTERM')).to.equal(before)
})
