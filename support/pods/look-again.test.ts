import { describe, it } from 'node:test'
import { expect } from 'chai'
import { LookAgain } from './look-again.ts'

describe('whoever looks again', () => {
  const news = new LookAgain()
  const seen: string[] = []
  const wait = (limitMs = 10_000, signal = new AbortController().signal) =>
    news.until({
      for: 'three of them',
      until: () => seen.length === 3 && seen.join(),
      limitMs,
      signal,
      show: () => seen.join() || 'nothing',
    })
  const failure = (waiting: Promise<string>): Promise<string> => waiting.catch(({ message }) => message)

  it('fails with what was seen last', async () => {
    expect(await failure(wait(20))).to.equal('waited 20 ms for three of them; last seen: nothing')
    const late = failure(wait(20))
    seen.push('one')
    news.tell()
    expect(await late).to.include('last seen: one')
  })

  it('gives up when it is told to', async () => {
    const controller = new AbortController()
    const waiting = failure(wait(10_000, controller.signal))
    controller.abort(new Error('the step is over'))
    expect(await waiting).to.equal('the step is over')
    expect(await failure(wait(10_000, AbortSignal.abort(new Error('long over'))))).to.equal('long over')
  })

  it('ends with the answer, at once where there is one', async () => {
    const waiting = wait()
    seen.push('two', 'three')
    news.tell()
    expect(await waiting).to.equal('one,two,three')
    expect(await wait()).to.equal('one,two,three')
  })

  it('fails as the look does', async () => {
    const broken = news.until({
      for: 'nothing',
      until: () => {
        throw new Error('it is restarted')
      },
      limitMs: 10_000,
      signal: new AbortController().signal,
      show: () => '',
    })
    expect(await broken.catch(({ message }: Error) => message)).to.equal('it is restarted')
  })
})
