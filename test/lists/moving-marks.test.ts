import { beforeAll, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { metricsOf } from '../../src/db/metrics.ts'
import { searchTexts } from '../../src/db/rows.ts'
import { lockingSystems } from '../../src/resources/locking-system/schema.ts'
import { actor, startHouse } from '../support/app.ts'

const ROWS = 600
// As if it were a large table.
const house = await startHouse({ sqlite: { smallRows: 100 } })
const { owner, engine, clock } = house
const PATH = '/api/v1/locking-system'
const nameOf = (n: number) => `Plan ${String(n).padStart(4, '0')}`
const idOf = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`

function rowOf(n: number, name: string) {
  const now = clock.now()
  const common = { id: idOf(n), created_at: now, updated_at: now, version: 1, hierarchy: 'single', status: 'active' }
  const row = { ...common, name, kind: n % 2 === 0 ? 'mechanical' : 'electronic' }
  return { ...row, ...searchTexts(lockingSystems, row) }
}

beforeAll(async () => {
  await change(engine, 1, clock.now(), actor, async (tx) => {
    for (let n = 0; n < ROWS; n++) await tx.insert('locking_systems', rowOf(n, nameOf(2 * n)))
    tx.record({ action: 'test.filled', resource: 'locking_systems', resourceId: null, before: null, after: null })
  })
})

const walks = () =>
  metricsOf(engine)
    .watched.find(({ name, labels }) => name === 'gatehouse_cache_misses_total' && labels.cache === 'marks')
    ?.read() ?? 0

interface List {
  query: string
  /** The same of the database. */
  where?: string
  order?: string
}
const lists: List[] = [
  { query: 'order=name' },
  { query: 'order=name.desc,id.desc', order: 'desc' },
  { query: 'order=name&kind=neq.mixed', where: "and kind <> 'mixed'" },
]

/** All pages, and the same rows as they stand in the database. */
async function pagesOf({ query, where = '', order = 'asc' }: List): Promise<[string[], string[]]> {
  const pages: string[] = []
  for (let page = 1; page <= 7; page++) {
    const { body } = await owner.get(`${PATH}?${query}&limit=100&page=${page}`)
    pages.push(...(body.data as Array<{ name: string }>).map(({ name }) => name))
  }
  const rows = await engine.reader.all<{ name: string }>(
    `select name from locking_systems where org = 1 ${where} order by name ${order}`,
    [],
  )
  return [pages, rows.map(({ name }) => name)]
}

it('a deep page after a row came, went or moved is right, and the list is not walked again', async () => {
  for (const list of lists) await pagesOf(list)
  const before = walks()
  expect(before).toBeGreaterThan(1)
  const steps = [
    () => owner.create(PATH, { name: nameOf(3), kind: 'mechanical' }),
    () => owner.create(PATH, { name: nameOf(2 * ROWS + 1), kind: 'mechanical' }),
    () => owner.delete(`${PATH}/${idOf(100)}`),
    () => owner.patch(`${PATH}/${idOf(7)}`, { name: nameOf(1001) }),
    () => owner.patch(`${PATH}/${idOf(200)}`, { kind: 'mixed' }),
    () => owner.patch(`${PATH}/${idOf(201)}`, { description: 'Nothing that sorts' }),
  ]
  for (const step of steps) {
    await step()
    for (const list of lists) {
      const [pages, whole] = await pagesOf(list)
      expect(pages).toEqual(whole)
    }
  }
  expect(walks()).toBe(before)
})

it('rows that are made and written again, or taken back, in one change are where they are then', async () => {
  for (const list of lists) await pagesOf(list)
  const rows = [ROWS + 1, ROWS + 2].map((n) => rowOf(n, nameOf(n)))
  await change(engine, 1, clock.now(), actor, async (tx) => {
    await tx.insertAll('locking_systems', rows)
    await tx.update('locking_systems', idOf(ROWS + 1), { name: nameOf(5) })
    await tx.remove('locking_systems', idOf(ROWS + 2))
    tx.record({ action: 'test.filled', resource: 'locking_systems', resourceId: null, before: null, after: null })
  })
  for (const list of lists) {
    const [pages, whole] = await pagesOf(list)
    expect(pages).toEqual(whole)
  }
})

it('what is refused or tried moves nothing', async () => {
  const [list = { query: '' }] = lists
  await pagesOf(list)
  await owner.post(`${PATH}?dry_run=true`, { name: nameOf(1), kind: 'mechanical' })
  await owner.post(PATH, { name: nameOf(1), kind: 'no such kind' })
  const [pages, whole] = await pagesOf(list)
  expect(pages).toEqual(whole)
})
