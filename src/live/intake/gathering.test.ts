import { describe, expect, it } from 'vitest'
import { Gathering } from './gathering.ts'

const ONE = { senders: 1, events: 1 }
const SEVERAL = { senders: 3, events: 3 }
const BATCH = { senders: 1, events: 100 }
const BATCHES = { senders: 2, events: 200 }

describe('before a commit', () => {
  it('nobody waits who comes first after a while', () => {
    const gathering = new Gathering()
    expect(gathering.patience(0, ONE)).toBe(0)
    gathering.done(0, ONE)
    expect(gathering.patience(1000, ONE)).toBe(0)
    expect(gathering.patience(1000, BATCH)).toBe(0)
  })

  it('single events wait for others from the end of the one before, longer where there are several', () => {
    const gathering = new Gathering()
    gathering.done(0, ONE)
    expect(gathering.patience(4, ONE)).toBe(6)
    expect(gathering.patience(4, SEVERAL)).toBe(46)
    gathering.done(100, SEVERAL)
    expect(gathering.patience(104, ONE)).toBe(46)
  })

  it('batches that follow each other wait for each other', () => {
    const gathering = new Gathering()
    gathering.done(0, BATCH)
    expect(gathering.patience(10, BATCH)).toBe(65)
    gathering.waited(BATCHES)
    gathering.done(120, BATCHES)
    expect(gathering.patience(130, BATCH)).toBe(65)
    expect(gathering.patience(130, { senders: 5, events: 1000 })).toBe(0)
  })

  it('a sender who waits for each answer is held up once in a while, until others come', () => {
    const gathering = new Gathering()
    const waits: number[] = []
    for (let now = 0; now < 1020; now += 10) {
      const patience = gathering.patience(now, BATCH)
      if (patience > 0) gathering.waited(BATCH)
      waits.push(patience)
      gathering.done(now, BATCH)
    }
    expect(waits.filter((wait) => wait > 0)).toEqual([65, 65])
    expect(gathering.patience(1020, BATCHES)).toBeGreaterThan(0)
    gathering.waited(BATCHES)
    expect(gathering.patience(1020, BATCH)).toBeGreaterThan(0)
  })
})
