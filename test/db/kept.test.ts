import { beforeAll, describe, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { Kept } from '../../src/db/kept/kept.ts'
import { metricsOf } from '../../src/db/metrics.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { sql } from '../../src/db/sql.ts'
import { actor, startHouse } from '../support/app.ts'
import { populate } from '../support/population.ts'
import type { Ids } from '../support/route-requests.ts'

const house = await startHouse()
const { engine, owner, clock } = house
const handle = (signal?: AbortSignal) => new OrgHandle(engine, 1, clock.now(), engine.reader, signal)
const names = (own: OrgHandle) =>
  own.all<{ name: string }>(sql`select t.name from locations t where t.org = :org order by t.name`)

let ids: Ids
beforeAll(async () => {
  ids = await populate(house, owner, 'Kept')
})

const hits = (cache: string): number =>
  metricsOf(engine)
    .watched.find(({ name, labels }) => name === 'gatehouse_cache_hits_total' && labels.cache === cache)
    ?.read() ?? 0

/** Whether an answer comes from memory after a change. */
async function isKept(url: string, change: () => Promise<{ status: number }>): Promise<boolean> {
  await owner.get(url)
  expect((await change()).status).toBe(200)
  const before = hits('answers')
  expect((await owner.get(url)).status).toBe(200)
  return hits('answers') > before
}

describe('a change drops what was made from what it wrote, and nothing else', () => {
  const changing = (noun: string, body: (n: number) => object) => {
    let n = 0
    return () => owner.patch(`/api/v1/${noun}/${ids[noun.replaceAll('-', '_')]}`, body(++n))
  }
  const phone = changing('individuals', (n) => ({ phone: `+41 44 000 00 ${10 + n}` }))
  const address = changing('locations', (n) => ({ address: `Street ${n}` }))
  const department = changing('spaces', (n) => ({ department: `Department ${n}` }))
  const label = changing('access-points', (n) => ({ label: `Label ${n}` }))
  const person = changing('individuals', (n) => ({ valid_until: `2030-01-0${n}T00:00:00Z` }))

  it.each([
    ['the list of spaces', '/api/v1/spaces?limit=1'],
    ['a search for spaces', '/api/v1/spaces?search=set'],
    ['the doors by label', '/api/v1/access-points?order=label'],
    ['the overview', '/api/v1/overview'],
  ])('%s is not made from phone numbers and addresses', async (_, url) => {
    expect([await isKept(url, phone), await isKept(url, address)]).toEqual([true, true])
  })

  it('one space is not made from phone numbers and addresses', async () => {
    const url = `/api/v1/spaces/${ids.spaces}`
    expect([await isKept(url, phone), await isKept(url, address)]).toEqual([true, true])
  })

  it('what shows a value is dropped with it', async () => {
    expect(await isKept('/api/v1/individuals', phone)).toBe(false)
    expect(await isKept('/api/v1/locations', address)).toBe(false)
    expect(await isKept('/api/v1/spaces', department)).toBe(false)
    expect(await isKept('/api/v1/access-points', label)).toBe(false)
  })

  it('what counts by a value is dropped with it, and not by others', async () => {
    expect(await isKept('/api/v1/overview', person)).toBe(false)
    expect(await isKept('/api/v1/spaces', person)).toBe(false)
    expect([await isKept('/api/v1/overview', department), await isKept('/api/v1/overview', label)]).toEqual([
      true,
      true,
    ])
  })

  it('totals are counted anew when rows come or go, not when they change', async () => {
    const path = '/api/v1/spaces/records?limit=1&name=neq.nobody'
    await owner.get(path)
    await department()
    const before = hits('totals')
    // In another order it is another list of as many: the same one would be known as a whole.
    expect((await owner.get(`${path}&order=name.desc`)).status).toBe(200)
    expect(hits('totals')).toBe(before + 1)
  })
})

describe('what is kept', () => {
  const kept = new Kept<object[]>(engine, { name: 'test', max: 10, attempts: 3, isGivenUp: true })

  it('is made once for all who ask at once', async () => {
    let made = 0
    const make = async (own: OrgHandle) => {
      made += 1
      return names(own)
    }
    const answers = await Promise.all(Array.from({ length: 32 }, () => kept.get(handle(), 'once', make)))
    expect([made, new Set(answers).size]).toEqual([1, 1])
  })

  it('is not shared with who asks after a change of what it has read already', async () => {
    const { promise: isHeld, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
    const first = kept.get(handle(), 'late', async (own) => {
      const rows = await names(own)
      read()
      await isHeld
      return rows
    })
    await hasRead
    const { name } = await owner.create('/api/v1/locations', { name: 'Meanwhile' })
    const second = await kept.get(handle(), 'late', names)
    goOn()
    expect(second).toContainEqual({ name })
    // All of it is of the moment before the change, in which it was asked for.
    expect(await first).not.toContainEqual({ name })
  })

  it.each([
    ['is of one moment where a single statement reads what is written meanwhile', 1, []],
    ['is made anew where another statement read of it before', 2, ['before']],
    ['is made anew where another statement reads of it afterwards', 2, ['after']],
  ])('%s', async (about, times, others) => {
    const counted = (own: OrgHandle) =>
      own.all<{ count: number }>(sql`select count(*) as count from locations t where t.org = :org`)
    let made = 0
    const answer = await kept.get(handle(), about, async (own) => {
      made += 1
      const before = others.includes('before') ? await counted(own) : []
      await own.all(sql`select t.name from buildings t where t.org = :org`)
      const rows = await names(own)
      if (made === 1) await owner.create('/api/v1/locations', { name: about })
      return [...before, ...rows, ...(others.includes('after') ? await counted(own) : [])]
    })
    expect(made).toBe(times)
    const locations = answer.filter((row) => 'name' in row)
    for (const row of answer) if ('count' in row) expect(row.count).toBe(locations.length)
    // Whoever asks now is not told what was before.
    expect(await kept.get(handle(), about, names)).toContainEqual({ name: about })
  })

  it('is made anew whatever is written meanwhile where it is to be of now', async () => {
    const stored = new Kept<object[]>(engine, { name: 'stored', max: 1, attempts: 3, isOfNow: true })
    let made = 0
    const rows = await stored.get(handle(), 'now', async (own) => {
      made += 1
      const found = await names(own)
      if (made === 1) await owner.create('/api/v1/locations', { name: 'Now' })
      return found
    })
    expect(made).toBe(2)
    expect(rows).toContainEqual({ name: 'Now' })
  })

  it('never mixes what was before a change with what came after it', async () => {
    let isChanged = false
    const [before, after] = (await kept.get(handle(), 'mixed', async (own) => {
      const rows = await names(own)
      if (!isChanged) await owner.create('/api/v1/locations', { name: 'Between' })
      isChanged = true
      return [rows, await names(own)]
    })) as [object[], object[]]
    expect(before).toEqual(after)
    expect(after).toContainEqual({ name: 'Between' })
  })

  it('never mixes them while it is made quickly, however many changes come', async () => {
    const busy = new Kept<object[]>(engine, { name: 'busy', max: 1, attempts: 3, againMs: Number.POSITIVE_INFINITY })
    const created: string[] = []
    const [before, after] = (await busy.get(handle(), 'busy', async (own) => {
      const rows = await names(own)
      if (created.length < 5)
        created.push((await owner.create('/api/v1/locations', { name: `Busy ${created.length}` })).name)
      return [rows, await names(own)]
    })) as [object[], object[]]
    expect(before).toEqual(after)
    expect(after).toEqual(expect.arrayContaining(created.map((name) => ({ name }))))
    expect(created.length).toBe(5)
  })

  it('goes on when one of those who wait leaves, and ends when all have', async () => {
    const callers = [new AbortController(), new AbortController()]
    const { promise: isEnded, resolve: end } = Promise.withResolvers<string>()
    const asked = callers.map(({ signal }) =>
      kept.get(handle(signal), 'left', async (own) => {
        own.signal?.addEventListener('abort', () => end('ended'))
        await isEnded
        return []
      }),
    )
    const left = asked.map((answer) => Promise.resolve(answer).catch((error) => error))
    await Promise.resolve()
    callers[0]?.abort('first')
    expect(await left[0]).toBe('first')
    const state = await Promise.race([isEnded, engine.reader.all('select 1 as one', []).then(() => 'goes on')])
    expect(state).toBe('goes on')
    callers[1]?.abort('second')
    expect([await left[1], await isEnded]).toEqual(['second', 'ended'])
  })

  it('ends with the clock where it looks at the clock, and only there', async () => {
    let made = 0
    const ask = (key: string, looks: boolean) =>
      kept.get(handle(), key, async (own) => {
        made += 1
        return looks ? [{ now: own.now }] : names(own)
      })
    await ask('clock', true)
    await ask('no clock', false)
    clock.forward(24 * 3_600_000)
    await ask('no clock', false)
    expect(made).toBe(2)
    await ask('clock', true)
    expect(made).toBe(3)
  })

  it('is worked out by a transaction for itself', async () => {
    const seen: object[][] = []
    await kept.get(handle(), 'tx', names)
    await change(engine, 1, clock.now(), actor, async (tx) => {
      await tx.run(sql`update locations as t set name = 'Uncommitted' where t.org = :org`)
      seen.push(await kept.get(tx, 'tx', names))
      throw new Error('not kept')
    }).catch(() => undefined)
    expect(seen[0]).toContainEqual({ name: 'Uncommitted' })
    expect(await kept.get(handle(), 'tx', names)).not.toContainEqual({ name: 'Uncommitted' })
  })
})

describe('what follows a change', () => {
  const beside = (own: OrgHandle) =>
    own.all<{ id: string }>(
      sql`select t.id from locations t join buildings b on b.org = :org and b.location_id = t.id where t.org = :org`,
    )

  it('moves along with what was written of its table, unless more of it was written', async () => {
    const kept = new Kept<object[]>(engine, { name: 'following', max: 10 })
    const value = await kept.get(handle(), 'key', beside)
    const versions = await handle().versions()
    const { data } = versions
    expect([...kept.current(() => true, versions)]).toEqual([['key', value]])
    for (const other of ['buildings', 'buildings.location_id', '*'])
      expect(kept.moveAlong('key', value, 'locations', { data: data + 1, moved: ['locations', other] })).toBe(false)
    const moved = ['locations', 'locations.name', 'buildings.name', 'audit_log']
    expect(kept.moveAlong('key', value, 'locations', { data: data + 1, moved })).toBe(true)
    // Another one has followed by then.
    expect(kept.moveAlong('key', value, 'locations', { data: data + 1, moved })).toBe(false)
  })

  it('is nothing that looks at the clock: a change may bring a moment that nobody knows of', async () => {
    const kept = new Kept<object[]>(engine, { name: 'following_the_clock', max: 10 })
    await kept.get(handle(), 'key', (own) =>
      own.all(sql`select t.id from access_grants t where t.org = :org and t.valid_until > :now`),
    )
    expect([...kept.current(() => true, await handle().versions())]).toEqual([])
  })
})

describe('while nobody can say what was written', () => {
  const failing = () => {
    let asked = 0
    const versions = () => {
      asked += 1
      return Promise.reject(new Error('away'))
    }
    const away = new OrgHandle(Object.create(engine, { versions: { value: versions } }), 1, clock.now())
    return { away, asked: () => asked }
  }

  it('whoever asks is told so, and the database is asked once', async () => {
    const { away, asked } = failing()
    const kept = new Kept<string>(engine, { name: 'away', max: 1 })
    await expect(kept.get(away, 'a', async () => 'made')).rejects.toThrow('away')
    expect(asked()).toBe(1)
  })
})
