import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { boolean, integer, json, text, timestamp, uuid } from '../../src/core/fields.ts'
import { Type } from '../../src/core/schema.ts'
import { inColumns } from '../../src/db/lists/search.ts'
import { defineResource } from '../../src/db/resource.ts'
import { listRoute } from '../../src/http/list-route.ts'
import { itemSchema } from '../../src/http/schemas.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, type Client, startHouse } from '../support/app.ts'

/** The cases of the list grammar, through HTTP, with a resource that has the fixture's fields. */
interface Case {
  name: string
  endpoint: 'locking-system' | 'spaces' | 'shape-a'
  fixture?: 'main' | 'n42' | 'empty'
  query: string
  expect: {
    status: number
    keys?: string[]
    walk?: string[][]
    count?: number
    pagination?: Record<string, number>
    meta?: Record<string, unknown>
    fields?: string[]
    link?: Record<string, string> | null
    error_code?: string
    param?: string
    reason?: string
  }
}
interface FixtureRow {
  key: string
  fields: {
    id: string
    name: string
    label: string | null
    floor: number | null
    active: boolean | null
    tags: string[]
    created_at: string
  }
}
const { cases, fixture } = JSON.parse(readFileSync(new URL('./query-cases.json', import.meta.url), 'utf8')) as {
  cases: Case[]
  fixture: { main: FixtureRow[] }
}

const things = defineResource({
  noun: 'things',
  table: 'query_fixture',
  singular: 'thing',
  plural: 'things',
  description: 'The fixture.',
  fields: {
    id: uuid().readOnly(),
    name: text(200),
    label: text(200).nullable(),
    floor: integer(-1000, 1000).nullable(),
    active: boolean().nullable(),
    tags: json(Type.Array(Type.String())),
    created_at: timestamp().readOnly(),
  },
  search: [],
  searchAlso: inColumns('name'),
})

const doc = (operationId: string) => ({
  tag: 'things',
  operationId,
  summary: 'List',
  description: 'Things.',
  success: { status: 200 as const, name: 'Thing', schema: itemSchema(things) },
})
const house = await startHouse({
  resources: [things],
  prepare(app) {
    listRoute(app, '/api/v1/test/things', things, { permission: 'spaces:read', doc: doc('listThings') })
    listRoute(app, '/v1/core/test-things', things, {
      permission: 'spaces:read',
      shape: 'B',
      offered: new Set(['page', 'limit', 'order']),
      doc: doc('listCoreThings'),
    })
  },
  async schema(engine) {
    const isPostgres = engine.dialect.name === 'postgres'
    await engine.transaction((session) =>
      session.script(
        isPostgres
          ? 'create table query_fixture (org integer, id uuid, name text collate "C", label text collate "C", floor ' +
              'integer, active boolean, tags jsonb, created_at timestamptz(3))'
          : 'create table query_fixture (org integer, id text, name text, label text, floor integer, active integer, ' +
              'tags text, created_at text)',
      ),
    )
  },
})

const clients = {} as Record<'main' | 'n42' | 'empty', Client>
// A case may select a row's name without its id.
const keyOf = new Map(
  fixture.main.flatMap((row) => [
    [row.fields.name, row.key],
    [row.fields.id, row.key],
  ]),
)

beforeAll(async () => {
  const add = async (org: number, row: FixtureRow['fields']) =>
    house.engine.transaction((session) =>
      session.run(
        'insert into query_fixture (org, id, name, label, floor, active, tags, created_at) values ($1, $2, $3, $4, ' +
          '$5, $6, $7, $8)',
        [
          org,
          row.id,
          row.name,
          row.label,
          row.floor,
          row.active,
          JSON.stringify(row.tags),
          new Date(row.created_at).toISOString(),
        ],
      ),
    )
  for (const name of ['main', 'n42', 'empty'] as const) {
    const { key } = await createOrganization(house.engine, house.clock.now(), actor, name)
    clients[name] = await house.member('Owner', {}, name)
    if (name === 'main') for (const { fields } of fixture.main) await add(key, fields)
    if (name !== 'n42') continue
    const location = await clients.n42.create('/api/v1/locations', { name: 'Site' })
    const building = await clients.n42.create('/api/v1/buildings', { name: 'House', location_id: location.id })
    for (let i = 1; i <= 42; i++) {
      const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
      await add(key, {
        id,
        name: `n${i}`,
        label: null,
        floor: i,
        active: true,
        tags: [],
        created_at: new Date(Date.UTC(2024, 0, i)).toISOString(),
      })
      await clients.n42.create('/api/v1/spaces', { name: `Space ${i}`, building_id: building.id })
    }
  }
})

const paths = { 'locking-system': '/v1/core/test-things', spaces: '/api/v1/spaces', 'shape-a': '/api/v1/test/things' }

function linksOf(header: unknown): Record<string, string> | null {
  if (header === undefined) return null
  const links = [...String(header).matchAll(/<[^?>]*\?([^>]*)>; rel="(\w+)"/g)]
  return Object.fromEntries(links.map(([, query = '', rel = '']) => [rel, query]))
}

describe('conformance', () => {
  it('holds all 162 cases', () => expect(cases).toHaveLength(162))

  it.each(cases)('$name', async ({ endpoint, fixture: which, query, expect: expected }) => {
    const client = expected.status === 401 ? house.anonymous : clients[which ?? 'main']
    const isLong = (expected.keys?.length ?? 0) > 10 && !/(^|&)limit=/.test(query)
    const full = isLong ? `${query}${query ? '&' : ''}limit=100` : query
    const answer = await client.get(`${paths[endpoint]}?${full}`)
    expect(answer.status, answer.text).toBe(expected.status)
    const keysIn = (data: Array<{ id?: string; name?: string }>) =>
      data.map((row) => keyOf.get(row.id ?? row.name ?? ''))
    if (expected.keys && !expected.fields) expect(keysIn(answer.body.data)).toEqual(expected.keys)
    if (expected.count !== undefined) expect(answer.body.data).toHaveLength(expected.count)
    if (expected.pagination) expect(answer.body.meta.pagination).toEqual(expected.pagination)
    if (expected.meta) expect(answer.body.meta).toMatchObject(expected.meta)
    if (expected.fields) for (const row of answer.body.data) expect(Object.keys(row)).toEqual(expected.fields)
    if (expected.link !== undefined) expect(linksOf(answer.headers.link)).toEqual(expected.link)
    if (expected.error_code) expect(answer.body.error.code).toBe(expected.error_code)
    if (expected.param) expect(answer.body.msg).toContain(expected.param)
    if (expected.reason) expect(answer.body.error.reason).toBe(expected.reason)
    for (const [index, keys] of (expected.walk ?? []).entries()) {
      expect(keysIn((await client.get(`${paths[endpoint]}?${query}&page=${index + 1}`)).body.data)).toEqual(keys)
    }
  })
})
