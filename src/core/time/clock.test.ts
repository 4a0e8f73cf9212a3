import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../test/support/app.ts'
import { neverAhead, neverBack } from './clock.ts'

const HOUR = 3_600_000
const NOON = '2027-06-15T12:00:00.000Z'
const start = () => {
  const clock = new TestClock(NOON)
  const judged = neverBack(clock)
  judged.now()
  return { clock, judged }
}

describe('the time by which it is judged what is over', () => {
  it('goes with the clock while time passes', () => {
    const { clock, judged } = start()
    clock.forward(HOUR)
    expect(judged.now()).toBe('2027-06-15T13:00:00.000Z')
  })

  it('does not go back with a clock that is set back, by however little', () => {
    const { clock, judged } = start()
    clock.forward(HOUR)
    clock.set(NOON)
    expect(judged.now()).toBe('2027-06-15T13:00:00.000Z')
    clock.set('2027-06-15T12:59:59.999Z')
    expect(judged.now()).toBe('2027-06-15T13:00:00.000Z')
    clock.forward(1000)
    expect(judged.now()).toBe('2027-06-15T13:00:01.000Z')
  })

  it('goes ahead with a clock that jumps ahead, and comes back with it', () => {
    const { clock, judged } = start()
    clock.set('2030-01-01T00:00:00.000Z')
    expect(judged.now()).toBe('2030-01-01T00:00:00.000Z')
    clock.forward(HOUR - 1)
    judged.now()
    clock.set('2027-06-15T12:59:59.999Z')
    expect(judged.now()).toBe('2027-06-15T12:59:59.999Z')
  })

  it('is what the clock has shown for an hour, ahead or behind', () => {
    const { clock, judged } = start()
    clock.set('2027-06-15T09:00:00.000Z')
    expect(judged.now()).toBe(NOON)
    clock.forward(HOUR)
    expect(judged.now()).toBe('2027-06-15T10:00:00.000Z')
    clock.set('2027-06-20T00:00:00.000Z')
    judged.now()
    clock.forward(HOUR)
    judged.now()
    clock.set(NOON)
    expect(judged.now()).toBe('2027-06-20T01:00:00.000Z')
  })
})

describe('the time by which is done what nobody can undo', () => {
  it('goes with the clock, back too, and not ahead with one that jumps until that has shown it for an hour', () => {
    const clock = new TestClock(NOON)
    const steady = neverAhead(clock)
    expect(steady.now()).toBe(NOON)
    clock.forward(HOUR)
    expect(steady.now()).toBe('2027-06-15T13:00:00.000Z')
    clock.set('2030-01-01T00:00:00.000Z')
    expect(steady.now()).toBe('2027-06-15T13:00:00.000Z')
    clock.forward(HOUR - 1)
    expect(steady.now()).toBe('2027-06-15T13:59:59.999Z')
    clock.forward(1)
    expect(steady.now()).toBe('2030-01-01T01:00:00.000Z')
    clock.set(NOON)
    expect(steady.now()).toBe(NOON)
  })
})
