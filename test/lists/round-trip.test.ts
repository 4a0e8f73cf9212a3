import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Writable } from '../../src/http/writes/writable.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, type Client, startHouse } from '../support/app.ts'
import { populate } from '../support/population.ts'
import type { Ids } from '../support/route-requests.ts'
import { uploadTo } from '../support/upload.ts'
import { csvRows, readByOpenpyxl, xlsxRows } from './files.ts'

// Some thirty files, each read in a thread of its own, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })

/** Made from what is written and listed: a resource that is added is covered here without a line being written. */
const house = await startHouse()
const { app, clock, engine, owner } = house
/** Items of each resource; the second has what is hard to carry, and refers to the first. */
const ITEMS = 2
const importable = [...app.writables.values()].filter(({ isShownOnce }) => !isShownOnce)

/** What a spreadsheet would spoil. */
const texts = [
  '007',
  '=1+1',
  'Zürich "Süd"; Ω',
  "'=led",
  '+41 44',
  '1e5',
  '2027-01-02',
  'TRUE',
  '@SUM(A1)',
  '_x0041_',
  'ä,ö',
]
const values: Record<string, (nth: number) => unknown> = {
  string: (nth) => texts[nth % texts.length],
  timestamp: (nth) => (nth % 2 ? '2027-03-28T01:30:00.000Z' : '2027-10-31T23:00:00.000Z'),
  date: () => '2028-02-29',
  integer: (nth) => 1 + nth,
  number: (nth) => 0.5 + nth,
  boolean: () => true,
}

const referenced = ({ resource }: Writable): string[] =>
  Object.values(resource.fields).flatMap(({ spec }) => (spec.isStored && spec.references ? [spec.references] : []))

/** What is referred to comes before what refers to it. */
function inOrder(left: readonly Writable[]): Writable[] {
  if (left.length === 0) return []
  const tables = new Set(left.map(({ resource }) => resource.table))
  const next = left.filter((one) =>
    referenced(one).every((table) => table === one.resource.table || !tables.has(table)),
  )
  if (next.length === 0) throw new Error(`${[...tables]} refer to each other`)
  return [...next, ...inOrder(left.filter((one) => !next.includes(one)))]
}

/** Where what is changed within something else is changed. */
const within: Record<string, (ids: Ids) => string> = {
  'access-group-members': ({ access_groups }) => `access-groups/${access_groups}/members`,
  'floor-plan-positions': ({ floor_plans }) => `floor-plans/${floor_plans}/positions`,
}

const ordered = inOrder(importable)
const pathOf = ({ resource }: Writable) =>
  resource.noun === 'spaces' ? '/api/v1/spaces/records' : `/api/v1/${resource.noun}`
const settable = ({ resource, bodies }: Writable) =>
  Object.keys(bodies.upsert.made.properties ?? {}).filter((name) => resource.fields[name]?.spec.mode !== 'wo')

/** Each item by its own key, and what it refers to by theirs: our ids are other ones elsewhere. */
function keyed(writable: Writable): string {
  const { fields } = writable.resource
  const columns = settable(writable).map((name) => {
    const bare = name.replace(/_id$/, '')
    if (!fields[name]?.spec.references) return name
    // A space tells its building by the names of those above it, too.
    return bare in fields ? bare : `${bare}(external_id)`
  })
  return `select=${columns.join(',')}&external_id=like.set-*&order=external_id`
}

async function fileOf(client: Client, writable: Writable, query: string, format: string): Promise<Buffer> {
  const url = `${pathOf(writable)}?${query}&format=${format}`
  const { statusCode, rawPayload, body } = await app.inject({
    url,
    headers: { authorization: `Token ${client.token}` },
  })
  expect(statusCode, body).toBe(200)
  return rawPayload
}

async function takeIn(client: Client, { resource }: Writable, file: Buffer, format: string): Promise<unknown[]> {
  const { status, body } = await uploadTo(app, client, {
    file,
    name: `file.${format}`,
    fields: { resource: resource.noun },
    isLoggedIn: true,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const { created, changed, unchanged, errors } = body.data
  return [created, changed, unchanged, errors]
}

const rowsOf = async (file: Buffer, format: string) =>
  (format === 'csv' ? csvRows(file.toString()) : await xlsxRows(file)).rows

/** Puts into every field what is hard to carry, where the resource takes it. Gives how many it took. */
async function spoil(writable: Writable, ids: Ids, before: Ids): Promise<number> {
  const { table, noun, fields } = writable.resource
  const path = within[noun]?.(ids) ?? noun
  let taken = 0
  for (const [index, name] of settable(writable).entries()) {
    const spec = fields[name]?.spec
    if (spec?.mode !== 'rw' || spec.values || name === 'external_id' || (spec.references && spec.references !== table))
      continue
    const value = spec.references ? before[table] : values[spec.type]?.(index)
    if (value === undefined) continue
    if ((await owner.patch(`/api/v1/${path}/${ids[table]}`, { [name]: value })).status === 200) taken += 1
  }
  return taken
}

/** A key that somebody holds is taken in by its entry in the register; until then it is in stock. */
async function stockKeys(there: Client): Promise<void> {
  for (const { external_id } of (await owner.get('/api/v1/keys?external_id=like.issued-*')).body.data) {
    const type = await there.get(`/api/v1/key-types/by-external-id/${external_id.replace('issued', 'set')}`)
    await there.create('/api/v1/keys', {
      key_type_id: type.body.data.id,
      number: 'issued',
      status: 'in_stock',
      external_id,
    })
  }
}

/**
 * A visit tells its places by our ids, several in a cell: whoever moves it names them by their keys. Whom an issuer
 * means by a subject is said once in a service.
 */
const stays = new Set(['visits', 'external-identities'])

let taken = 0
beforeAll(async () => {
  const [first, second] = [await populate(house, owner, 'A'), await populate(house, owner, 'B')]
  for (const writable of importable) taken += await spoil(writable, second, first)
  for (const format of ['csv', 'xlsx']) await createOrganization(engine, clock.now(), actor, format, 'Europe/Zurich')
}, 120_000)

describe('what is exported', () => {
  it('holds what is hard to carry', () => expect(taken).toBeGreaterThan(50))

  it.each(['csv', 'xlsx'])(
    'as %s and imported into an empty organization is the same there, for every resource',
    async (format) => {
      const there = await house.member('Owner', {}, format)
      for (const writable of ordered.filter(({ resource }) => !stays.has(resource.noun))) {
        const { noun } = writable.resource
        if (noun === 'key-handovers') await stockKeys(there)
        const file = await fileOf(owner, writable, keyed(writable), format)
        expect([noun, ...(await takeIn(there, writable, file, format))]).toEqual([noun, ITEMS, 0, 0, []])
        const rows = await rowsOf(file, format)
        expect(rows).toHaveLength(ITEMS)
        expect(await rowsOf(await fileOf(there, writable, keyed(writable), format), format)).toEqual(rows)
      }
    },
  )

  it('whole, and comes back as it went, changes nothing', async () => {
    for (const writable of ordered) {
      const file = await fileOf(owner, writable, 'external_id=like.set-*', 'csv')
      expect([writable.resource.noun, ...(await takeIn(owner, writable, file, 'csv'))]).toEqual([
        writable.resource.noun,
        0,
        0,
        ITEMS,
        [],
      ])
    }
  })

  it('reads the same in another reader, here and there', async (context) => {
    const there = await house.member('Owner', {}, 'xlsx')
    const individuals = ordered.find(({ resource }) => resource.table === 'individuals') as Writable
    const [here, moved] = await Promise.all(
      [owner, there].map(async (client) =>
        readByOpenpyxl(await fileOf(client, individuals, keyed(individuals), 'xlsx')),
      ),
    )
    if (!here) return context.skip('python3-openpyxl is not installed: nobody but ourselves has read the file')
    expect(moved).toEqual(here)
    expect(here[0]?.rows).toHaveLength(1 + ITEMS)
  })
})
