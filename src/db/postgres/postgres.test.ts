import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { watchTransactions } from '../../../test/support/watched-texts.ts'
import { AppError } from '../../core/errors.ts'
import { createOrganization } from '../../identity/organizations.ts'
import { change, type Tx } from '../change.ts'
import type { Session } from '../engine.ts'
import { VersionListener } from './listener.ts'

const reasonOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error) => (error instanceof AppError ? [error.status, error.reason, error.headers?.['retry-after']] : error),
  )

describe.runIf(process.env.ENGINE === 'postgres')('PostgreSQL', async () => {
  const { engine, app, owner, clock } = await startHouse()

  /** What a backend of ours is doing besides asking this. */
  const running = async (text: string): Promise<number> => {
    const rows = await engine.unhurried.all(
      `select pid from pg_stat_activity where datname = current_database() and state = 'active'
        and pid <> pg_backend_pid() and query like $1`,
      [`%${text}%`],
    )
    return rows.length
  }
  const settings = (session: Session) =>
    session.all(
      `select name, setting from pg_settings
        where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout',
         'client_connection_check_interval', 'jit') order by name`,
      [],
    )

  it('gives instants as texts of RFC 3339, with milliseconds, whatever zone and precision they were written in', async () => {
    const written = [
      '2026-05-04 08:30:00+00',
      '2026-05-04 08:30:00.2+02',
      '1999-12-31 23:59:59.123456-03:30',
      '12026-01-01 00:00:00+00',
    ]
    const columns = written.map((text, at) => `'${text}'::timestamptz as i${at}`).join(', ')
    const [row] = await engine.reader.all<Record<string, string>>(`select ${columns}`, [])
    expect(Object.values(row ?? {})).toEqual([
      '2026-05-04T08:30:00.000Z',
      '2026-05-04T06:30:00.200Z',
      '2000-01-01T03:29:59.123Z',
      '+012026-01-01T00:00:00.000Z',
    ])
  })

  it('versions that cannot be told end nothing where nobody waits for them', async () => {
    // No organization has such a number, and PostgreSQL says so.
    const asked = engine.versions(2 ** 60)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(asked).rejects.toThrow()
  })

  it('every connection has its budgets; what may take its time has larger ones', async () => {
    const hurried = [
      { name: 'client_connection_check_interval', setting: '500' },
      { name: 'idle_in_transaction_session_timeout', setting: '5000' },
      { name: 'jit', setting: 'off' },
      { name: 'lock_timeout', setting: '3000' },
      { name: 'statement_timeout', setting: '5000' },
    ]
    expect(await settings(engine.reader)).toEqual(hurried)
    expect(await engine.transaction(settings)).toEqual(hurried)
    const unhurried = hurried.map(({ name, setting }) => ({
      name,
      setting:
        { lock_timeout: '600000', statement_timeout: '3600000', idle_in_transaction_session_timeout: '600000' }[name] ??
        setting,
    }))
    expect(await settings(engine.unhurried)).toEqual(unhurried)
    expect(await engine.transaction(settings, { isUnhurried: true })).toEqual(unhurried)
  })

  it('a statement that takes too long is 503 with the reason, and so is one that waits for a lock too long', async () => {
    const slow = engine.transaction(async (session) => {
      await session.all(`set local statement_timeout = 20`, [])
      await session.all('select pg_sleep(60)', [])
    })
    expect(await reasonOf(slow)).toEqual([503, 'too_slow', '1'])
    const held = engine.transaction(async (session) => {
      await session.all('select key from organizations for update', [])
      const second = engine.transaction(async (other) => {
        await other.all(`set local lock_timeout = 20`, [])
        await other.all('select key from organizations for update', [])
      })
      return reasonOf(second)
    })
    expect(await held).toEqual([503, 'locked', '1'])
  })

  it('a statement whose caller leaves is ended, and whoever has the connection next is not', async () => {
    for (let round = 0; round < 20; round++) {
      const leaving = new AbortController()
      const asked = engine.reader.all(`select pg_sleep(60), 'left'`, [], leaving.signal)
      await expect.poll(() => running('left')).toBe(1)
      leaving.abort(new AppError('MALFORMED_REQUEST', 'left'))
      await expect(asked).rejects.toThrow('left')
      // Every connection there is.
      await Promise.all(Array.from({ length: 10 }, () => engine.reader.all('select pg_sleep(0.001)', [])))
    }
    await expect.poll(() => running('left')).toBe(0)
  })

  it('whoever leaves a transaction that has failed ends nothing of whoever has its connection next', async () => {
    const { query } = pg.Client.prototype
    const cancelling = Promise.withResolvers<void>()
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, config: never) {
      const ask = () => Reflect.apply(query, this, [config])
      return JSON.stringify(config).includes('pg_cancel_backend') ? cancelling.promise.then(ask) : ask()
    } as never)
    onTestFinished(() => spy.mockRestore())
    const leaving = new AbortController()
    let left: Promise<unknown> | undefined
    const failing = engine.transaction(
      async (session) => {
        left = reasonOf(session.all(`select pg_sleep(0.3), 'beside'`, []))
        throw new Error('early')
      },
      { signal: leaving.signal },
    )
    await expect.poll(() => running('beside')).toBe(1)
    leaving.abort(new Error('left'))
    await expect(failing).rejects.toThrow('early')
    expect(String(await left)).toContain('left')
    // Every connection there is.
    const next = Array.from({ length: 10 }, () => reasonOf(engine.reader.all(`select pg_sleep(0.3), 'next'`, [])))
    await expect.poll(() => running('next')).toBeGreaterThan(0)
    cancelling.resolve()
    expect(new Set(await Promise.all(next))).toEqual(new Set(['answered']))
  })

  it('a transaction whose caller leaves in the middle of a statement is rolled back', async () => {
    const leaving = new AbortController()
    const name = 'Made by somebody who left'
    const left = change(
      engine,
      1,
      clock.now(),
      actor,
      async (tx) => {
        tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: { name } })
        await tx.query(`select pg_sleep(60), 'leaves'`, [])
      },
      { signal: leaving.signal },
    )
    await expect.poll(() => running('leaves')).toBe(1)
    leaving.abort(new AppError('MALFORMED_REQUEST', 'left'))
    await expect(left).rejects.toThrow('left')
    // The organization's row is free again.
    await owner.create('/api/v1/locations', { name: 'After' })
    expect(await engine.reader.all(`select 1 from audit_log where action = 'test.updated'`, [])).toEqual([])
  })

  it('a commit that is not confirmed is called so: nobody can say that nothing was changed', async () => {
    const lost = engine.transaction(async (session) => {
      await session.script(`
        create temp table last_words (id integer);
        create function pg_temp.die() returns trigger language plpgsql as $$
          begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
        create constraint trigger at_commit after insert on last_words deferrable initially deferred
          for each row execute function pg_temp.die();
        insert into last_words values (1)`)
    })
    expect(await reasonOf(lost)).toEqual([503, 'unconfirmed', '1'])
  })

  it('one that was lost before its commit is not called unconfirmed: nothing was changed', async () => {
    const lost = engine.transaction(async (session) => {
      const [row] = await session.all<{ pid: number }>('select pg_backend_pid() as pid', [])
      await engine.unhurried.all('select pg_terminate_backend($1, 1000)', [row?.pid])
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    expect(await reasonOf(lost)).toEqual([503, 'database_away', '1'])
  })

  it("what is not waited for is done in its order, and a failure of it is the transaction's own", async () => {
    const names = () => engine.reader.all('select name from sent order by name', [])
    await engine.transaction(async (session) => {
      await session.send('create table sent (name text primary key)', [])
      await session.send(`insert into sent values ('one')`, [])
      expect(await session.all('select name from sent', [])).toEqual([{ name: 'one' }])
    })
    for (let round = 0; round < 3; round++) {
      const failing = engine.transaction(async (session) => {
        await session.send(`insert into sent values ('two')`, [])
        await session.send(`insert into sent values ('one')`, [])
        await session.send(`insert into sent values ($1)`, ['three'])
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      const told = engine.transaction(async (session) => {
        await session.send(`insert into sent values ('one')`, [])
        await session.all('select name from sent', [])
      })
      await expect(told).rejects.toMatchObject({ code: '23505' })
    }
    expect(await names()).toEqual([{ name: 'one' }])
    // Nobody has the connection with less than it had.
    await engine.transaction((session) => session.send(`insert into sent values ($1)`, ['three']))
    expect(await names()).toEqual([{ name: 'one' }, { name: 'three' }])
  })

  it('a change of an item waits for what it was and what it became, and sends the rest along', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Counted' })
    const { waited, sent } = watchTransactions(engine)
    await owner.patch(`/api/v1/locations/${location.id}`, { address: 'Street 1' })
    vi.restoreAllMocks()
    expect(waited.map((text) => text.slice(0, 20))).toEqual([
      'select key, id, data',
      'select t.id as id, t',
      'select t.id as id, t',
    ])
    expect(sent.map((text) => text.slice(0, 21))).toEqual([
      'update locations as t',
      'insert into audit_log',
      'with numbered as (\n  ',
    ])
  })

  it('what a change looks at first leaves with its beginning', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'At once' })
    const { query } = pg.Client.prototype
    const asked: string[] = []
    let isBegun = false
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, config: pg.QueryConfig) {
      if (!isBegun) asked.push(config.text.slice(0, 20))
      const answer: Promise<unknown> = Reflect.apply(query, this, [config])
      if (config.text === 'begin') void answer.then(() => (isBegun = true))
      return answer
    } as never)
    await owner.patch(`/api/v1/locations/${location.id}`, { address: 'Street 2' })
    vi.restoreAllMocks()
    expect(asked.slice(asked.indexOf('begin'))).toEqual(['begin', 'select key, id, data', 'select t.id as id, t'])
  })

  it('whose beginning is not confirmed does nothing, not even by itself', async () => {
    await engine.transaction((session) => session.script('create table unbegun (name text)'))
    const insert = `insert into unbegun values ('here')`
    const ways: Array<(session: Session) => Promise<unknown>> = [
      (session) => session.run(insert, []),
      (session) => session.send(insert, []),
      (session) => session.all(`${insert} returning name`, []),
      (session) => session.script(insert),
      (session) => Promise.all([session.all('select 1 as one', []), session.run(insert, [])]),
      // Whoever passes over that it failed does not commit.
      (session) => session.all('select 1 as one', []).catch(() => undefined),
    ]
    for (const way of ways) {
      const query = vi.spyOn(pg.Client.prototype, 'query')
      query.mockImplementationOnce((() => Promise.reject(new Error('canceled'))) as never)
      await expect(engine.transaction(way)).rejects.toThrow('canceled')
      expect(query.mock.calls[0]?.[0]).toEqual({ text: 'begin' })
      query.mockRestore()
      expect(await engine.reader.all('select name from unbegun', [])).toEqual([])
    }
    expect(await engine.transaction(async () => 'done')).toBe('done')
  })

  it('what a transaction did not wait for is done in it or not at all, however soon it ends', async () => {
    await engine.transaction((session) => session.script('create table belated (name text)'))
    const insert = (session: Session) => session.run(`insert into belated values ('here')`, [])
    const ways: Array<(session: Session) => Promise<unknown>> = [
      // Before it has begun, behind something else, and once it is over.
      (session) => insert(session),
      (session) => session.all('select 1 as one', []).then(() => insert(session)),
      (session) => engine.reader.all('select pg_sleep(0.05)', []).then(() => insert(session)),
    ]
    for (const way of ways) {
      let left: Promise<unknown> | undefined
      const failing = engine.transaction(async (session) => {
        left = reasonOf(way(session))
        throw new Error('early')
      })
      await expect(failing).rejects.toThrow('early')
      expect(String(await left)).toContain('over')
    }
    expect(await engine.reader.all('select name from belated', [])).toEqual([])
    const belated = Promise.withResolvers<Session>()
    await engine.transaction(async (session) => belated.resolve(session))
    await expect(insert(await belated.promise)).rejects.toThrow('over')
    expect(await engine.reader.all('select name from belated', [])).toEqual([])
  })

  it('a change of an organization that cannot be held fails for that, though it asks for nothing or passes over it', async () => {
    const failed = async (tx: Tx) => {
      await tx.query('select 1 as one', []).catch(() => undefined)
    }
    for (const work of [async () => undefined, failed]) {
      await expect(change(engine, 404, clock.now(), actor, work)).rejects.toThrow('the organization is gone')
      const reason = await engine.transaction(async (session) => {
        await session.all('select key from organizations where key = 1 for update', [])
        const asked = reasonOf(change(engine, 1, clock.now(), actor, work))
        await expect.poll(() => running('for no key update')).toBe(1)
        await session.all(
          `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
          [],
        )
        return asked
      })
      expect(reason).toEqual([503, 'too_slow', '1'])
    }
  })

  it('a caller who leaves does not wait for what was sent and not waited for', async () => {
    const holding = Promise.withResolvers<void>()
    const held = engine.transaction(async (session) => {
      await session.all('select pg_advisory_xact_lock(77)', [])
      await holding.promise
    })
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => {
      query.mockRestore()
      holding.resolve()
    })
    const leaving = new AbortController()
    const asked = engine.transaction(
      async (session) => {
        await session.send('select pg_advisory_xact_lock(77)', [])
        await expect.poll(() => running('pg_advisory_xact_lock(77)')).toBe(1)
        leaving.abort(new Error('left'))
      },
      { signal: leaving.signal },
    )
    await expect(asked).rejects.toThrow('left')
    await expect.poll(() => JSON.stringify(query.mock.calls).includes('pg_cancel_backend')).toBe(true)
    holding.resolve()
    await held
  })

  it('the latest versions are those of the database, asked for once for all who ask at once, whatever has been told', async () => {
    const { data } = await engine.versions(1)
    const hear = vi.spyOn(VersionListener.prototype, 'hear').mockReturnValue()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => {
      hear.mockRestore()
      query.mockRestore()
    })
    await owner.create('/api/v1/locations', { name: 'Not told of' })
    expect((await engine.versions(1)).data).toBe(data)
    query.mockClear()
    const latest = await Promise.all(Array.from({ length: 20 }, () => engine.latest(1)))
    expect(new Set(latest.map((versions) => versions.data))).toEqual(new Set([data + 1]))
    expect(query.mock.calls.filter((call) => JSON.stringify(call).includes('any($1::bigint[])')).length).toBe(1)
  })

  it('a change knows what the one just before it wrote, though its commit has not been told yet', async () => {
    const told = engine.committed
    // As if the answer to the commit were on its way: others are told meanwhile.
    engine.committed = (org, change) => void setTimeout(() => told.call(engine, org, change), 5)
    const known: boolean[] = []
    const write = () =>
      change(engine, 1, clock.now(), actor, async (tx) => {
        known.push((await tx.committed()) !== undefined)
        tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: null })
      })
    await Promise.all(Array.from({ length: 20 }, write))
    engine.committed = told
    expect(known).toEqual(Array.from({ length: 20 }, () => true))
  })

  it('however many organizations write, connections are left to read, to log in and to say that it is ready', async () => {
    const ending = Promise.withResolvers<void>()
    const orgs: number[] = []
    for (let i = 0; i < 8; i++)
      orgs.push((await createOrganization(engine, clock.now(), actor, `Writer ${i}`, 'Europe/Zurich')).key)
    let begun = 0
    const write = (org: number) =>
      change(engine, org, clock.now(), actor, async () => {
        begun += 1
        await ending.promise
      })
    const writers = Promise.allSettled(orgs.flatMap((org) => [write(org), write(org), write(org)]))
    await expect.poll(() => begun).toBe(2)
    const reads = await Promise.all(Array.from({ length: 20 }, () => owner.get('/api/v1/locations?order=name.desc')))
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    expect(begun).toBe(2)
    ending.resolve()
    await writers
  })
})
