import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { searchTexts } from '../../src/db/rows.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { filtersIn } from '../../src/query/filters.ts'
import type { OrderTerm } from '../../src/query/order.ts'
import { EVERY_PARAMETER, parseListQuery } from '../../src/query/parse.ts'
import { lockingSystems } from '../../src/resources/locking-system/schema.ts'
import { actor, type Client, startHouse } from '../support/app.ts'
import { evaluate, type Row } from '../support/evaluate.ts'
import { Chance } from '../support/hostile.ts'

// As if it were a large table: on SQLite its pages are read in threads.
const house = await startHouse({ sqlite: { smallRows: 100 } })
const { owner, engine, clock } = house
const PATH = '/api/v1/locking-system'
const chance = new Chance(11)
const texts = ['a', 'A', 'b', 'Z', 'é', 'ß', ' ', '10', '9', '\ue000', '😀', '\uffff', 'aa', 'a b']
const nullable = <T>(value: T) => (chance.isOneIn(3) ? null : value)

function newRow(): Row {
  const created_at = new Date(Date.parse('2027-01-01') + chance.below(40) * 1000).toISOString()
  return {
    id: randomUUIDv7().replace(/^.{8}/, () => String(chance.below(10 ** 8)).padStart(8, '0')),
    external_id: null,
    created_at,
    updated_at: created_at,
    version: 1 + chance.below(3),
    name: chance.pick(texts),
    number: nullable(chance.pick(texts)),
    manufacturer: nullable(chance.pick(texts)),
    product: null,
    kind: chance.pick(['mechanical', 'mechatronic', 'electronic', 'mixed']),
    hierarchy: 'single',
    status: chance.pick(['planned', 'active', 'retired']),
    location_id: null,
    building_id: null,
    security_card_number: null,
    security_card_expires_on: nullable(chance.pick(['2027-01-01', '2028-02-29', '2030-12-31'])),
    installed_on: null,
    description: null,
  }
}

const rows = new Map<string, Row>()

/** Rows come, go and change in what no order here looks at. */
async function write(
  org: number,
  add: readonly Row[],
  remove: readonly string[],
  touch: readonly string[] = [],
): Promise<void> {
  await change(engine, org, clock.now(), actor, async (tx) => {
    for (const row of add) await tx.insert('locking_systems', { ...row, ...searchTexts(lockingSystems, row) })
    for (const id of remove) await tx.remove('locking_systems', id)
    for (const id of touch) await tx.update('locking_systems', id, { product: String(chance.below(1000)) })
    tx.record({ action: 'test.changed', resource: 'locking-system', resourceId: null, before: null, after: null })
  })
}

beforeAll(async () => {
  const made = Array.from({ length: 240 }, newRow)
  await write(1, made, [])
  for (const row of made) rows.set(String(row.id), row)
})

/** Every page from the first on, as the service leads on; `between` happens after each. */
async function walk(
  client: Client,
  query: string,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  for (let page = 1; cursor !== null; page++) {
    const { status, body, headers, text } = await client.get(`${PATH}?${query}&cursor=${cursor}`)
    expect(status, text).toBe(200)
    expect(Object.keys(body.meta.pagination)).toEqual(['limit', 'next_cursor'])
    cursor = body.meta.pagination.next_cursor
    const next = cursor === null ? undefined : `<${PATH}?${query}&cursor=${cursor}>; rel="next"`
    expect(headers.link).toBe(next)
    found.push(...body.data.map((row: { id: string }) => row.id))
    if (cursor !== null) await between(page)
  }
  return found
}

const sortable = [
  'name',
  'number',
  'manufacturer',
  'kind',
  'status',
  'version',
  'created_at',
  'id',
  'security_card_expires_on',
]
const term = (field: string): fc.Arbitrary<OrderTerm> =>
  fc.record({
    field: fc.constant(field),
    direction: fc.constantFrom('asc', 'desc'),
    nulls: fc.constantFrom('first', 'last'),
  })
const order = fc
  .uniqueArray(fc.constantFrom(...sortable), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map(term)))
const filter = fc.constantFrom(
  '',
  'number=not.is.null',
  'status=neq.retired',
  'or=(kind.eq.mixed,and(manufacturer.is.null,status.not.in.(retired,planned)))',
  'id=gt.50000000-0000-7000-8000-000000000000',
)
const print = (terms: readonly OrderTerm[]): string =>
  terms.length === 0
    ? ''
    : `order=${terms.map(({ field, direction, nulls }) => `${field}.${direction}.nulls${nulls}`).join(',')}&`

describe('a list read by cursor', () => {
  it('has every row that stays exactly once and in order, whatever the order and the filter, while others come and go', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(order, fc.constantFrom(7, 25, 100), filter, async (terms, limit, text) => {
        const { filters } = parseListQuery(text, lockingSystems.fields, EVERY_PARAMETER)
        const before = evaluate([...rows.values()], { filters, order: terms }, lockingSystems.fields).map((row) =>
          String(row.id),
        )
        const gone = new Set<string>()
        const added = new Set<string>()
        const found = await walk(owner, `${print(terms)}${text}${text && '&'}select=id&limit=${limit}`, async () => {
          const ids = [...rows.keys()]
          const remove = [...new Set([chance.pick(ids), chance.pick(ids)])]
          const add = [newRow(), newRow()]
          await write(1, add, remove, [chance.pick(ids.filter((id) => !remove.includes(id)))])
          for (const id of remove) {
            rows.delete(id)
            gone.add(id)
          }
          for (const row of add) {
            rows.set(String(row.id), row)
            added.add(String(row.id))
          }
        })
        expect(new Set(found).size).toBe(found.length)
        expect(found.filter((id) => !added.has(id) && !gone.has(id))).toEqual(before.filter((id) => !gone.has(id)))
        expect(filtersIn(filters).length === 0 || found.length < rows.size).toBe(true)
      }),
      { numRuns: 25, seed: 4711 },
    )
  })

  it('misses none of 5,000 that stayed while 50 are deleted and 50 added', { timeout: 120_000 }, async () => {
    const { key } = await createOrganization(engine, clock.now(), actor, 'Large')
    const reader = await house.member('Owner', {}, 'Large')
    const all = Array.from({ length: 5000 }, newRow)
    await write(key, all, [])
    const gone = new Set<string>()
    const found = await walk(reader, 'select=id&order=name&limit=100', async () => {
      const removed = String(all[chance.below(all.length)]?.id)
      await write(key, [newRow()], gone.has(removed) ? [] : [removed])
      gone.add(removed)
    })
    expect(new Set(found).size).toBe(found.length)
    const seen = new Set(found)
    expect(all.filter(({ id }) => !gone.has(String(id)) && !seen.has(String(id)))).toEqual([])
  })

  it('is refused with another query, by another organization, altered, or beside a page', async () => {
    const query = 'status=neq.retired&order=name&search=a&select=id,name&limit=5'
    const { next_cursor: cursor } = (await owner.get(`${PATH}?${query}&cursor=`)).body.meta.pagination
    const asked = async (text: string, client = owner) => {
      const { status, body } = await client.get(`${PATH}?${text}&cursor=${cursor}`)
      return [status, body.error?.reason]
    }
    expect(await asked(query)).toEqual([200, undefined])
    expect(await asked('limit=5&select=id,name&search=a&order=name&status=neq.retired')).toEqual([200, undefined])
    for (const [from, to] of [
      ['neq.retired', 'neq.active'],
      ['order=name', 'order=name.desc'],
      ['search=a', 'search=b'],
      ['id,name', 'id'],
      ['limit=5', 'limit=6'],
      ['&limit=5', ''],
    ] as const)
      expect(await asked(query.replace(from, to)), to).toEqual([400, 'cursor.other_query'])
    expect(await asked(`${query}&page=1`)).toEqual([400, 'cursor.with_page'])
    await createOrganization(engine, clock.now(), actor, 'Other')
    expect(await asked(query, await house.member('Owner', {}, 'Other'))).toEqual([400, 'cursor.invalid'])
    const end = cursor.at(-2) === 'A' ? 'BA' : 'AA'
    for (const altered of [`${cursor.slice(0, -2)}${end}`, 'x', cursor.slice(3), `${cursor}a`])
      expect((await owner.get(`${PATH}?${query}&cursor=${altered}`)).body.error.reason, altered).toBe('cursor.invalid')
  })

  it('tells nothing by its text of what stands in the rows', async () => {
    const { next_cursor } = (await owner.get(`${PATH}?order=kind&select=id&limit=5&cursor=`)).body.meta.pagination
    const decoded = Buffer.from(String(next_cursor).split('.').at(-1) ?? '', 'base64url').toString('latin1')
    for (const kind of ['mechanical', 'mechatronic', 'electronic', 'mixed']) expect(decoded).not.toContain(kind)
  })

  it('in an order whose values no address could carry is refused at once', async () => {
    const answer = await owner.get(`${PATH}?order=description&cursor=`)
    expect([answer.status, answer.body.error.reason]).toEqual([400, 'cursor.order'])
    expect((await owner.get(`${PATH}?order=description`)).status).toBe(200)
  })

  it('is offered by every list of Shape A, and by no other', async () => {
    const lists = house.app.routeTable.filter(({ doc, method }) => doc?.list && method === 'GET')
    for (const { url, doc } of lists)
      expect([url, doc?.list?.offered.has('cursor')]).toEqual([url, doc?.list?.shape === 'A'])
    expect((await owner.get('/v1/core/locking-system?cursor=')).body.error.reason).toBe('param.unknown')
    expect((await owner.get('/api/v1/spaces?cursor=')).body.error.reason).toBe('param.unknown')
  })
})

describe('a list that is worked out', () => {
  it('is read by cursor too, by what is decided as by what is stored', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Room', building_id: building.id })
    const system = await owner.create('/api/v1/access-control-systems', { name: 'System', kind: 'virtual' })
    const door = await owner.create('/api/v1/access-points', {
      ...{ name: 'Door', kind: 'door', space_id: space.id, access_control_system_id: system.id },
    })
    for (let i = 0; i < 7; i++) {
      const person = await owner.create('/api/v1/individuals', {
        given_name: 'P',
        family_name: `N${i % 3}`,
        kind: i % 2 ? 'visitor' : 'employee',
      })
      await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    }
    const path = `/api/v1/access-points/${door.id}/who-can-open`
    for (const query of [
      'limit=3',
      'limit=3&order=kind.desc',
      'limit=2&order=allowed,display_name.desc',
      'limit=3&order=next_allowed_at',
    ]) {
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, body, text } = await owner.get(`${path}?${query}&cursor=${cursor}`)
        expect(status, text).toBe(200)
        found.push(...body.data.map((row: { individual_id: string }) => row.individual_id))
        cursor = body.meta.pagination.next_cursor
      }
      const whole = (await owner.get(`${path}?${query.replace(/limit=\d/, 'limit=100')}`)).body.data
      expect(found).toEqual(whole.map((row: { individual_id: string }) => row.individual_id))
      expect(found).toHaveLength(7)
    }
  })
})

describe('the ETag of a list', () => {
  it('is the same while the list is, and another after every change of it', async () => {
    const url = `${PATH}?order=name&limit=3&cursor=`
    const first = await owner.get(url)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"list-[\w-]{20}"$/)
    const again = await owner.get(url, { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    // In a process that has answered nothing yet, too.
    const other = await house.neighbour()
    expect((await house.client(owner.token, other).get(url)).headers.etag).toBe(etag)
    const [{ id }] = first.body.data
    await owner.patch(`${PATH}/${id}`, { product: 'changed' })
    const changed = await owner.get(url, { 'if-none-match': etag })
    expect([changed.status, changed.body.data[0].product]).toEqual([200, 'changed'])
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('is another when the clock alone changes what the list says', async () => {
    const person = await owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'L' })
    const until = new Date(Date.parse(clock.now()) + 60_000).toISOString()
    const number = { type: 'card', number: '4711', individual_id: person.id, valid_until: until }
    await owner.create('/api/v1/credentials', number)
    const url = '/api/v1/credentials?select=status_type'
    const before = await owner.get(url)
    expect((await owner.get(url, { 'if-none-match': String(before.headers.etag) })).status).toBe(304)
    clock.forward(60_000)
    const after = await owner.get(url, { 'if-none-match': String(before.headers.etag) })
    expect([after.status, before.body.data[0].status_type, after.body.data[0].status_type]).toEqual([
      200,
      'active',
      'expired',
    ])
  })
})
