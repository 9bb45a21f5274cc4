import { test } from 'node:test'
import { expect } from 'chai'
import { refusedIn } from './tools.ts'

test('the pods that kubectl names as those that it cannot delete are read, whatever the reason', () => {
  const stderr = [
    'Warning: ignoring DaemonSet-managed Pods: ns/agent-1',
    'error: unable to drain node "n" due to error: [cannot delete Pods with local storage (use --delete-emptydir-data ' +
      'to override): ns/cache-x2, cannot delete Pods that declare no controller (use --force to override): ns/bare, ' +
      'ns/other.pod], continuing command...',
    'There are pending nodes to be drained:',
    ' n',
  ].join('\n')
  expect([...refusedIn(stderr)]).to.deep.equal(['cache-x2', 'bare', 'other.pod'])
})

test('a single reason stands without brackets', () => {
  const stderr =
    'error: unable to drain node "n" due to error: cannot delete Pods that declare no controller (use --force to ' +
    'override): ns/bare, continuing command...'
  expect([...refusedIn(stderr)]).to.deep.equal(['bare'])
})

test('what says nothing of the kind names nobody', () => {
  expect([...refusedIn('error when evicting pods/"web" -n "ns": global timeout reached: 8s')]).to.deep.equal(
    [],
  )
})
