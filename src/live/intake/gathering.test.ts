import { describe, expect, it } from 'vitest'
import { Gathering } from './gathering.ts'

const ONE = { senders: 1, events: 1 }
const SEVERAL = { senders: 3, events: 3 }
const BATCH = { senders: 1, events: 100 }
const BATCHES = { senders: 2, events: 200 }

describe('before a commit', () => {
  it('nobody waits who comes first after a while', () => {
    const gathering = new Gathering()
    expect(gathering.patience(0, { ...ONE, last: 0 })).toBe(0)
    gathering.done(0, ONE)
    expect(gathering.patience(1000, { ...ONE, last: 1000 })).toBe(0)
    expect(gathering.patience(1000, { ...BATCH, last: 1000 })).toBe(0)
  })

  it('single events wait for others from the end of the one before, longer where there are several', () => {
    const gathering = new Gathering()
    gathering.done(0, ONE)
    expect(gathering.patience(4, { ...ONE, last: 4 })).toBe(6)
    gathering.done(100, SEVERAL)
    let now = 104
    for (let patience = 1; patience > 0 && now < 1000; now += patience)
      patience = gathering.patience(now, { ...SEVERAL, last: now - 4 })
    expect(now).toBe(180)
  })

  it('nobody is waited for where nothing has come for a while: all who wait for an answer have sent', () => {
    const gathering = new Gathering()
    gathering.done(0, SEVERAL)
    expect(gathering.patience(4, { ...SEVERAL, last: 4 })).toBe(25)
    expect(gathering.patience(29, { ...SEVERAL, last: 8 })).toBe(4)
    expect(gathering.patience(33, { ...SEVERAL, last: 8 })).toBe(0)
    gathering.done(50, BATCHES)
    expect(gathering.patience(60, { ...BATCHES, last: 55 })).toBe(55)
    expect(gathering.patience(115, { ...BATCHES, last: 55 })).toBe(0)
  })

  it('batches that follow each other wait for each other', () => {
    const gathering = new Gathering()
    gathering.done(0, BATCH)
    expect(gathering.patience(10, { ...BATCH, last: 10 })).toBe(60)
    expect(gathering.patience(140, { ...BATCHES, last: 140 })).toBe(10)
    gathering.waited(BATCHES)
    gathering.done(160, BATCHES)
    expect(gathering.patience(170, { ...BATCH, last: 170 })).toBe(60)
    expect(gathering.patience(170, { senders: 5, events: 1000, last: 170 })).toBe(0)
  })

  it('a sender who waits for each answer is held up once in a while, until others come', () => {
    const gathering = new Gathering()
    const waits: number[] = []
    for (let now = 0; now < 1020; now += 10) {
      const patience = gathering.patience(now, { ...BATCH, last: now })
      if (patience > 0) gathering.waited(BATCH)
      waits.push(patience)
      gathering.done(now, BATCH)
    }
    expect(waits.filter((wait) => wait > 0)).toEqual([60, 60])
    expect(gathering.patience(1020, { ...BATCHES, last: 1020 })).toBeGreaterThan(0)
    gathering.waited(BATCHES)
    expect(gathering.patience(1020, { ...BATCH, last: 1020 })).toBeGreaterThan(0)
  })
})
