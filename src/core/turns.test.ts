import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** Work that ends when it is told to. */
function open() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let hasBegun = false
  const work = () => {
    hasBegun = true
    return promise
  }
  return { work, end: () => resolve('done'), hasBegun: () => hasBegun }
}

/** Everything that is ready to go on goes on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('are taken so many at a time, in order; who comes while too many wait is refused', async () => {
    const turns = new Turns(2, 2, () => new Error('full'))
    const all = [open(), open(), open(), open()]
    const running = all.map(({ work }) => turns.run(work))
    await expect(turns.run(open().work)).rejects.toThrow('full')
    expect(all.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false])
    all[1]?.end()
    await settled()
    expect(all.map(({ hasBegun }) => hasBegun())).toEqual([true, true, true, false])
    for (const { end } of all) end()
    expect(await Promise.all(running)).toEqual(['done', 'done', 'done', 'done'])
    expect(await turns.run(async () => 'again')).toBe('again')
  })

  it('are not taken by who has left: neither before nor while waiting, and the place goes to others', async () => {
    const turns = new Turns(1, 1, () => new Error('full'))
    const [first, left, last] = [open(), open(), open()]
    const running = turns.run(first.work)
    await expect(turns.run(left.work, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    const leaving = new AbortController()
    const waiting = turns.run(left.work, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    const next = turns.run(last.work)
    first.end()
    last.end()
    expect(await Promise.all([running, next])).toEqual(['done', 'done'])
    expect(left.hasBegun()).toBe(false)
  })

  it('give their place on when the work fails, and take what belongs together as one', async () => {
    const turns = new Turns(1, 1, () => new Error('full'))
    await expect(turns.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await turns.runAll([1, 2, 3].map((number) => async () => number))).toEqual([1, 2, 3])
  })
})
