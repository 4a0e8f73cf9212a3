import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linkHeader, metaA, metaB, metaC } from '../../src/query/meta.ts'
import { booleanParameter, uuidListParameter, uuidParameter } from '../../src/query/parameters.ts'
import { type ListParameter, type ListQuery, parseListQuery } from '../../src/query/parse.ts'
import { readableNames } from '../../src/query/readable.ts'
import type { Row } from '../support/evaluate.ts'
import { caseFields, everything, faultOf, idsOf, openTable } from './fixture.ts'

interface Case {
  name: string
  endpoint: 'locking-system' | 'spaces' | 'shape-a'
  fixture?: string
  query: string
  expect: {
    status: number
    param?: string
    reason?: string
    keys?: string[]
    walk?: string[][]
    fields?: string[]
    count?: number
    pagination?: Record<string, number>
    meta?: Record<string, unknown>
    link?: Record<string, string> | null
  }
}
const { fixture, cases } = JSON.parse(
  readFileSync(new URL('../conformance/query-cases.json', import.meta.url), 'utf8'),
) as {
  fixture: { main: { key: string; fields: Row }[] }
  cases: Case[]
}

const offered: Record<Case['endpoint'], ReadonlySet<ListParameter>> = {
  'locking-system': new Set(['page', 'limit', 'order']),
  spaces: new Set(['page', 'limit', 'search']),
  'shape-a': everything,
}
const spacesParameters = {
  location_id: uuidParameter,
  building_id: uuidParameter,
  space_ids: uuidListParameter,
  is_include_others: booleanParameter,
}
const parse = ({ endpoint, query }: Pick<Case, 'endpoint' | 'query'>): ListQuery =>
  parseListQuery(query, caseFields, offered[endpoint], endpoint === 'spaces' ? spacesParameters : {})

// Stored timestamps have milliseconds.
const stored = fixture.main.map(({ fields }) => ({
  ...fields,
  tags: null,
  created_at: String(fields.created_at).replace('Z', '.000Z'),
}))
const db = openTable(stored)
const keyOf = new Map(fixture.main.map(({ key, fields }) => [fields.id, key]))
const keysOf = (query: ListQuery) => idsOf(db, query).map((id) => keyOf.get(id))
const totals: Record<string, number> = { n42: 42, empty: 0 }

describe('the conformance cases', () => {
  // Who is asked first, the credential or the query, is decided over HTTP.
  it.each(cases.filter(({ expect: { status } }) => status !== 401))('$endpoint: $name', (example) => {
    const expected = example.expect
    if (expected.status === 400) {
      const fault = faultOf(() => parse(example))
      expect(fault.reason).toBe(expected.reason)
      expect(fault.message).toContain(expected.param)
      expect(fault.details?.[0]?.path).toBe(expected.param)
      return
    }
    const query = parse(example)
    if (expected.keys)
      expect(keysOf(example.query.includes('limit') ? query : { ...query, limit: 100 })).toEqual(expected.keys)
    for (const [index, keys] of (expected.walk ?? []).entries())
      expect(keysOf({ ...query, page: index + 1 })).toEqual(keys)
    if (expected.fields) expect(query.select ?? readableNames(caseFields)).toEqual(expected.fields)

    const total = totals[example.fixture ?? ''] ?? fixture.main.length
    const count = Math.max(0, Math.min(query.limit, total - (query.page - 1) * query.limit))
    if (expected.count !== undefined) expect(count).toBe(expected.count)
    const meta = {
      'shape-a': metaA(query, caseFields, { total }),
      'locking-system': metaB(query, count, total),
      spaces: metaC(query, count, total),
    }
    if (expected.pagination) expect(meta[example.endpoint].pagination).toEqual(expected.pagination)
    if (expected.meta) expect(meta['shape-a']).toMatchObject(expected.meta)
    if (expected.link !== undefined)
      expect(linksOf(linkHeader('/list', example.query, query, { total }))).toEqual(expected.link)
  })
})

function linksOf(header: string | undefined): Record<string, string> | null {
  if (header === undefined) return null
  return Object.fromEntries(
    Array.from(header.matchAll(/<\/list\?([^>]*)>; rel="(\w+)"/g), ([, query, rel]) => [rel, query]),
  )
}
