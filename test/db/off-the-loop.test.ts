import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/db/engine.ts'
import { openSqlite, type SqliteOptions } from '../../src/db/sqlite/sqlite.ts'
import { SqliteThreads } from '../../src/db/sqlite/threads.ts'
import { atEnd } from '../support/at-end.ts'

const ROWS = 3000
const open = (path: string, options?: SqliteOptions): Engine => {
  const engine = openSqlite(path, options)
  atEnd(() => engine.close())
  return engine
}

/**
 * Ends at last, but not while anybody here would wait for it; calls a function of ours for each row, as a pattern does.
 */
const endless = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000000)
  select count(*) as n from n where lower_unicode(n.i) = 'never'`

describe.skipIf(process.env.ENGINE === 'postgres')('SQLite', () => {
  let path: string
  let engine: Engine
  const threads = (limits = {}): SqliteThreads => {
    const made = new SqliteThreads(path, limits)
    atEnd(() => made.close())
    return made
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    path = join(folder, 'gatehouse.db')
    engine = open(path, { smallRows: 0 })
    await engine.transaction(async (session) => {
      await session.script('create table numbers (n integer primary key, label text); create table facts (n integer)')
      for (let n = 1; n <= ROWS; n++)
        await session.run('insert into numbers (n, label) values ($1, $2)', [n, `number ${n}`])
    })
  })

  it('many rows come whole and in their order from a thread', async () => {
    const rows = await engine.reader.all<{ n: number; label: string }>(
      'select n, label from numbers order by label desc',
      [],
    )
    expect(rows).toHaveLength(ROWS)
    expect(rows.map(({ label }) => label)).toEqual(
      rows
        .map(({ label }) => label)
        .toSorted()
        .reverse(),
    )
    expect(rows[0]).toEqual({ n: 999, label: 'number 999' })
  })

  it('a thread sees every change that was committed before it was asked', async () => {
    for (let n = 1; n <= 50; n++) {
      await engine.transaction((session) => session.run('insert into facts (n) values ($1)', [n]))
      expect(await engine.reader.all('select count(*) as n, $1 as asked from facts', [true])).toEqual([{ n, asked: 1 }])
    }
  })

  it('at rest those threads end that have nothing to do, and the next reading starts one', async () => {
    const made = threads()
    const read = () => made.all('select count(*) as n from numbers', [], { withinMs: 10_000 })
    await Promise.all([read(), read()])
    expect(made.counts).toEqual({ started: 2, reading: 0, waiting: 0 })
    const under = read()
    made.rest()
    expect(made.counts).toEqual({ started: 1, reading: 1, waiting: 0 })
    expect(await under).toEqual([{ n: ROWS }])
    made.rest()
    expect(made.counts.started).toBe(0)
    expect(await read()).toEqual([{ n: ROWS }])
  })

  it('what fails in a thread fails as it would here', async () => {
    const text = 'select json(label) from numbers'
    await expect(engine.reader.all(text, [])).rejects.toThrow('malformed JSON')
    await expect(engine.reader.all('select missing from numbers', [])).rejects.toThrow('no such column: missing')
  })

  it('nobody waits for a reading whose caller has left, and the next one is read', async () => {
    const one = threads({ threads: 1 })
    const caller = new AbortController()
    const left = one.all(endless, [], { signal: caller.signal, withinMs: 60_000 })
    const waiting = one.all('select 1 as one', [], { withinMs: 60_000 })
    caller.abort(new Error('has left'))
    await expect(left).rejects.toThrow('has left')
    expect(await waiting).toEqual([{ one: 1 }])
    expect(() => one.all('select 1 as one', [], { signal: caller.signal, withinMs: 60_000 })).toThrow('has left')
  })

  it('a reading that takes too long is given up with 503, also while it waits', async () => {
    const one = threads({ threads: 1 })
    const given = await Promise.allSettled([1, 2].map(() => one.all(endless, [], { withinMs: 20 })))
    for (const { reason } of given as PromiseRejectedResult[]) {
      expect((reason as AppError).status).toBe(503)
      expect((reason as AppError).reason).toBe('too_slow')
    }
    expect(await one.all('select 2 as two', [], { withinMs: 60_000 })).toEqual([{ two: 2 }])
  })

  it('more than may wait are refused with 503', async () => {
    const few = threads({ threads: 1, waiting: 1 })
    const caller = new AbortController()
    const running = few.all(endless, [], { signal: caller.signal, withinMs: 60_000 })
    const waiting = few.all('select 1 as one', [], { withinMs: 60_000 })
    expect(() => few.all('select 1 as one', [], { withinMs: 60_000 })).toThrow(
      expect.objectContaining({ reason: 'too_many_readers' }),
    )
    caller.abort(new Error('has left'))
    await expect(running).rejects.toThrow('has left')
    expect(await waiting).toEqual([{ one: 1 }])
  })

  it('whoever waits for a lock of another process does not hold up the event loop', async () => {
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const pending = engine.transaction((session) => session.run('insert into facts (n) values (51)', []))
    for (let turns = 0; turns < 3; turns++) await setImmediate()
    other.exec('commit')
    other.close()
    expect(await pending).toBe(1)
  })

  it.each([
    ['readings', (on: Engine) => on.reader.all('select 1 as one', [])],
    [
      'changes',
      (on: Engine) => on.transaction((session) => session.run('update numbers set label = label where n = 1', [])),
    ],
  ])('a loop of %s lets others have their turn', async (_name, once) => {
    let hasTurned = false
    const turned = setImmediate()
      .then(setImmediate)
      .then(() => {
        hasTurned = true
      })
    for (let times = 0; times < 100_000 && !hasTurned; times++) await once(engine)
    expect(hasTurned).toBe(true)
    await turned
  })
})
