import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { countRows } from '../../../test/support/rows.ts'
import { watchTransactions } from '../../../test/support/watched-texts.ts'

const house = await startHouse()
const { owner, engine } = house
const PATH = '/api/v1/individuals/batch'
const person = (given_name: string) => ({ given_name, family_name: 'Lovelace' })
const batch = (
  operations: object[],
  more: object = {},
  client: Client = owner,
  headers: Record<string, string> = {},
  query = '',
) => client.post(`${PATH}${query}`, { operations, ...more }, headers)
const total = async (query: string) => (await owner.get(`/api/v1/individuals?${query}`)).body.meta.pagination.total
const records = async () => (await owner.get('/api/v1/audit-log?limit=1')).body.meta.pagination.total
const dataVersion = async (): Promise<number> =>
  Number((await engine.reader.all<{ n: number }>('select max(data_version) as n from organizations', []))[0]?.n)

describe('a batch', () => {
  it('does each operation and answers each in its place', async () => {
    const made = await batch([
      { op: 'create', external_id: 'b-1', body: person('One') },
      { op: 'upsert', external_id: 'b-2', body: person('Two') },
      { op: 'upsert', body: { ...person('Three'), external_id: 'b-3' } },
      { op: 'create', body: { family_name: 'Nobody' } },
      { op: 'update', external_id: 'b-1', body: { department: 'Research' }, if_match: '"1"' },
      { op: 'update', external_id: 'b-1', body: { department: 'Late' }, if_match: '"1"' },
      { op: 'update', external_id: 'b-2', body: { given_name: 'Two' } },
      { op: 'delete', external_id: 'b-3' },
      { op: 'delete', external_id: 'b-3' },
    ])
    expect(made.status, made.text).toBe(200)
    const { results, ...counts } = made.body.data
    expect(results.map(({ status }: { status: number }) => status)).toEqual([
      201, 201, 201, 400, 200, 412, 200, 200, 404,
    ])
    expect(counts).toEqual({ created: 3, changed: 1, unchanged: 1, deleted: 1, failed: 3 })
    expect(results[3]).toMatchObject({
      msg: expect.stringContaining('given_name'),
      error: { code: 'VALIDATION_ERROR', reason: 'body.required' },
    })
    expect(results[4].data).toMatchObject({ external_id: 'b-1', department: 'Research', version: 2 })
    expect(await total('external_id=in.(b-1,b-2,b-3)')).toBe(2)
  })

  it('takes no key of blanks, as no other way in does', async () => {
    const external_id = '  '
    const made = await batch([
      { op: 'create', external_id, body: person('Blank') },
      { op: 'upsert', body: { ...person('Blank'), external_id } },
    ])
    expect(made.body.data.results.map(({ status }: { status: number }) => status)).toEqual([400, 400])
    expect((await owner.post('/api/v1/individuals', { ...person('Blank'), external_id })).status).toBe(400)
    expect((await owner.request('PUT', '/api/v1/individuals/by-external-id/%20%20', person('Blank'))).status).toBe(400)
    expect(await total('given_name=eq.Blank')).toBe(0)
  })

  it('shows what it deletes as a deletion by itself shows it', async () => {
    const { space } = await makeEstate(owner, 'Deleted')
    const doors = '/api/v1/access-points'
    const [one, other] = [
      await owner.create(doors, { name: 'One', space_id: space.id }),
      await owner.create(doors, { name: 'Other', space_id: space.id }),
    ]
    const [{ data }] = (await owner.post(`${doors}/batch`, { operations: [{ op: 'delete', id: one.id }] })).body.data
      .results
    expect(data).toEqual(one)
    expect(Object.keys(data)).toEqual(Object.keys((await owner.delete(`${doors}/${other.id}`)).body.data))
  })

  it('asks once for what is shown beside many items, and stores what comes with them together', async () => {
    const { building } = await makeEstate(owner, 'Many')
    const many = Array.from({ length: 20 }, (_, n) => n)
    const made = async (path: string, bodies: object[]) => {
      const operations = bodies.map((body) => ({ op: 'create', body }))
      const { body } = await owner.post(`${path}/batch`, { operations })
      return body.data.results.map(({ data }: { data: { id: string } }) => data)
    }
    const rooms: Array<{ id: string }> = await made(
      '/api/v1/spaces',
      many.map((n) => ({ name: `Room ${n}`, building_id: building.id })),
    )
    const { waited: texts } = watchTransactions(engine)
    const doors: Array<{ id: string }> = await made(
      '/api/v1/access-points',
      rooms.map(({ id }, n) => ({ name: `Door ${n}`, space_id: id })),
    )
    for (const table of ['access_points', 'access_point_states'])
      expect(texts.filter((text) => text.startsWith(`insert into ${table} `)).length, table).toBeLessThan(5)
    for (const door of doors)
      expect((await owner.get(`/api/v1/access-points/${door.id}`)).body.data, 'as it was answered').toEqual(door)
    const entry = (await owner.get(`/api/v1/audit-log?resource_id=eq.${doors[7]?.id}`)).body.data[0]
    expect(entry.after ?? entry.content?.after).toMatchObject({ position: 'unknown' })
    texts.length = 0
    const operations = [
      ...rooms.map(({ id }, n) => ({ op: 'update', id: n % 2 === 0 ? id : id.toUpperCase(), body: { floor: n } })),
      { op: 'update', id: rooms[0]?.id, body: { floor: 40 } },
    ]
    const changed = await owner.post('/api/v1/spaces/batch', { operations })
    vi.restoreAllMocks()
    const shown = texts.filter((text) => /\bfrom access_points t\b/.test(text))
    expect(shown.length, shown.join('\n')).toBeLessThanOrEqual(2)
    const { results } = changed.body.data
    expect(results.map(({ data }: { data: { floor: number } }) => data.floor)).toEqual([...many, 40])
    for (const [n, { data }] of results.entries()) {
      expect(data.access_points.map(({ id }: { id: string }) => id)).toEqual([doors[n % 20]?.id])
      if (n > 0) expect((await owner.get(`/api/v1/spaces/${data.id}`)).body.data).toEqual(data)
    }
  })

  it('shows each item as its operation left it, whatever the next ones do with it', async () => {
    const before = await records()
    const made = await batch([
      { op: 'create', external_id: 'then-1', body: person('One') },
      { op: 'upsert', external_id: 'then-2', body: person('Two') },
      { op: 'update', external_id: 'then-1', body: { given_name: 'Uno' } },
      { op: 'upsert', external_id: 'then-2', body: person('Two') },
      { op: 'upsert', external_id: 'then-2', body: person('Due') },
      { op: 'upsert', external_id: 'then-3', body: person('Three') },
      { op: 'update', external_id: 'then-2', body: { external_id: 'then-4' } },
      { op: 'upsert', external_id: 'then-2', body: person('Another') },
      { op: 'delete', external_id: 'then-3' },
      { op: 'upsert', external_id: 'then-3', body: person('Again') },
    ])
    const { results } = made.body.data
    expect(made.body.data, made.text).toMatchObject({ created: 5, changed: 3, unchanged: 1, deleted: 1, failed: 0 })
    const seen = results.map(({ outcome, data }: { outcome: string; data: Record<string, unknown> }) => [
      outcome,
      data.given_name,
      data.external_id,
      data.version,
    ])
    expect(seen).toEqual([
      ['created', 'One', 'then-1', 1],
      ['created', 'Two', 'then-2', 1],
      ['changed', 'Uno', 'then-1', 2],
      ['unchanged', 'Two', 'then-2', 1],
      ['changed', 'Due', 'then-2', 2],
      ['created', 'Three', 'then-3', 1],
      ['changed', 'Due', 'then-4', 3],
      ['created', 'Another', 'then-2', 1],
      ['deleted', 'Three', 'then-3', 1],
      ['created', 'Again', 'then-3', 1],
    ])
    expect((await records()) - before).toBe(9)
    const { data } = (await owner.get(`/api/v1/individuals/${results[9].data.id}`)).body
    expect(data).toEqual(results[9].data)
  })

  it('records each operation, in few steps of the version', async () => {
    const [before, version] = [await records(), await dataVersion()]
    const rows = Array.from({ length: 250 }, (_, n) => ({
      op: 'create',
      external_id: `many-${n}`,
      body: person(`N${n}`),
    }))
    const { body } = await batch(rows)
    expect(body.data.created).toBe(250)
    expect((await records()) - before).toBe(250)
    expect((await dataVersion()) - version).toBe(3)
    const again = await batch(rows.map((row) => ({ ...row, op: 'upsert' })))
    expect(again.body.data).toMatchObject({ created: 0, changed: 0, unchanged: 250, failed: 0 })
    expect([(await records()) - before, (await dataVersion()) - version]).toEqual([250, 3])
  })

  it('keeps what is in order when the database refuses another row', async () => {
    const { body } = await batch([
      { op: 'create', external_id: 'twice', body: person('A') },
      { op: 'create', external_id: 'twice', body: person('B') },
      { op: 'create', external_id: 'once', body: person('C') },
    ])
    expect(body.data.results.map(({ status }: { status: number }) => status)).toEqual([201, 409, 201])
    expect(await total('external_id=in.(twice,once)')).toBe(2)
  })

  it('that is atomic answers with the first error, says of which operation, and keeps nothing', async () => {
    const before = await countRows(engine)
    const refused = await batch(
      [
        { op: 'create', body: person('A') },
        { op: 'create', body: { family_name: 'B' } },
      ],
      { atomic: true },
    )
    expect([refused.status, refused.body.error.reason]).toEqual([400, 'body.required'])
    expect(refused.body.error.details[0].path).toBe('operations[1].given_name')
    expect(await countRows(engine)).toEqual(before)
    const done = await batch(
      [
        { op: 'create', body: person('A') },
        { op: 'create', body: person('B') },
      ],
      { atomic: true },
    )
    expect(done.body.data.created).toBe(2)
  })

  it('as a dry run says what would become of each and keeps nothing', async () => {
    const before = await countRows(engine)
    for (const atomic of [false, true]) {
      const tried = await batch(
        [
          { op: 'create', body: person('A') },
          { op: 'delete', external_id: 'once' },
        ],
        { atomic },
        owner,
        {},
        '?dry_run=true',
      )
      expect(tried.body).toMatchObject({ data: { created: 1, deleted: 1 }, meta: { dry_run: true } })
    }
    expect(await countRows(engine)).toEqual(before)
  })

  it('with an Idempotency-Key is done once, slice by slice', async () => {
    const rows = Array.from({ length: 220 }, (_, n) => ({ op: 'create', body: person(`K${n}`) }))
    const headers = { 'idempotency-key': 'batch-1' }
    const first = await batch(rows, {}, owner, headers)
    const before = await countRows(engine)
    const second = await batch(rows, {}, owner, headers)
    expect(second.body).toEqual(first.body)
    expect(await countRows(engine)).toEqual(before)
    expect((await batch(rows.slice(1), {}, owner, headers)).status).toBe(422)
    // As if the service had been ended after the first slice: the rest is done, the first is not done again.
    await engine.transaction(async (session) => {
      await session.run(`delete from idempotency_keys where key in ('batch-1\n1', 'batch-1\n2')`, [])
    })
    const third = await batch(rows, {}, owner, headers)
    expect(third.body.data.results.slice(0, 100)).toEqual(first.body.data.results.slice(0, 100))
    expect(third.body.data.results[100].data.id).not.toBe(first.body.data.results[100].data.id)
  })

  it('refuses what does not fit its shape as a whole', async () => {
    for (const body of [
      {},
      { operations: [] },
      { operations: [{ op: 'destroy' }] },
      { operations: Array(1001).fill({ op: 'delete', id: 'x' }) },
    ])
      expect((await owner.post(PATH, body)).status).toBe(400)
    const { body } = await batch([
      { op: 'create', id: 'x', body: person('A') },
      { op: 'update', body: {} },
      { op: 'update', id: 'x', external_id: 'y', body: {} },
      { op: 'delete', external_id: 'once', body: { force: true } },
      { op: 'update', id: 'no uuid', body: {} },
      { op: 'upsert', id: '01997d2a-4c00-7000-8000-00000000ffff', body: person('A') },
      { op: 'update', external_id: 'once', body: { id: 'x' } },
    ])
    expect(body.data.results.map((row: { error: { reason?: string } }) => row.error.reason)).toEqual([
      ...Array(4).fill('batch.operation'),
      undefined,
      undefined,
      'body.read_only',
    ])
  })

  it('never remembers a PIN, and takes one that is set already for no change', async () => {
    const rows = [{ op: 'upsert', external_id: 'pin', body: { type: 'card', number: '99', pin: '471199' } }]
    const send = (key: string) =>
      owner.post('/api/v1/credentials/batch', { operations: rows }, { 'idempotency-key': key })
    expect((await send('p-1')).body.data.results[0]).toMatchObject({ outcome: 'created', data: { has_pin: true } })
    expect((await send('p-2')).body.data.results[0]).toMatchObject({ outcome: 'unchanged' })
    const kept = await engine.reader.all('select fingerprint, body from idempotency_keys', [])
    expect(JSON.stringify(kept)).not.toContain('471199')
  })
})

describe('the rights of a single call hold for each row', () => {
  let here: string
  let elsewhere: string
  let limited: Client
  beforeAll(async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    here = (await owner.create('/api/v1/buildings', { name: 'Here', location_id: location.id })).id
    elsewhere = (await owner.create('/api/v1/buildings', { name: 'Elsewhere', location_id: location.id })).id
    limited = await house.member('Facility manager', { building_id: here })
  })

  it('a role limited to a building does there what it may, and nothing elsewhere', async () => {
    const other = await owner.create('/api/v1/individuals', {
      ...person('Other'),
      building_id: elsewhere,
      external_id: 'there',
    })
    const { body } = await batch(
      [
        { op: 'create', body: { ...person('Mine'), building_id: here } },
        { op: 'create', body: { ...person('Theirs'), building_id: elsewhere } },
        { op: 'create', body: person('Nowhere') },
        { op: 'update', id: other.id, body: { department: 'X' } },
        { op: 'update', external_id: 'there', body: { department: 'X' } },
        { op: 'delete', id: other.id },
        { op: 'upsert', external_id: 'there', body: { department: 'X' } },
        { op: 'upsert', external_id: 'nobody has this', body: { department: 'X' } },
      ],
      {},
      limited,
    )
    expect(body.data.results.map(({ status }: { status: number }) => status)).toEqual([
      201, 400, 403, 404, 404, 404, 400, 400,
    ])
    expect(body.data.results[6].error).toEqual(body.data.results[7].error)
    expect((await owner.get(`/api/v1/individuals/${other.id}`)).body.data.version).toBe(1)
  })

  it('without the permission there is no batch', async () => {
    expect((await batch([{ op: 'create', body: person('A') }], {}, await house.member('Auditor'))).status).toBe(403)
    expect((await batch([{ op: 'create', body: person('A') }], {}, house.anonymous)).status).toBe(401)
  })
})

it('members of a group are written in a batch, within that group', async () => {
  const group = await owner.create('/api/v1/access-groups', { name: 'Night shift' })
  const other = await owner.create('/api/v1/access-groups', { name: 'Day shift' })
  const people = (await owner.get('/api/v1/individuals?limit=3')).body.data
  const path = `/api/v1/access-groups/${group.id}/members/batch`
  const { body } = await owner.post(path, {
    operations: people.map(({ id }: { id: string }) => ({ op: 'create', body: { individual_id: id } })),
  })
  expect(body.data.created).toBe(3)
  const [{ data }] = body.data.results
  const wrong = await owner.post(path.replace(group.id, other.id), { operations: [{ op: 'delete', id: data.id }] })
  expect(wrong.body.data.results[0].status).toBe(404)
})
