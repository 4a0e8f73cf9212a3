import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { searchTexts } from '../../src/db/rows.ts'
import type { RouteEntry } from '../../src/http/context.ts'
import { formats } from '../../src/http/lists/formats.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { lockingSystems } from '../../src/resources/locking-system/schema.ts'
import { actor, type Client, startHouse } from '../support/app.ts'
import { memberWith } from '../support/role.ts'
import { addressOf, parametersOf } from '../support/route-requests.ts'
import { HIDDEN, makeTwoPlaces, OUTSIDE, type TwoPlaces } from '../support/two-places.ts'
import { cellText, csvRows, readByOpenpyxl, xlsxRows } from './files.ts'

const house = await startHouse()
const { app, owner, clock, engine } = house
const lists = app.routeTable.filter(({ method, doc }) => method === 'GET' && doc?.list?.isExported)
const PATH = '/api/v1/locking-system'

let world: TwoPlaces
const clients = {} as Record<'everything' | 'a location' | 'a building', Client>
beforeAll(async () => {
  world = await makeTwoPlaces(house)
  clients.everything = house.loggedIn(owner.token)
  clients['a location'] = house.loggedIn(
    (await house.member('Owner', { location_id: world.here.locations as string })).token,
  )
  clients['a building'] = house.loggedIn(
    (await house.member('Owner', { building_id: world.here.buildings as string })).token,
  )
}, 120_000)

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const places = ['everything', 'a location', 'a building'] as const
type Place = (typeof places)[number]

const bytesOf = async (client: Client, url: string): Promise<Buffer> => {
  const { rawPayload, statusCode, body } = await app.inject({
    url,
    headers: { 'x-test-session': `Token ${client.token}` },
  })
  expect(statusCode, body).toBe(200)
  return rawPayload
}

const at = (route: RouteEntry): string =>
  addressOf(
    route.url,
    Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, world.here[table] ?? randomUUID()])),
  )

/** What happens because somebody asks is not the same the second time. */
const isStill = ({ url }: RouteEntry) => !/audit-log|sessions/.test(url)

/** Schedules and calendars have no place: who may read any reads all. */
const isShared = ({ url }: RouteEntry) => /^\/api\/v1\/(schedules|calendars)\b/.test(url)

describe('a file', () => {
  it('is offered by every list of Shape A', () => {
    const all = app.routeTable
      .filter(({ method, doc }) => method === 'GET' && doc?.list?.shape === 'A')
      .map(({ url }) => url)
    expect(lists.map(({ url }) => url)).toEqual(all)
  })

  it.each(lists.filter(isStill).flatMap((route) => places.map((who) => [route.url, who, route] as const)))(
    'of %s for an Owner of %s has what the list has, in each format',
    async (_url, who: Place, route) => {
      const client = clients[who]
      const path = at(route)
      const list = await client.get(`${path}?limit=100`)
      if (list.status !== 200) {
        expect((await client.get(`${path}?format=csv`)).status).toBe(list.status)
        return
      }
      const { data, meta } = list.body
      const ndjson = await client.get(`${path}?format=ndjson`)
      expect(linesOf(ndjson.text)).toEqual(data)
      const csv = await client.get(path, { accept: 'text/csv' })
      const { names, rows } = csvRows(csv.text)
      expect(names).toEqual(meta.select)
      const shown = (row: Record<string, unknown>) =>
        Object.fromEntries(names.map((name) => [name, cellText(row[name])]))
      expect(rows).toEqual(data.map(shown))
      const book = await xlsxRows(await bytesOf(client, `${path}?format=xlsx`))
      expect(book.names).toEqual(meta.select)
      expect(book.rows.map(shown)).toEqual(data.map(shown))
      const limits = ((meta.limited_to ?? []) as { location_id: string | null; building_id: string | null }[]).map(
        (place) =>
          place.location_id === null ? `building_id=${place.building_id}` : `location_id=${place.location_id}`,
      )
      for (const { headers } of [ndjson, csv]) {
        expect(headers['limited-to']).toBe(meta.limited_to && limits.join(', '))
        expect(/-limited\.\w+"$/.test(String(headers['content-disposition']))).toBe(meta.limited_to !== undefined)
      }
      if (who === 'everything' || isShared(route)) return
      for (const text of [ndjson.text, csv.text]) for (const mark of [OUTSIDE, HIDDEN]) expect(text).not.toContain(mark)
    },
  )

  it('has the columns of select, those of what is referred to under both names, and what filter, search and order leave', async () => {
    const query = 'select=number,key_type(code),status&order=number.desc&or=(status.eq.in_stock,status.eq.issued)'
    const { data } = (await owner.get(`/api/v1/keys?${query}`)).body
    const { names, rows } = csvRows((await owner.get(`/api/v1/keys?${query}&format=csv`)).text)
    expect(names).toEqual(['number', 'key_type.code', 'status'])
    expect(rows).toEqual(
      data.map((key: { number: string; key_type: { code: string }; status: string }) => ({
        number: key.number,
        'key_type.code': key.key_type.code,
        status: key.status,
      })),
    )
    expect(rows.length).toBeGreaterThan(2)
    const found = csvRows((await owner.get('/api/v1/individuals?format=csv&search=lovelace&select=family_name')).text)
    expect(new Set(found.rows.map(({ family_name }) => family_name))).toEqual(new Set(['Lovelace']))
  })

  it('is 400 with a page, a limit or a cursor, and with another format', async () => {
    for (const query of ['format=csv&page=1', 'limit=5&format=csv', 'format=csv&cursor='])
      expect((await owner.get(`${PATH}?${query}`)).body.error.reason, query).toBe('export.paged')
    expect((await owner.get(`${PATH}?limit=5`, { accept: 'text/csv' })).body.error.reason).toBe('export.paged')
    for (const format of ['pdf', 'CSV', ''])
      expect((await owner.get(`${PATH}?format=${format}`)).body.error.reason, format).toBe('param.not_offered')
    expect((await owner.get(`${PATH}?format=csv&format=xlsx`)).body.error.reason).toBe('param.repeated')
    expect((await owner.get(`${PATH}/summary?format=csv`)).status).toBe(400)
  })

  it('leaves a field that is called format to be filtered by', async () => {
    const person = world.here.individuals
    await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '99001',
      format: 'wiegand-26',
      individual_id: person,
    })
    expect((await owner.get('/api/v1/credentials?format=eq.wiegand-26')).body.data).toHaveLength(1)
    const { rows } = csvRows(
      (await owner.get('/api/v1/credentials?format=eq.wiegand-26&format=csv&select=number,format')).text,
    )
    expect(rows).toEqual([{ number: '99001', format: 'wiegand-26' }])
  })

  it('is on the record before its first line is sent, with what was asked for; asking for the headers alone is not', async () => {
    const url = '/api/v1/keys?format=csv&status=eq.lost'
    const answer = await owner.get(url)
    const last = async () =>
      (await owner.get('/api/v1/audit-log?action=eq.keys.exported&order=sequence.desc&limit=1')).body
    expect((await last()).data).toMatchObject([
      {
        ...{ resource: 'keys', resource_id: null, req_id: answer.headers['x-request-id'], before: null },
        after: { format: 'csv', parameters: [['status', 'eq.lost']] },
      },
    ])
    const { total } = (await last()).meta.pagination
    const head = await app.inject({ method: 'HEAD', url, headers: { authorization: `Token ${owner.token}` } })
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8'])
    expect((await last()).meta.pagination.total).toBe(total)
  })

  it('is for whoever may read the list: 401 without a credential, 403 without the permission', async () => {
    expect((await house.anonymous.get(`${PATH}?format=csv`)).status).toBe(401)
    const reader = await memberWith(house, ['spaces:read'])
    expect((await reader.get(`${PATH}?format=csv`)).status).toBe(403)
    expect((await reader.get('/api/v1/spaces/records?format=csv')).status).toBe(200)
  })

  it.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['text/csv, */*', 'text/csv; charset=utf-8'],
    ['application/json;q=0.5, text/csv;q=0.4', 'application/json; charset=utf-8'],
    ['application/json;q=0.1, application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['text/csv;q=0, */*', 'application/json; charset=utf-8'],
    ['application/json;q=0, text/*', 'text/csv; charset=utf-8'],
    [formats.xlsx.type, formats.xlsx.type],
    ['image/png', 406],
    ['text/csv;q=0', 406],
  ])('to Accept: %s is %s', async (accept, expected) => {
    const answer = await app.inject({ url: PATH, headers: { authorization: `Token ${owner.token}`, accept } })
    expect(answer.statusCode === 200 ? answer.headers['content-type'] : answer.statusCode).toBe(expected)
    if (answer.statusCode === 406) expect(answer.json().error.code).toBe('NOT_ACCEPTABLE')
  })

  it.each(['csv', 'ndjson'])('as %s comes compressed to whoever takes it', async (format) => {
    const url = `/api/v1/keys?format=${format}`
    const headers = { authorization: `Token ${owner.token}`, 'accept-encoding': 'gzip' }
    const { rawPayload, headers: got } = await app.inject({ url, headers })
    expect([got['content-encoding'], got.vary]).toEqual(['gzip', 'Accept, Accept-Encoding'])
    expect(gunzipSync(rawPayload).toString()).toBe((await owner.get(url)).text)
  })
})

describe('what a spreadsheet would spoil', () => {
  const names = [
    ...['=1+1', '+41 44 632 11 11', '-1', '@SUM(A1)', "'=1", "''=1", "'plain", '=cmd|"/c calc"!A1', '＝1'],
    ...['007', '1e5', '2027-01-02', 'TRUE', 'Zürich, "Süd"; 👋', ' blank ', '<b>&amp;</b>', '_x0041_', 'a\tb'],
  ]
  let client: Client
  beforeAll(async () => {
    await createOrganization(engine, clock.now(), actor, 'Spoiled')
    client = await house.member('Owner', {}, 'Spoiled')
    for (const name of names)
      await client.create('/api/v1/access-groups', { name: name.replace('\t', ' '), description: `${name}\n${name}` })
  })
  const query = 'select=name,description,version,external_id&order=created_at,id'

  it('comes back from CSV as it was, and is no formula', async () => {
    const { data } = (await client.get(`/api/v1/access-groups?limit=100&${query}`)).body
    const { text } = await client.get(`/api/v1/access-groups?${query}&format=csv`)
    const shown = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellText(value)]))
    expect(csvRows(text).rows).toEqual(data.map(shown))
    for (const cell of (parse(text) as string[][]).flat()) expect(cell).not.toMatch(/^[=+@＝-]/)
    expect(text).toContain('\r\n007,')
  })

  it('is text in XLSX, as our reader and another have it', async (context) => {
    const { data } = (await client.get(`/api/v1/access-groups?limit=100&${query}`)).body
    const bytes = await bytesOf(house.loggedIn(client.token), `/api/v1/access-groups?${query}&format=xlsx`)
    const book = await xlsxRows(bytes)
    const plain = data.filter(({ name }: { name: string }) => !name.includes('_x'))
    expect(book.rows.filter(({ name }) => !String(name).includes('_x'))).toEqual(plain)
    const sheets = readByOpenpyxl(bytes)
    if (!sheets) return context.skip('python3-openpyxl is not installed: nobody but ourselves has read the file')
    const [head = [], ...rows] = sheets[0]?.rows ?? []
    expect(head.map(([, value]) => value)).toEqual(['name', 'description', 'version', 'external_id'])
    expect(rows.map((cells) => cells[0]?.[0])).toEqual(rows.map(() => 's'))
    expect(rows.map((cells) => cells[2])).toEqual(data.map(({ version }: { version: number }) => ['n', version]))
    const isPlain = (cells: Array<[string, unknown]>) => !String(cells[0]?.[1]).includes('_x')
    expect(rows.filter(isPlain).map((cells) => cells.map(([, value]) => value))).toEqual(
      plain.map((row: object) => Object.values(row)),
    )
  })
})

describe('a large file', () => {
  const ROWS = 6000
  const ids: string[] = []
  let org: number
  let reader: Client
  beforeAll(async () => {
    org = (await createOrganization(engine, clock.now(), actor, 'Large')).key
    reader = await house.member('Owner', {}, 'Large')
    await change(engine, org, clock.now(), actor, async (tx) => {
      for (let i = 0; i < ROWS; i++) ids.push(await add(tx, i))
      tx.record({ action: 'test.filled', resource: 'locking-system', resourceId: null, before: null, after: null })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
  }, 120_000)

  type Tx = Parameters<Parameters<typeof change>[4]>[0]
  async function add(tx: Tx, i: number): Promise<string> {
    const id = randomUUID()
    const row = {
      ...{
        id,
        external_id: null,
        created_at: new Date(Date.parse('2027-01-01') + i).toISOString(),
        updated_at: clock.now(),
        version: 1,
      },
      ...{
        name: `N${(i * 7919) % ROWS}`,
        number: null,
        manufacturer: null,
        product: null,
        kind: 'mechanical',
        hierarchy: 'single',
      },
      ...{
        status: 'active',
        location_id: null,
        building_id: null,
        security_card_number: null,
        security_card_expires_on: null,
      },
      ...{ installed_on: null, description: 'x'.repeat(3000) },
    }
    await tx.insert('locking_systems', { ...row, ...searchTexts(lockingSystems, row) })
    return id
  }

  const begin = (url: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      get({ host: '127.0.0.1', port, path: url, headers: { authorization: `Token ${reader.token}` } }, resolve).on(
        'error',
        reject,
      )
    })

  it.each(['', 'order=name.desc&', 'order=manufacturer.nullsfirst,name&'])(
    'with "%s" has every row that stays exactly once, while others come and go before a slow reader',
    { timeout: 120_000 },
    async (query) => {
      const answer = await begin(`${PATH}?${query}format=ndjson`)
      answer.pause()
      const gone = ids.splice(1000, 50)
      await change(engine, org, clock.now(), actor, async (tx) => {
        for (const id of gone) await tx.remove('locking_systems', id)
        for (let i = 0; i < 50; i++) ids.push(await add(tx, ROWS + i))
        tx.record({ action: 'test.changed', resource: 'locking-system', resourceId: null, before: null, after: null })
      })
      const added = new Set(ids.slice(-50))
      const before = new Set(ids.filter((id) => !added.has(id)))
      let text = ''
      for await (const chunk of answer) text += chunk
      const found = linesOf(text).map(({ id }) => id as string)
      expect(new Set(found).size).toBe(found.length)
      expect(before.difference(new Set(found))).toEqual(new Set())
    },
  )
})
