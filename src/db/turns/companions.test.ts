import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { verifyAudit } from '../../audit/verify.ts'
import { AppError } from '../../core/errors.ts'
import { type ChangeOptions, change, type Tx } from '../change.ts'
import { OrgHandle } from '../org.ts'
import { sql } from '../sql.ts'
import { Turns } from './turns.ts'

describe('changes that go along with one before them', async () => {
  const { engine, owner, clock } = await startHouse()
  // Nobody stands ready: whoever comes while one is made goes along.
  Object.assign(engine, { writers: new Turns(24, 1) })
  const handle = () => new OrgHandle(engine, 1, clock.now())
  const committed = async () => (await handle().latest()).data
  const make = (work: (tx: Tx) => Promise<unknown>, options: ChangeOptions = {}) =>
    change(
      engine,
      1,
      clock.now(),
      actor,
      async (tx) => {
        tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: null })
        return work(tx)
      },
      { isBrief: true, ...options },
    )
  /** Holds the organization, so that whatever comes next waits. */
  const hold = async () => {
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = make(async (tx) => {
      await tx.held()
      begun.resolve()
      await isHeld
    })
    await begun.promise
    return { first, letGo }
  }
  const nameOf = (tx: OrgHandle, id: string) =>
    tx.one<{ name: string }>(sql`select t.name from locations t where t.org = :org and t.id = ${id}`)
  const rename = (tx: Tx, name: string) => tx.update('locations', ids[0] as string, { name })
  const reasonOf = (asked: Promise<unknown>) =>
    asked.then(
      (result) => result,
      (error) => (error instanceof AppError ? `${error.status} ${error.reason}` : error),
    )

  /** As its server going away, or a full disk, would. */
  const endTransaction = async (tx: Tx) => {
    if (engine.dialect.name === 'sqlite') {
      await tx.run(sql`insert or rollback into locations (org, id) values (:org, null)`)
      return
    }
    const [row] = await tx.all<{ pid: number }>(
      sql`select pg_backend_pid() as pid from organizations o where o.key = :org`,
    )
    await engine.unhurried.all('select pg_terminate_backend($1, 1000)', [row?.pid])
  }

  const PLACE = {
    id: '01990000-0000-7000-8000-000000000001',
    name: 'Twice',
    slug: 'twice',
    version: 1,
    search_text: '',
  }
  const at = (tx: Tx) => ({ created_at: tx.now, updated_at: tx.now })

  const ids: string[] = []
  let spied = vi.spyOn(engine, 'transaction')
  beforeAll(async () => {
    for (let i = 0; i < 40; i++) ids.push((await owner.create('/api/v1/locations', { name: `Place ${i}` })).id)
    spied.mockClear()
  })
  afterEach(() => {
    spied.mockRestore()
    spied = vi.spyOn(engine, 'transaction')
  })

  it('are each answered, numbered and on the record by themselves, in fewer transactions', async () => {
    const before = await committed()
    const answers = await Promise.all(
      ids.map((id, index) => owner.patch(`/api/v1/locations/${id}`, { name: `Renamed ${index}` })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(spied.mock.calls.length).toBeLessThan(ids.length / 2)
    expect(await committed()).toBe(before + ids.length)
    const { data } = (await owner.get('/api/v1/locations?limit=100&name=like.Renamed*&select=id,name,version')).body
    expect(data.length).toBe(ids.length)
    for (const { id, name, version } of data) expect([name, version]).toEqual([`Renamed ${ids.indexOf(id)}`, 2])
    const { body } = await owner.get(`/api/v1/audit-log?limit=${ids.length}&order=sequence.desc`)
    expect(new Set(body.data.map(({ resource_id }: { resource_id: string }) => resource_id))).toEqual(new Set(ids))
    expect(await verifyAudit({ reader: engine.reader }, 1)).toEqual({ rows: expect.any(Number) })
  })

  it('fail alone where they fail', async () => {
    const body = { name: 'Once', external_id: 'once' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.post('/api/v1/locations', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect(new Set(answers.flatMap(({ body }) => body.error?.reason ?? []))).toEqual(new Set(['not_unique']))
  })

  it('see what was made before them, and know of it', async () => {
    const { first, letGo } = await hold()
    const one = make(async (tx) => {
      await rename(tx, 'One')
    })
    const two = make(async (tx) => {
      const seen = new OrgHandle(engine, 1, clock.now())
      await nameOf(seen, ids[0] as string)
      return [await nameOf(tx, ids[0] as string), (await tx.committed()) !== undefined, tx.hasWritten(seen.reads)]
    })
    letGo()
    expect(await two).toEqual([{ name: 'One' }, true, true])
    await Promise.all([first, one])
    expect(spied.mock.calls.length).toBe(1)
  })

  it('are taken back by themselves, with what they sent and nobody waited for', async () => {
    const { first, letGo } = await hold()
    const fails = [
      make(async (tx) => {
        await rename(tx, 'Thrown')
        throw new Error('thrown')
      }),
      make(async (tx) => {
        await rename(tx, 'Sent')
        await tx.updateAhead('locations', ids[0] as string, { parent_id: '00000000-0000-7000-8000-000000000000' })
      }),
      make(async (tx) => {
        await rename(tx, 'Asked')
        await tx.all(sql`select t.nowhere from locations t where t.org = :org`)
      }),
    ].map(reasonOf)
    const good = make((tx) => nameOf(tx, ids[0] as string))
    letGo()
    expect(await good).toEqual({ name: 'One' })
    const [thrown, sent, asked] = await Promise.all(fails)
    expect(thrown).toEqual(new Error('thrown'))
    expect(sent).toBe('409 reference')
    expect(asked).toMatchObject({ message: expect.stringMatching(/nowhere/) })
    await first
    expect(await nameOf(handle(), ids[0] as string)).toEqual({ name: 'One' })
    expect(spied.mock.calls.length).toBe(1)
  })

  it('are not made once their caller has left, and the one that they go with is kept though its caller has', async () => {
    const leaving = new AbortController()
    const leader = new AbortController()
    const before = await committed()
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
    const first = make(
      async (tx) => {
        await tx.held()
        await isHeld
        await rename(tx, 'Kept')
      },
      { signal: leader.signal },
    )
    const left = reasonOf(make((tx) => rename(tx, 'Left'), { signal: leaving.signal }))
    const late = new AbortController()
    const leftLate = reasonOf(
      make(
        async (tx) => {
          leader.abort('the first has left')
          await rename(tx, 'Left late')
          late.abort('left late')
        },
        { signal: late.signal },
      ),
    )
    leaving.abort('left')
    letGo()
    expect([await left, await leftLate]).toEqual(['left', 'left late'])
    await first
    expect(await nameOf(handle(), ids[0] as string)).toEqual({ name: 'Kept' })
    expect(await committed()).toBe(before + 1)
  })

  it('are kept all together or not at all', async () => {
    const before = await committed()
    const { first, letGo } = await hold()
    const along = [
      make((tx) => rename(tx, 'Lost')),
      make(async (tx) => {
        await endTransaction(tx)
        await nameOf(tx, ids[0] as string)
      }),
    ].map(reasonOf)
    const failed = reasonOf(first)
    letGo()
    const reasons = await Promise.all([failed, ...along])
    expect(new Set(reasons)).toEqual(new Set([engine.dialect.name === 'postgres' ? '503 database_away' : reasons[0]]))
    expect(reasons[0]).toBeDefined()
    expect(await nameOf(handle(), ids[0] as string)).toEqual({ name: 'Kept' })
    expect(await committed()).toBe(before)
  })

  it('do nothing any more once they are over', async () => {
    const { first, letGo } = await hold()
    const late = Promise.withResolvers<unknown>()
    late.promise.catch(() => undefined)
    const over = make(async (tx) => {
      setTimeout(() => rename(tx, 'Late').then(late.resolve, late.reject), 20)
      throw new Error('over')
    })
    const next = make(() => new Promise((resolve) => setTimeout(resolve, 60)))
    letGo()
    expect(await reasonOf(over)).toEqual(new Error('over'))
    await expect(late.promise).rejects.toThrow('a change that is over')
    await Promise.all([first, next])
    expect(await nameOf(handle(), ids[0] as string)).toEqual({ name: 'Kept' })
  })

  it('are refused for what is committed, and not for what may yet be taken back', async () => {
    const { first, letGo } = await hold()
    const told: string[] = []
    const place = (tx: Tx) => tx.insert('locations', { ...PLACE, ...at(tx) })
    const maker = make(place).then(() => told.push('made'))
    const double = make(place).then(
      () => told.push('made twice'),
      () => told.push('refused'),
    )
    letGo()
    await Promise.all([first, maker, double])
    expect(told).toEqual(['made', 'refused'])
  })

  it('move what is kept only where it is of what came before them', async () => {
    for (let i = 0; i < 110; i++) ids.push((await owner.create('/api/v1/locations', { name: `Deep ${i}` })).id)
    const pages = async () => {
      const found: string[] = []
      for (let page = 1; page <= 2; page++) {
        const { body } = await owner.get(`/api/v1/locations?order=name&limit=100&page=${page}`)
        found.push(...body.data.map(({ name }: { name: string }) => name))
      }
      return found
    }
    await pages()
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
    const many = make(
      async (tx) => {
        await tx.held()
        await isHeld
        const rows = Array.from({ length: 30 }, (_, n) => ({ ...PLACE, ...at(tx), id: randomUUIDv7(), name: `A ${n}` }))
        await tx.insertAll('locations', rows)
      },
      { isBrief: false },
    )
    const along = owner.post('/api/v1/locations', { name: 'Zuletzt' })
    await expect.poll(() => engine.writers.waitingCount).toBe(1)
    letGo()
    await many
    expect((await along).status).toBe(201)
    const all = await engine.reader.all<{ name: string }>('select name from locations where org = 1', [])
    expect((await pages()).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
  })

  it('are made though the caller of the one before them has left, and that one is not', async () => {
    const leader = new AbortController()
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
    const first = reasonOf(
      make(
        async (tx) => {
          await tx.held()
          await isHeld
          await rename(tx, 'Left')
          leader.abort('the first has left')
        },
        { signal: leader.signal },
      ),
    )
    const next = make(async (tx) => nameOf(tx, ids[0] as string))
    letGo()
    expect([await first, await next]).toEqual(['the first has left', { name: 'Kept' }])
  })

  it('wait for a turn of their own where they may take their time', async () => {
    const { first, letGo } = await hold()
    const long = make(async () => 'long', { isBrief: false })
    letGo()
    await Promise.all([first, long])
    expect(spied.mock.calls.length).toBe(2)
  })
})
