import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { insertMany } from '../../db/insert-many.ts'
import { askedList } from '../../db/lists/asked-list.ts'
import { totalOf } from '../../db/lists/totals.ts'
import { OrgHandle } from '../../db/org.ts'
import { stretchesOf } from '../../live/counted/stretches.ts'
import { EVERY_PARAMETER, parseListQuery } from '../../query/parse.ts'
import { accessEvents } from './schema.ts'

const house = await startHouse()
const { owner, engine } = house
const PATH = '/api/v1/access-events'
const ORG = 1
const MANY = 24_500
const START = Date.parse('2027-01-01T00:00:00Z')

interface Stored {
  sequence: number
  type: string
  occurred_at: string
}

/** One a minute; now and then one comes late, and one from a clock that is ahead. */
const minuteOf = (n: number): number => (n % 3001 === 7 ? n - 3000 : n % 5003 === 11 ? n + 9000 : n)
const stored: Stored[] = Array.from({ length: MANY }, (_, index) => ({
  sequence: index + 1,
  type: index % 9 === 0 ? 'access.denied' : 'access.granted',
  occurred_at: new Date(START + minuteOf(index) * 60_000).toISOString(),
}))

/** Two places; some events are at the doors of each, some of a system without a door, some of none. */
const makePlace = async (name: string) => {
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name, location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name, building_id: building.id })
  const door = await owner.create('/api/v1/access-points', { name, space_id: space.id })
  const system = await owner.create('/api/v1/access-control-systems', { name, location_id: location.id })
  return { location, building, door, system }
}
const places = [await makePlace('North'), await makePlace('South')]
type Place = (typeof places)[number]
const doorOf = (n: number): Place | undefined => (n % 5 < 3 ? places[n % 2] : undefined)
const systemOf = (n: number): Place | undefined => (n % 5 === 3 ? places[n % 2] : undefined)

beforeAll(async () => {
  // So that the organization has a head.
  const [first] = (
    await owner.post(`${PATH}/batch`, { events: [{ type: 'access.denied', occurred_at: stored[0]?.occurred_at }] })
  ).body.data.results
  expect(first.sequence).toBe(1)
  const rows = stored
    .slice(1)
    .map(({ sequence, type, occurred_at }) => [
      ORG,
      sequence,
      `00000000-0000-7000-8000-${String(sequence).padStart(12, '0')}`,
      type,
      type === 'access.denied' ? 'denied' : 'granted',
      occurred_at,
      occurred_at,
      'agreed',
      doorOf(sequence)?.door.id ?? null,
      doorOf(sequence)?.building.id ?? null,
      systemOf(sequence)?.system.id ?? null,
    ])
  await engine.transaction(async (session) => {
    const columns =
      'org, sequence, id, type, result, occurred_at, received_at, verdict, access_point_id, building_id, ' +
      'access_control_system_id'
    await insertMany((text, values) => session.run(text, values), `insert into access_events (${columns})`, rows)
    await session.run('update live_heads set sequence = $2, stored = $2 where org = $1', [ORG, MANY])
  })
})

const asked = async (query: string, client = owner) => {
  const { status, body } = await client.get(`${PATH}?limit=7&${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return { total: body.meta.pagination.total, sequences: body.data.map((row: Stored) => row.sequence) }
}

const SQL: Record<string, string> = {
  'verdict=eq.agreed': "verdict = 'agreed'",
  'verdict=neq.agreed': "verdict <> 'agreed'",
  'verdict_reason=is.null': 'verdict_reason is null',
  'verdict=in.(agreed,unknown)': "verdict in ('agreed', 'unknown')",
}
const countedBySql = async (query: string) =>
  (
    await engine.reader.all<{ n: number }>(
      `select count(*) as n from access_events where org = ${ORG} and ${SQL[query]}`,
      [],
    )
  )[0]?.n

const expected = (fits: (row: Stored) => boolean, isDown: boolean, page = 1) => {
  const all = stored.filter(fits).map((row) => row.sequence)
  if (isDown) all.reverse()
  return { total: all.length, sequences: all.slice(7 * (page - 1), 7 * page) }
}

const inAll = (count: number) => [{ values: {}, count }]
const at = (minute: number): string => new Date(START + minute * 60_000).toISOString()

describe('events of a time, among many', () => {
  it('are known by where they lie', async () => {
    const filter = { field: 'occurred_at', operator: 'gte', operand: at(5000), value: '', negated: false } as const
    const look = () => stretchesOf(new OrgHandle(engine, ORG, house.clock.now()), [filter])
    const found = async () => (await look()).stretches
    expect(await found()).toMatchObject({ through: MANY })
    // However often it is asked, it is as many.
    const { counted } = await look()
    const count = stored.filter((row) => row.occurred_at >= at(5000)).length
    expect([await counted?.([], []), await counted?.([], [])]).toEqual([inAll(count), inAll(count)])
    // The one from a clock that is ahead, and the rest from where they begin.
    expect((await found())?.list).toEqual([
      [1, 2000],
      [4001, MANY],
    ])
  })

  const random = (() => {
    let seed = 20_270_101
    return (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
  })()

  it.each(Array.from({ length: 24 }, (_, round) => round))(
    'are those that fit, in either order, and counted: round %i',
    async (round) => {
      const [from, length] = [random(MANY + 9000), [1, 30, 2500, 20_000][round % 4] as number]
      const isDown = random(2) === 1
      const isDenied = round % 3 === 0
      const isOpen = round % 5 === 0
      const page = 1 + random(2)
      const [low, high] = [at(from), at(from + length)]
      const query = `occurred_at=gte.${low}${isOpen ? '' : `&occurred_at=lt.${high}`}${isDenied ? '&type=eq.access.denied' : ''}&page=${page}${isDown ? '&order=sequence.desc' : ''}`
      const fits = (row: Stored) =>
        row.occurred_at >= low && (isOpen || row.occurred_at < high) && (!isDenied || row.type === 'access.denied')
      expect(await asked(query), query).toEqual(expected(fits, isDown, page))
    },
  )

  it('are found by the moment itself, and up to one', async () => {
    const moment = at(12_345)
    expect(await asked(`occurred_at=eq.${moment}`)).toEqual(expected((row) => row.occurred_at === moment, false))
    expect(await asked(`occurred_at=lte.${moment}&order=sequence.desc`)).toEqual(
      expected((row) => row.occurred_at <= moment, true),
    )
    expect(await asked(`occurred_at=gt.${moment}`)).toEqual(expected((row) => row.occurred_at > moment, false))
    expect(await asked(`occurred_at=gt.${at(90_000)}`)).toEqual({ total: 0, sequences: [] })
  })

  it('include those that come later and happened then', async () => {
    const [low, high] = [at(5000), at(5010)]
    const query = `occurred_at=gte.${low}&occurred_at=lt.${high}&order=sequence.desc`
    const fits = (row: Stored) => row.occurred_at >= low && row.occurred_at < high
    expect(await asked(query)).toEqual(expected(fits, true))
    for (const type of ['access.denied', 'access.granted']) {
      const { data } = (await owner.post(PATH, { type, occurred_at: at(5003) })).body
      stored.push(data)
      expect(await asked(query)).toEqual(expected(fits, true))
      expect(await asked(`${query}&type=eq.access.denied`)).toEqual(
        expected((row) => fits(row) && row.type === 'access.denied', true),
      )
    }
  })

  it.each([
    ['type=eq.access.denied', true, (row: Stored) => row.type === 'access.denied'],
    ['type=in.(access.denied,door.forced)', true, (row: Stored) => row.type === 'access.denied'],
    ['type=eq.access.denied&result=eq.granted', true, () => false],
    ['result=in.(denied,granted)', true, () => true],
    ['direction=eq.in', true, () => false],
    [
      'result=eq.granted&occurred_at=lt.2027-01-09T00:00:00.000Z',
      true,
      (row: Stored) => row.type !== 'access.denied' && row.occurred_at < at(8 * 1440),
    ],
    ['type=neq.access.denied', true, (row: Stored) => row.type !== 'access.denied'],
    ['type=not.eq.access.denied', true, (row: Stored) => row.type !== 'access.denied'],
    ['type=not.in.(access.denied)', true, (row: Stored) => row.type !== 'access.denied'],
    ['or=(type.eq.access.denied,direction.eq.in)', true, (row: Stored) => row.type === 'access.denied'],
    ['or=(type.eq.access.denied,direction.neq.in)', true, (row: Stored) => row.type === 'access.denied'],
    [
      'or=(type.eq.access.denied,not.and(direction.eq.in,result.eq.granted))',
      true,
      (row: Stored) => row.type === 'access.denied',
    ],
    ['type=eq.access.denied&direction=is.null', true, (row: Stored) => row.type === 'access.denied'],
    ['direction=not.is.null', true, () => false],
    ['direction=neq.in', true, () => false],
    ['type=ilike.*DENIED', true, (row: Stored) => row.type === 'access.denied'],
    ['type=like.access.*d*n*', true, (row: Stored) => row.type === 'access.denied'],
    ['type=like.*denied', true, (row: Stored) => row.type === 'access.denied'],
    ['type=like.*DENIED', true, () => false],
    ['type=like.*ied*denied', true, () => false],
    ['type=not.like.access.d*', true, (row: Stored) => !row.type.startsWith('access.d')],
    ['source_id=ilike.*denied', false, () => false],
    ['or=(type.eq.access.denied,source_id.eq.none)', false, (row: Stored) => row.type === 'access.denied'],
  ])('%s: counted by what is known of whole stretches: %s', async (query, isKnown, fits) => {
    const { data } = (await owner.post(PATH, { type: 'access.denied', occurred_at: at(3) })).body
    stored.push(data)
    expect(await asked(query)).toEqual(expected(fits, false))
    const { filters } = parseListQuery(query, accessEvents.fields, EVERY_PARAMETER)
    const { counted } = await stretchesOf(new OrgHandle(engine, ORG, house.clock.now()), filters)
    expect(await counted?.([], [])).toEqual(isKnown ? inAll(expected(fits, false).total) : undefined)
  })

  it('are found where few fit, in either order and page after page', async () => {
    for (let n = 0; n < 9; n++)
      stored.push(
        (await owner.post(PATH, { type: n % 2 ? 'door.closed' : 'door.opened', source_id: `few-${n}` })).body.data,
      )
    const isFew = ({ type }: Stored) => type.startsWith('door.')
    for (const query of [
      'type=in.(door.closed,door.opened)',
      'type=like.door.*',
      'source_id=is.not_null',
      'source_id=not.is.null',
    ])
      for (const page of [1, 2, 3])
        for (const isDown of [false, true])
          expect(await asked(`${query}&page=${page}${isDown ? '&order=sequence.desc' : ''}`), query).toEqual(
            expected(isFew, isDown, page),
          )
  })

  it('are as many as there are while more come, from few to many', async () => {
    const query = 'or=(type.eq.access.denied,source_id.eq.none)&order=sequence.desc&page=2'
    const isDenied = (row: Stored) => row.type === 'access.denied'
    expect(await asked(query)).toEqual(expected(isDenied, true, 2))
    for (const count of [1, 1000, 1000, 1000, 1]) {
      const events = Array.from({ length: count }, () => ({ type: 'access.denied', occurred_at: at(4) }))
      const { results } = (await owner.post(`${PATH}/batch`, { events })).body.data
      for (const { sequence } of results) stored.push({ sequence, type: 'access.denied', occurred_at: at(4) })
      expect(await asked(query)).toEqual(expected(isDenied, true, 2))
    }
    expect(expected(isDenied, true).total).toBeGreaterThan(5000)
    const isGranted = (row: Stored) => row.type === 'access.granted'
    expect(await asked('or=(type.eq.access.granted,source_id.eq.none)')).toEqual(expected(isGranted, false))
  })

  it('are counted by a verdict that was not there when they were looked at', async () => {
    const handle = new OrgHandle(engine, ORG, house.clock.now())
    const { filters } = parseListQuery('or=(verdict.eq.agreed,source_id.eq.none)', accessEvents.fields, EVERY_PARAMETER)
    const query = { filters, page: 1, limit: 1, order: [], search: null }
    const total = async () =>
      totalOf(handle, await askedList(handle, accessEvents, { query, scope: 'all', scopeOf: () => 'all' }))
    const judge = (verdict: string) =>
      engine.transaction((session) =>
        session.run(`update access_events set verdict = ${verdict} where org = ${ORG} and sequence = 24000`, []),
      )
    const before = await total()
    await judge('null')
    expect(await total()).toBe(before - 1)
    await judge("'agreed'")
    expect(await total()).toBe(before)
    // Beside a time, where those that are judged already lie behind the one that is not.
    const since = parseListQuery(
      `or=(verdict.eq.agreed,source_id.eq.none)&occurred_at=gte.${at(-9000)}`,
      accessEvents.fields,
      EVERY_PARAMETER,
    )
    const { stretches } = await stretchesOf(handle, since.filters)
    const request = {
      query: { ...query, filters: since.filters },
      scope: 'all' as const,
      scopeOf: () => 'all' as const,
      stretches,
    }
    await judge('null')
    expect(await totalOf(handle, await askedList(handle, accessEvents, request))).toBe(before - 1)
    await judge("'agreed'")
  })

  it('have verdicts that come later than they', async () => {
    const { data } = (await owner.post(PATH, { type: 'access.granted', occurred_at: at(4) })).body
    stored.push(data)
    // Read once as it was before.
    expect(await asked('type=eq.access.granted')).toEqual(expected((row) => row.type === 'access.granted', false))
    for (const query of [
      'verdict=eq.agreed',
      'verdict=neq.agreed',
      'verdict_reason=is.null',
      'verdict=in.(agreed,unknown)',
    ])
      expect((await asked(query)).total, query).toBe(await countedBySql(query))
    expect((await asked('verdict=is.null')).total).toBe(0)
  })

  describe('counted by whoever is limited to places', () => {
    const place = places[0] as Place
    const isInBuilding = ({ sequence }: Stored) => sequence > 1 && sequence <= MANY && doorOf(sequence) === place
    const isAtLocation = (row: Stored) =>
      isInBuilding(row) || (row.sequence > 1 && row.sequence <= MANY && systemOf(row.sequence) === place)
    const isDenied = (row: Stored) => row.type === 'access.denied'
    const filters: Array<[string, (row: Stored) => boolean]> = [
      ['', () => true],
      ['type=eq.access.denied', isDenied],
      ['verdict=eq.agreed&type=neq.access.denied', (row) => row.sequence <= MANY && !isDenied(row)],
      [`type=eq.access.denied&occurred_at=lt.${at(9000)}`, (row) => isDenied(row) && row.occurred_at < at(9000)],
      ['or=(type.eq.access.denied,direction.eq.in)', isDenied],
    ]

    it.each(filters)('%s', async (query, fits) => {
      const guard = await memberWith(house, ['access-events:read'], { building_id: place.building.id })
      const manager = await memberWith(house, ['access-events:read'], { location_id: place.location.id })
      const [inBuilding, atLocation] = [isInBuilding, isAtLocation].map((isThere) =>
        expected((row) => isThere(row) && fits(row), false),
      )
      expect(await asked(query, guard)).toEqual(inBuilding)
      expect(await asked(query, manager)).toEqual(atLocation)
      expect(await asked(`${query}&within_building=${place.building.id}`)).toEqual(inBuilding)
      expect(await asked(`${query}&within_location=${place.location.id}`)).toEqual(atLocation)
      expect(await asked(`${query}&within_location=${place.location.id}`, guard)).toEqual(inBuilding)
      expect(await asked(`${query}&building_id=eq.${place.building.id}`)).toEqual(inBuilding)
      expect((await asked(`${query}&within_building=${places[1]?.building.id}`, guard)).total).toBe(0)
    })

    it.each(filters)('by type and direction: %s', async (query, fits) => {
      const guard = await memberWith(house, ['access-events:read'], { building_id: place.building.id })
      for (const [client, isThere] of [
        [owner, () => true],
        [guard, isInBuilding],
      ] as const) {
        const { body } = await client.get(`${PATH}/summary?group_by=type,direction&${query}`)
        const found = stored.filter((row) => isThere(row) && fits(row))
        const counts = ['access.granted', 'access.denied', 'door.opened', 'door.closed'].map((type) => ({
          type,
          direction: null,
          count: found.filter((row) => row.type === type).length,
        }))
        expect(body.data).toEqual(counts.filter(({ count }) => count > 0))
        expect(body.meta).toMatchObject({ total: found.length, groups: body.data.length })
        expect((await client.get(`${PATH}/summary?${query}`)).body).toMatchObject({
          data: [{ count: found.length }],
          meta: { groups: 1 },
        })
      }
    })

    it('by what is known, not by counting', async () => {
      const { counted } = await stretchesOf(new OrgHandle(engine, ORG, house.clock.now()), [])
      const there = [{ buildings: new Set([place.building.id]), locations: new Set<string>() }]
      expect(await counted?.(there, [])).toEqual(inAll(expected(isInBuilding, false).total))
      expect(await counted?.([], [])).toEqual(inAll(stored.length))
      expect(await counted?.([], ['access_point_id'])).toBeUndefined()
    })
  })
})
