import { describe, expect, it } from 'vitest'
import { watchRest } from './rest.ts'

const MB = 1024 * 1024

describe('memory that work left', () => {
  const rig = () => {
    const state = { work: 0, asked: 0, used: 30 * MB, taken: 60 * MB, given: 0 }
    const look = watchRest({
      work: () => state.work,
      asked: () => state.asked,
      heap: () => state,
      giveBack: () => {
        state.given += 1
        state.taken = 35 * MB
      },
    })
    /** What work takes stays taken. */
    const after = (work: number): number => {
      state.work = work
      if (work > 0.2) state.taken = 60 * MB
      look()
      return state.given
    }
    return { state, after }
  }

  it('is given back at the first rest after the start and after work, once', () => {
    const { after } = rig()
    expect([0.5, 0.3, 0.001, 0.001, 0.001, 0.4, 0.01, 0.01].map(after)).toEqual([0, 0, 1, 1, 1, 1, 2, 2])
  })

  it('is kept while somebody asks all the time, however little that takes', () => {
    const { state, after } = rig()
    state.asked = 25
    expect([0.3, 0.02, 0.02].map(after)).toEqual([0, 0, 0])
    state.asked = 3
    expect([0.001, 0.001].map(after)).toEqual([1, 1])
  })

  it('is kept while there is so much of it that looking through it would hold others up', () => {
    const { state, after } = rig()
    state.used = 200 * MB
    expect([0.001, 0.001].map(after)).toEqual([0, 0])
    state.used = 30 * MB
    expect(after(0.001)).toBe(1)
  })

  it('is not looked through again and again for a little that is done now and then', () => {
    const { after } = rig()
    expect([0.3, 0.01, 0.1, 0.01, 0.1, 0.01].map(after)).toEqual([0, 1, 1, 1, 1, 1])
  })
})
