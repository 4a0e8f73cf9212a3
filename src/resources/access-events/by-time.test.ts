import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { insertMany } from '../../db/insert-many.ts'
import { OrgHandle } from '../../db/org.ts'
import { stretchesOf } from '../../live/blocks.ts'
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

beforeAll(async () => {
  // So that the organization has a head.
  const [first] = (await owner.post(`${PATH}/batch`, { events: [{ type: 'access.denied', occurred_at: stored[0]?.occurred_at }] })).body
    .data.results
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
    ])
  await engine.transaction(async (session) => {
    await insertMany(session, 'insert into access_events (org, sequence, id, type, result, occurred_at, received_at, verdict)', rows)
    await session.run('update live_heads set sequence = $2, stored = $2 where org = $1', [ORG, MANY])
  })
})

const asked = async (query: string) => {
  const { status, body } = await owner.get(`${PATH}?limit=7&${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return { total: body.meta.pagination.total, sequences: body.data.map((row: Stored) => row.sequence) }
}

const expected = (fits: (row: Stored) => boolean, isDown: boolean, page = 1) => {
  const all = stored.filter(fits).map((row) => row.sequence)
  if (isDown) all.reverse()
  return { total: all.length, sequences: all.slice(7 * (page - 1), 7 * page) }
}

const at = (minute: number): string => new Date(START + minute * 60_000).toISOString()

describe('events of a time, among many', () => {
  it('are known by where they lie soon after somebody has asked for anything', async () => {
    await asked('')
    const filter = { field: 'occurred_at', operator: 'gte', operand: at(5000), value: '', negated: false } as const
    const look = () => stretchesOf(new OrgHandle(engine, ORG, house.clock.now()), [filter])
    const found = async () => (await look()).stretches
    await expect.poll(found, { timeout: 20_000 }).toMatchObject({ through: MANY })
    // However often it is asked, it is as many.
    const { total } = await look()
    const count = stored.filter((row) => row.occurred_at >= at(5000)).length
    expect([await total?.(), await total?.()]).toEqual([count, count])
    // The one from a clock that is ahead, and the rest from where they begin.
    expect((await found())?.list).toEqual([
      [1, 2000],
      [4001, MANY],
    ])
  }, 30_000)

  const random = (() => {
    let seed = 20_270_101
    return (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
  })()

  it.each(Array.from({ length: 24 }, (_, round) => round))('are those that fit, in either order, and counted: round %i', async (round) => {
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
  })

  it('are found by the moment itself, and up to one', async () => {
    const moment = at(12_345)
    expect(await asked(`occurred_at=eq.${moment}`)).toEqual(expected((row) => row.occurred_at === moment, false))
    expect(await asked(`occurred_at=lte.${moment}&order=sequence.desc`)).toEqual(expected((row) => row.occurred_at <= moment, true))
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
      expect(await asked(`${query}&type=eq.access.denied`)).toEqual(expected((row) => fits(row) && row.type === 'access.denied', true))
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
    ['type=neq.access.denied', false, (row: Stored) => row.type !== 'access.denied'],
    ['type=not.eq.access.denied', false, (row: Stored) => row.type !== 'access.denied'],
    ['or=(type.eq.access.denied,direction.eq.in)', false, (row: Stored) => row.type === 'access.denied'],
    ['type=eq.access.denied&direction=is.null', false, (row: Stored) => row.type === 'access.denied'],
  ])('%s: counted by what is known of whole stretches: %s', async (query, isKnown, fits) => {
    const { data } = (await owner.post(PATH, { type: 'access.denied', occurred_at: at(3) })).body
    stored.push(data)
    expect(await asked(query)).toEqual(expected(fits, false))
    const { filters } = parseListQuery(query, accessEvents.fields, EVERY_PARAMETER)
    const { total } = await stretchesOf(new OrgHandle(engine, ORG, house.clock.now()), filters)
    expect(await total?.()).toBe(isKnown ? expected(fits, false).total : undefined)
  })
})
