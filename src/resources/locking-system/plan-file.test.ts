import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { uploadTo } from '../../../test/support/upload.ts'
import { type PlanFormat, planFormats, readPlanFile, writePlanFile } from './plan-file.ts'

const house = await startHouse()
const { owner, app } = house
type Item = { id: string }
let estate: Estate
let path: string
const types: Record<string, Item> = {}
const cylinders: Record<string, Item> = {}

beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  path = `/api/v1/locking-system/${estate.system.id}/plan`
  const system = { locking_system_id: estate.system.id }
  for (const code of ['GHS', 'HS1', '=1+1', "'-x"])
    types[code] = await owner.create('/api/v1/key-types', { ...system, code })
  for (const number of ['101', '=2', 'Ö;"3"'])
    cylinders[number] = await owner.create('/api/v1/cylinders', {
      ...system,
      number,
      label: number === '101' ? 'Front, left' : null,
    })
  await owner.patch(`/api/v1/cylinders/${cylinders['101']?.id}`, {
    status: 'installed',
    access_point_id: estate.door.id,
  })
  const cell = (code: string, number: string) => ({ key_type_id: types[code]?.id, cylinder_id: cylinders[number]?.id })
  await owner.post(`${path}/cells`, {
    set: [cell('GHS', '101'), cell('GHS', '=2'), cell('=1+1', '=2'), cell("'-x", 'Ö;"3"')],
  })
})

const send = async (format: PlanFormat, payload: Buffer | string, { query = '', token = owner.token } = {}) => {
  const headers = { authorization: `Token ${token}`, 'content-type': planFormats[format] }
  const answer = await app.inject({ method: 'POST', url: `${path}/import${query}`, headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const download = async (format: PlanFormat, headers: Record<string, string> = {}, url = `${path}?format=${format}`) => {
  const answer = await app.inject({
    method: 'GET',
    url,
    headers: { authorization: `Token ${owner.token}`, ...headers },
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], bytes: answer.rawPayload }
}
const plan = async () => (await owner.get(path)).body.data

describe.each(['csv', 'xlsx'] as const)('the locking plan as %s', (format) => {
  it('goes out and comes in as it was, formulas as texts', async () => {
    const { status, type, bytes } = await download(format)
    expect(status).toBe(200)
    expect(type).toContain(planFormats[format])
    const rows = await readPlanFile(format, bytes)
    expect(rows).toEqual([
      ['Cylinder', 'Label', 'Door', "'-x", '=1+1', 'GHS', 'HS1'],
      ['101', 'Front, left', 'Campus door', '', '', 'x', ''],
      ['=2', '', '', '', 'x', 'x', ''],
      ['Ö;"3"', '', '', 'x', '', '', ''],
    ])
    const before = await plan()
    expect(await send(format, bytes)).toMatchObject({ status: 200, body: { data: { set: 0, cleared: 0 } } })
    expect(await plan()).toEqual(before)
  })

  it('comes in as the file of a form, too', async () => {
    const before = await plan()
    const file = await writePlanFile(format, [
      ['Cylinder', 'Label', 'Door', 'HS1'],
      ['101', '', '', 'x'],
    ])
    const form = (fields: Record<string, string>, bytes: Buffer = file) =>
      uploadTo(app, owner, {
        file: bytes,
        name: `plan.${format}`,
        fields,
        to: `${path}/import`,
        query: '?dry_run=true',
      })
    expect(await form({})).toMatchObject({
      status: 200,
      body: { data: { set: 1, cleared: 0 }, meta: { dry_run: true } },
    })
    expect(await form({ resource: 'keys' })).toMatchObject({
      status: 400,
      body: { error: { reason: 'body.unknown_field' } },
    })
    expect((await form({}, Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(413)
    expect(await plan()).toEqual(before)
  })

  it('is given to whoever asks for its type, too', async () => {
    expect((await download(format, { accept: planFormats[format] }, path)).type).toContain(planFormats[format])
    const rather = `application/json;q=0.1, ${planFormats[format]}`
    expect((await download(format, { accept: rather }, path)).type).toContain(planFormats[format])
  })

  it('sets and clears what the file says, and leaves what it does not name; a dry run says so and keeps nothing', async () => {
    const before = await plan()
    const file = await writePlanFile(format, [
      ['Cylinder', 'Label', 'Door', 'HS1', 'GHS'],
      ['101', 'another', '', 'x', ''],
    ])
    const tried = await send(format, file, { query: '?dry_run=true' })
    expect(tried).toMatchObject({ status: 200, body: { data: { set: 1, cleared: 1 }, meta: { dry_run: true } } })
    expect(await plan()).toEqual(before)
    expect(await send(format, file)).toMatchObject({ status: 200, body: { data: { set: 1, cleared: 1 } } })
    expect((await plan()).cells).toHaveLength(4)
    expect((await owner.get(`/api/v1/cylinders/${cylinders['101']?.id}`)).body.data.label).toBe('Front, left')
    const back = [
      ['Cylinder', 'Label', 'Door', 'HS1', 'GHS'],
      ['101', '', '', '', 'x'],
    ]
    expect((await send(format, await writePlanFile(format, back))).status).toBe(200)
    expect(await plan()).toEqual(before)
  })

  it('tells faults by cell, all of them, and changes nothing', async () => {
    const before = await plan()
    const { status, body } = await send(
      format,
      await writePlanFile(format, [
        ['Cylinder', 'Label', 'Door', 'HS1', 'NEW'],
        ['101', '', '', 'x', ''],
        ['999', '', '', 'maybe', 'x'],
      ]),
    )
    expect(status).toBe(400)
    expect(body.error.details.map(({ path: at, rule }: Record<string, string>) => [at, rule])).toEqual([
      ['D3', 'plan.mark'],
      ['E1', 'plan.unknown_key_type'],
      ['A3', 'plan.unknown_cylinder'],
    ])
    expect(await plan()).toEqual(before)
  })

  it('is refused with a sentence when it is too large', async () => {
    const wide = [['Cylinder', 'Label', 'Door', ...Array.from({ length: 600 }, (_, n) => `K${n}`)]]
    expect(await send(format, await writePlanFile(format, wide))).toMatchObject({
      status: 400,
      body: { error: { reason: 'plan.file' } },
    })
    expect((await send(format, Buffer.alloc(5 * 1024 * 1024, 'x'))).status).toBe(413)
  })
})

describe('files of a locking plan', () => {
  it('are read with semicolons, tabs and the letters of old spreadsheets', async () => {
    for (const text of ['Cylinder;Label;Door;GHS\r\nÖ;"3";;x', 'Cylinder\tLabel\tDoor\tGHS\nÖ\t3\t\tx'])
      expect((await readPlanFile('csv', Buffer.from(text, 'latin1')))[1]?.[0]).toBe('Ö')
  })

  it.each([
    ['xlsx', Buffer.from('no such thing')],
    ['xlsx', Buffer.alloc(0)],
    ['csv', Buffer.from('a,"b')],
  ] as const)('that are none (%s) are refused', async (format, bytes) => {
    expect((await send(format, bytes)).status).toBe(400)
  })

  it('may come as rows in JSON, and in no other type', async () => {
    const rows = [
      ['Cylinder', 'Label', 'Door', 'GHS'],
      ['101', '', '', 'x'],
    ]
    expect((await owner.post(`${path}/import`, { rows })).body.data).toEqual({ set: 0, cleared: 0 })
    expect((await owner.post(`${path}/import`, { rows: [] })).body.error.reason).toBe('plan.no_head')
    expect((await owner.post(`${path}/import`, { rows }, { 'if-match': '"9"' })).status).toBe(412)
    expect((await owner.post(`${path}/import`, { rows }, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await owner.get(`${path}?format=pdf`)).status).toBe(400)
  })

  it('are answered as before where they are sent again with their key, though the system was changed meanwhile', async () => {
    const rows = [
      ['Cylinder', 'Label', 'Door', 'GHS'],
      ['101', '', '', 'x'],
    ]
    const { version } = (await owner.get(`/api/v1/locking-system/${estate.system.id}`)).body.data
    const headers = { 'if-match': `"${version}"`, 'idempotency-key': randomUUID() }
    const first = await owner.post(`${path}/import`, { rows }, headers)
    expect(first.status).toBe(200)
    await owner.patch(`/api/v1/locking-system/${estate.system.id}`, { description: 'Changed' })
    expect((await owner.post(`${path}/import`, { rows }, headers)).text).toBe(first.text)
    expect((await owner.post(`${path}/import`, { rows }, { 'if-match': `"${version}"` })).status).toBe(412)
  })

  it('are known again by what is in them where they come with a key, without being written out', async () => {
    const long = 'x'.repeat(100_000)
    const [file, other] = await Promise.all(
      ['', 'x'].map((cell) =>
        writePlanFile('csv', [
          ['Cylinder', 'Label', 'Door', 'HS1'],
          ['101', long, '', cell],
        ]),
      ),
    )
    const headers = { 'idempotency-key': randomUUID(), 'content-type': 'text/csv' }
    const written = vi.spyOn(JSON, 'stringify')
    const first = await owner.post(`${path}/import`, file, headers)
    const longest = Math.max(...written.mock.results.map(({ value }) => String(value).length))
    written.mockRestore()
    expect([first.status, longest < long.length]).toEqual([200, true])
    expect((await owner.post(`${path}/import`, file, headers)).text).toBe(first.text)
    expect((await owner.post(`${path}/import`, other, headers)).status).toBe(422)
  })

  it('are imported by whoever manages the system, and by nobody else', async () => {
    const file = await writePlanFile('csv', [['Cylinder', 'Label', 'Door', 'HS1']])
    const elsewhere = await makeEstate(owner, 'Elsewhere')
    const auditor = await house.member('Auditor')
    const stranger = await house.member('Facility manager', { building_id: elsewhere.building.id })
    expect((await send('csv', file, { token: auditor.token })).status).toBe(403)
    expect((await send('csv', file, { token: stranger.token })).status).toBe(404)
    expect((await send('csv', file, { token: '' })).status).toBe(401)
    expect((await stranger.get(`${path}?format=csv`)).status).toBe(404)
  })
})
