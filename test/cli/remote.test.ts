import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startHouse } from '../support/app.ts'
import { freshHouse, gatehouse } from './child.ts'

const house = await startHouse()
const { token } = house.owner
const { name } = (await house.owner.get('/api/v1/me')).body.data
const auditor = (await house.member('Auditor')).token
const address = await house.app.listen({ port: 0, host: '127.0.0.1' })
const folder = (await freshHouse()).DATA_DIR as string
const env = { GATEHOUSE_CREDENTIALS: join(folder, 'mine', 'credentials.json') }
const ask = (...args: string[]) => gatehouse(args, env)

it('logs in, says who one is, and forgets', async () => {
  const refused = await ask('login', address, '--token', 'acs_pat_no')
  expect(refused.code).toBe(3)
  expect(refused.err).not.toContain('    at ')
  expect(await ask('login', 'http://127.0.0.1:9', '--token', token)).toMatchObject({
    code: 6,
    err: expect.stringContaining('127.0.0.1:9'),
  })
  expect(await ask('login', address, '--token', token)).toMatchObject({
    code: 0,
    err: `You are ${name} at ${address}.\n`,
  })
  expect(statSync(env.GATEHOUSE_CREDENTIALS).mode & 0o777).toBe(0o600)
  expect((await ask('whoami')).out).toContain('locations:write')
  expect(JSON.parse((await ask('whoami', '--json')).out)).toHaveProperty('permissions')
  const elsewhere = await gatehouse(['whoami'], {
    GATEHOUSE_CREDENTIALS: join(folder, 'none.json'),
    GATEHOUSE_SERVER: address,
  })
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining('You are not logged in') })
  const given = { GATEHOUSE_CREDENTIALS: join(folder, 'none.json'), GATEHOUSE_SERVER: address, GATEHOUSE_TOKEN: token }
  expect((await gatehouse(['whoami'], given)).code).toBe(0)
})

it('creates, shows, lists, changes and deletes, and says by its exit code why not', { timeout: 120_000 }, async () => {
  const made = await ask('create', 'locations', '--data', '{"name": "Zürich", "external_id": "zh"}', '--json')
  expect(made.code).toBe(0)
  const { id } = JSON.parse(made.out)
  expect((await ask('get', 'locations', id)).out).toMatch(/^name +Zürich$/m)
  expect(JSON.parse((await ask('get', 'locations', 'external_id:zh', '--json')).out).id).toBe(id)
  const listed = await ask('list', 'locations', '--where', 'name=eq.Zürich')
  expect(listed.out).toMatch(/^ID +EXTERNAL_ID +NAME\n\S+ +zh +Zürich\n$/)
  expect(listed.err).toBe('1 of 1\n')
  expect(JSON.parse((await ask('update', 'locations', id, '--data', '{"slug": "z"}', '--json')).out).slug).toBe('z')
  expect((await ask('update', 'locations', id, '--data', '{"slug": "y"}', '--etag', '"1"')).code).toBe(5)
  expect((await ask('create', 'locations', '--data', '{"name": "Bern"}', '--dry-run')).err).toContain(
    'nothing was kept',
  )
  const invalid = await ask('create', 'locations', '--data', '{"nome": "Bern"}')
  expect(invalid).toMatchObject({ code: 1, err: expect.stringMatching(/nome.*\(req_\d+\)/s) })
  expect((await ask('create', 'locations', '--data', '{"name": "Bern"}', '--token', auditor)).code).toBe(3)
  expect((await ask('get', 'locations', '01997d2a-4c00-7000-8000-000000000001')).code).toBe(4)
  expect((await ask('create', 'locations')).code).toBe(2)
  expect(await ask('list', 'locatons')).toMatchObject({ code: 4, err: expect.stringContaining('"/api/v1/locations"') })
  expect((await ask('get', '../../docs', 'x')).code).toBe(2)
  expect((await ask('delete', 'locations', 'external_id:zh')).err).toBe('Deleted location\n')
  expect((await ask('get', 'locations', id, '--server', 'http://127.0.0.1:9', '--token', token)).code).toBe(6)
})

it('applies a file twice, exports, and imports what was exported', { timeout: 120_000 }, async () => {
  const rows = [
    ...Array.from({ length: 30 }, (_, index) => ({
      resource: 'locations',
      external_id: `l${index}`,
      name: `Ort ${index}`,
    })),
    ...Array.from({ length: 1100 }, (_, index) => ({
      resource: 'individuals',
      external_id: `p${index}`,
      given_name: 'Ada',
      family_name: `L${index}`,
    })),
  ]
  const file = join(folder, 'people.ndjson')
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  expect(await ask('apply', file)).toMatchObject({
    code: 0,
    err: '',
    out: '1130 created, 0 changed, 0 left as they are, 0 failed\n',
  })
  rows[0] = { resource: 'locations', external_id: 'l0', name: 'Anderswo' }
  writeFileSync(file, JSON.stringify(rows))
  expect(await ask('apply', file, '--json')).toMatchObject({
    code: 0,
    out: '{"created":0,"changed":1,"unchanged":1129,"failed":0}\n',
  })
  writeFileSync(file, '{"resource": "locations", "external_id": "l1", "name": ""}\n')
  expect(await ask('apply', file)).toMatchObject({ code: 1, err: expect.stringContaining('Row 1: ') })
  const exported = join(folder, 'exported.ndjson')
  expect((await ask('export', 'individuals', '--output', exported)).err).toBe('1100 items\n')
  expect(readFileSync(exported, 'utf8').trim().split('\n')).toHaveLength(1100)
  expect(statSync(exported).mode & 0o077).toBe(0)
  expect((await ask('import', 'individuals', exported)).out).toBe(
    '0 created, 0 changed, 1100 left as they are, 0 failed\n',
  )
})

it('lists and exports spaces like everything else, and CSV on standard output', { timeout: 120_000 }, async () => {
  const { owner } = house
  const location = await owner.create('/api/v1/locations', { name: 'Bern' })
  const building = await owner.create('/api/v1/buildings', { name: 'Nord', location_id: location.id })
  for (const n of [1, 2])
    await owner.create('/api/v1/spaces', { name: `Raum ${n}`, building_id: building.id, external_id: `r${n}` })
  const listed = await ask('list', 'spaces', '--where', 'name=eq.Raum 2', '--columns', 'external_id', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ external_id: 'r2' }])
  const exported = await ask('export', 'spaces', '--where', 'select=external_id,name&order=name', '--format', 'csv')
  expect(exported).toMatchObject({ code: 0, out: 'external_id,name\r\nr1,Raum 1\r\nr2,Raum 2\r\n' })
  expect((await ask('export', 'spaces')).out).toContain('"external_id":"r1"')
  expect((await ask('export', 'spaces', '--format', 'xlsx')).code).toBe(2)
  for (const format of ['ndjson', 'csv', 'xlsx']) {
    const nowhere = await ask('export', 'spaces', '--format', format, '--output', join(folder, 'none', 'x'))
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringMatching(/^\S+ cannot be written: .*\n$/) })
  }
  expect(exported.err).toBe('')
  const there = (await house.member('Operator', { building_id: building.id })).token
  for (const format of ['csv', 'ndjson'])
    expect((await ask('export', 'spaces', '--format', format, '--token', there)).err).toContain('limited to places')
})

it('imports what a spreadsheet holds, and keeps the rows that failed', { timeout: 120_000 }, async () => {
  const [file, failed] = [join(folder, 'people.csv'), join(folder, 'failed.csv')]
  writeFileSync(file, 'Vorname;Nachname;Art;external_id\nAda;Lovelace;;s1\nAda;Byron;alien;s2\n')
  const mapped = [
    'import',
    'individuals',
    file,
    '--mapping',
    '{"Vorname":"given_name","Nachname":"family_name","Art":"kind","external_id":"external_id"}',
  ]
  const tried = await ask(...mapped, '--dry-run', '--json')
  expect(tried).toMatchObject({
    code: 1,
    out: '{"created":1,"changed":0,"unchanged":0,"failed":1}\n',
    err: expect.stringContaining('C3: '),
  })
  const done = await ask(...mapped, '--failed', failed)
  expect(done).toMatchObject({ code: 1, out: '1 created, 0 changed, 0 left as they are, 1 failed\n' })
  expect(readFileSync(failed, 'utf8')).toMatch(/\r\nAda,Byron,alien,s2,.*C3: /)
  expect((await ask('import', 'individuals', join(folder, 'none.csv'))).code).toBe(2)
  expect((await ask('import', 'dragons', file)).code).toBe(1)
})

it('applies rows that name others by their keys, those of the same file too', { timeout: 120_000 }, async () => {
  const file = join(folder, 'places.ndjson')
  const write = (rows: object[]) => writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  const rows = [
    { resource: 'locations', external_id: 'ref "1"', name: 'Basel' },
    { resource: 'buildings', external_id: 'ref-b', name: 'Süd', location_id: { locations: 'ref "1"' } },
    {
      resource: 'buildings',
      external_id: 'ref-w',
      name: 'Flügel',
      parent_id: { buildings: 'ref-b' },
      location_id: { locations: 'ref "1"' },
    },
    { resource: 'spaces', external_id: 'ref-s', name: 'Labor', building_id: { buildings: 'ref-w' } },
  ]
  write(rows)
  const tried = await ask('apply', file, '--dry-run', '--json')
  expect(tried).toMatchObject({ code: 0, out: '{"created":1,"changed":0,"unchanged":0,"failed":0,"untried":3}\n' })
  expect(tried.err).toContain('3 not tried')
  expect((await ask('apply', file)).out).toBe('4 created, 0 changed, 0 left as they are, 0 failed\n')
  expect((await ask('apply', file)).out).toBe('0 created, 0 changed, 4 left as they are, 0 failed\n')
  const { out } = await ask('get', 'spaces', 'external_id:ref-s', '--json')
  const wing = JSON.parse((await ask('get', 'buildings', 'external_id:ref-w', '--json')).out)
  expect(JSON.parse(out).building_id).toBe(wing.id)
  write([
    { resource: 'spaces', external_id: 'ref-t', name: 'Archiv', building_id: { buildings: 'nowhere' } },
    { resource: 'spaces', external_id: 'ref-u', name: 'Keller', building_id: { buildings: 'ref-b' } },
  ])
  expect(await ask('apply', file)).toMatchObject({
    code: 1,
    out: '1 created, 0 changed, 0 left as they are, 1 failed\n',
    err: expect.stringContaining('Row 1: there is nothing among buildings with the external_id "nowhere"'),
  })
})

it('goes on where a resource of the file is refused altogether, and does nothing for a row without one', {
  timeout: 120_000,
}, async () => {
  const file = join(folder, 'partly.ndjson')
  const write = (rows: object[]) => writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  const rows = ['locations', 'nothing', 'nothing', 'locations'].map((resource, n) => ({
    resource,
    external_id: `partly-${n}`,
    name: 'Chur',
  }))
  write([...rows, { external_id: 'partly-9', name: 'Chur' }])
  expect(await ask('apply', file)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Row 5 does not name its resource'),
  })
  expect((await ask('get', 'locations', 'external_id:partly-0')).code).toBe(4)
  write(rows)
  const { code, out, err } = await ask('apply', file)
  expect([code, out]).toEqual([1, '2 created, 0 changed, 0 left as they are, 2 failed\n'])
  expect(err).toMatch(/^Row 2: nothing: .+\nRow 3: nothing: .+\n$/)
  write(rows.slice(1, 3))
  expect((await ask('apply', file)).code).toBe(4)
})

it('forgets the token', async () => {
  expect((await ask('logout')).code).toBe(0)
  expect(readFileSync(env.GATEHOUSE_CREDENTIALS, 'utf8')).not.toContain('acs_pat_')
  expect((await ask('whoami')).code).toBe(2)
})
