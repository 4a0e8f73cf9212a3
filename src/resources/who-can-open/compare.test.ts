import { expect, it } from 'vitest'
import { turnsInSlowSteps } from '../../../test/support/loop-turns.ts'
import type { Listing } from '../../access/lists/listing.ts'
import type { Settings } from '../../access/settings.ts'
import { listRecords } from '../../db/lists/list-records.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import { compare } from './compare.ts'
import { openerChanges } from './schema.ts'

const COUNT = 1200
const people = Array.from({ length: COUNT }, (_, n) => ({ individual_id: `${n}` }))
const settingsOf = (rows: readonly object[]) =>
  ({
    handle: { all: async () => rows.map((row) => ({ ...row })) },
    from: () => raw('individuals t'),
  }) as unknown as Settings
const judged: number[] = []
const listing = {
  columns: { individual_id: 'id' },
  table: 'individuals',
  candidates: async () => ({ condition: sql`true`, isFew: false }),
  judge: async (_settings: Settings, _at: string, rows: Array<Record<string, unknown>>) => {
    judged.push(rows.length)
    for (const row of rows) row.allowed = true
  },
} as unknown as Listing

it('many who may open a door are compared, and put in order, in turns with others', async () => {
  const [before, after] = [people.slice(0, 600), people.slice(300)].map((rows) => ({
    settings: settingsOf(rows),
    at: '',
  }))
  if (!before || !after) throw new Error('there are two')
  const [changed, turns] = await turnsInSlowSteps(() => compare(listing, before, after, null))
  expect(changed.map(({ individual_id, change }) => `${individual_id} ${change}`)).toEqual([
    ...people.slice(0, 300).map(({ individual_id }) => `${individual_id} lost`),
    ...people.slice(600).map(({ individual_id }) => `${individual_id} gained`),
  ])
  expect(turns).toBeGreaterThanOrEqual(2 * COUNT)
  expect(Math.max(...judged)).toBeLessThanOrEqual(250)
  const asked: unknown[] = []
  const handle = {
    dialect: { name: 'sqlite', records: () => sql`(select 1) t` },
    query: async (_text: string, _values: unknown[], extent: unknown) => {
      asked.push(extent)
      return []
    },
  } as unknown as OrgHandle
  const query = { page: 1, limit: 10, order: [], filters: [] }
  const [, more] = await turnsInSlowSteps(() => listRecords(handle, openerChanges, query, people))
  expect(more).toBeGreaterThanOrEqual(COUNT)
  await listRecords(handle, openerChanges, query, people.slice(0, 10))
  // Where that takes longer, it does not hold up the event loop.
  expect(asked).toEqual(['all', undefined])
})
