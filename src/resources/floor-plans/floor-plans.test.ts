import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { countRows } from '../../../test/support/rows.ts'

const house = await startHouse()
const { app, owner, engine } = house
const PATH = '/api/v1/floor-plans'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'
const svg = (inside = '') => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80">${inside}</svg>`)
const SVG = { 'content-type': 'image/svg+xml' }
/** Three by two, grey. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAC0lEQVR4nGNggAAAAAgAAbdYc5UAAAAASUVORK5CYII=',
  'base64',
)
const PNG = { 'content-type': 'image/png' }

const put = (id: string, image: Buffer, headers: Record<string, string> = SVG, client = owner, query = '') =>
  client.request('PUT', `${PATH}/${id}/image${query}`, image, headers)

let site: { id: string }
let main: { id: string }
let wing: { id: string }
let other: { id: string }
let inside: { id: string }
let inWing: { id: string }
let outside: { id: string }
let floor = -200
const plan = (more: object = {}) => owner.create(PATH, { building_id: main.id, floor: floor++, ...more })

beforeAll(async () => {
  site = await owner.create('/api/v1/locations', { name: 'Site' })
  const building = (name: string, more: object = {}) =>
    owner.create('/api/v1/buildings', { name, location_id: site.id, ...more })
  main = await building('Main')
  wing = await building('Wing', { parent_id: main.id })
  other = await building('Other')
  const door = async (building_id: string) => {
    const space = await owner.create('/api/v1/spaces', { name: 'Room', building_id })
    return owner.create('/api/v1/access-points', { name: 'Door', space_id: space.id })
  }
  inside = await door(main.id)
  inWing = await door(wing.id)
  outside = await door(other.id)
})

describe('floor plans', () => {
  it('are created, read, found, changed and deleted; a building has one for each floor', async () => {
    const made = await plan({ floor: 2, name: 'Mezzanine' })
    expect(made).toMatchObject({
      floor: 2,
      name: 'Mezzanine',
      image_type: null,
      image_size: null,
      image_hash: null,
      width: null,
      height: null,
    })
    const path = `${PATH}/${made.id}`
    expect((await owner.get(path)).body.data).toEqual(made)
    expect((await owner.get(`${PATH}?search=mezz`)).body.data).toHaveLength(1)
    expect((await owner.get(`${PATH}?building_id=eq.${main.id}&floor=eq.2`)).body.data).toHaveLength(1)
    const twice = await owner.post(PATH, { building_id: main.id, floor: 2 })
    expect([twice.status, twice.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await owner.patch(path, { floor: 3, name: null })).body.data).toMatchObject({
      floor: 3,
      name: null,
      version: 2,
    })
    expect((await owner.patch(path, { building_id: other.id })).body.error.reason).toBe('body.read_only')
    expect((await owner.patch(path, { width: 3 })).body.error.reason).toBe('body.read_only')
    expect((await owner.delete(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('go with their building, images and places of doors included', async () => {
    const building = await owner.create('/api/v1/buildings', { name: 'Short-lived', location_id: site.id })
    const before = await countRows(engine)
    const made = await owner.create(PATH, { building_id: building.id, floor: 0 })
    expect((await put(made.id, svg())).status).toBe(200)
    expect((await owner.delete(`/api/v1/buildings/${building.id}`)).status).toBe(200)
    const after = await countRows(engine)
    expect([after.floor_plans, after.floor_plan_images]).toEqual([before.floor_plans, before.floor_plan_images])
    expect((await owner.get(`${PATH}/${made.id}/image`)).status).toBe(404)
  })

  it('are there for those who may see them, in their places', async () => {
    const [here, there] = [await plan(), await owner.create(PATH, { building_id: other.id, floor: 77 })]
    const reader = await memberWith(house, ['floor-plans:read'])
    const local = await house.member('Facility manager', { building_id: other.id })
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await (await memberWith(house, ['buildings:read'])).get(PATH)).status).toBe(403)
    expect((await reader.get(`${PATH}/${here.id}`)).status).toBe(200)
    expect((await reader.post(PATH, { building_id: main.id, floor: 9 })).status).toBe(403)
    expect((await put(here.id, svg(), SVG, reader)).status).toBe(403)
    expect((await local.get(`${PATH}/${here.id}`)).status).toBe(404)
    expect((await local.get(`${PATH}/${there.id}`)).status).toBe(200)
    expect((await local.get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([there.id])
    expect((await local.post(PATH, { building_id: main.id, floor: 9 })).body.error.reason).toBe('reference.not_found')
  })
})

describe('the image of a floor plan', () => {
  it('is stored, made safe, served so that nothing in it runs, and replaced', async () => {
    const { id } = await plan()
    expect((await owner.get(`${PATH}/${id}/image`)).status).toBe(404)
    const answer = await put(id, svg('<script>alert(1)</script><rect width="3" height="4"/>'))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.msg).toBe('Stored the image of the floor plan; left out, because it is not safe: script')
    expect(answer.body.data.left_out).toEqual(['script'])
    const image = await owner.get(`${PATH}/${id}/image`)
    expect(image.text).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" width="120" height="80"><rect width="3" ' +
        'height="4"></rect></svg>',
    )
    const image_hash = hash('sha256', image.text)
    const about = {
      image_type: 'image/svg+xml',
      image_size: image.text.length,
      image_hash,
      width: 120,
      height: 80,
      version: 2,
    }
    expect(answer.body.data).toMatchObject(about)
    expect(image.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
      etag: `"${image_hash}"`,
    })
    expect((await owner.get(`${PATH}/${id}/image`, { 'if-none-match': `"${image_hash}"` })).status).toBe(304)
    // The same once more is no change.
    expect((await put(id, Buffer.from(image.text))).body.data.version).toBe(2)
    const replaced = await put(id, PICTURE, PNG)
    expect(replaced.body.data).toMatchObject({ image_type: 'image/png', width: 3, height: 2, version: 3 })
    const binary = await app.inject({ url: `${PATH}/${id}/image`, headers: { authorization: `Token ${owner.token}` } })
    expect(binary.rawPayload).toEqual(PICTURE)
    expect((await owner.get(`${PATH}/${id}/image`, { 'if-none-match': `"${image_hash}"` })).status).toBe(200)
  })

  it('is on the record by its hash, and nowhere else than in its own answer', async () => {
    const { id } = await plan()
    await put(id, svg('<text>Tresorraum</text>'))
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&order=sequence.desc&limit=1`)).body.data
    expect(entry).toMatchObject({ action: 'floor_plan.drawn', resource: 'floor-plans', before: { image_hash: null } })
    expect(entry.after.image_hash).toMatch(/^[0-9a-f]{64}$/)
    const texts = [
      entry,
      (await owner.get(`${PATH}?id=eq.${id}`)).body,
      (await owner.get(`${PATH}?format=ndjson`)).text,
    ]
    expect(JSON.stringify(texts)).not.toContain('Tresorraum')
  })

  it('is only tried with dry_run, and stored on the version that was seen', async () => {
    const { id } = await plan()
    const tried = await put(id, svg(), SVG, owner, '?dry_run=true')
    expect([tried.status, tried.body.data.width]).toEqual([200, 120])
    expect((await owner.get(`${PATH}/${id}`)).body.data).toMatchObject({ version: 1, width: null })
    expect((await owner.get(`${PATH}/${id}/image`)).status).toBe(404)
    expect((await put(id, svg(), { ...SVG, 'if-match': '"9"' })).status).toBe(412)
    expect((await put(id, svg(), { ...SVG, 'if-match': '"1"' })).status).toBe(200)
  })

  it.each([
    ['of another type', svg(), { 'content-type': 'image/jpeg' }, 415, 'Send the image as image/svg+xml or image/png'],
    ['without a type', svg(), { 'content-type': '' }, 415, 'Send the image as image/svg+xml or image/png'],
    [
      'as JSON',
      Buffer.from('{}'),
      { 'content-type': 'application/json' },
      415,
      'Send the image as image/svg+xml or image/png',
    ],
    ['larger than five megabytes', Buffer.alloc(5 * 1024 * 1024 + 1), SVG, 413, 'The image is larger than 5 MiB'],
    ['that is empty', Buffer.alloc(0), SVG, 400, 'The body is empty: send the image'],
    ['that is none', Buffer.from('hello'), PNG, 400, 'The image is no PNG: it does not begin like one'],
    ['that is of the other type', svg(), PNG, 400, 'The image is no PNG: it does not begin like one'],
    [
      'with entities',
      Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'),
      SVG,
      400,
      'The SVG declares entities of its own, which are not taken',
    ],
  ])('%s is refused, and leaves nothing', async (_what, image, headers, status, msg) => {
    const { id } = await plan()
    const before = await countRows(engine)
    const answer = await put(id, image, headers as Record<string, string>)
    expect([answer.status, answer.body.msg]).toEqual([status, msg])
    expect(await countRows(engine)).toEqual(before)
  })

  it('that does not say how large it is is refused as soon as it is too large', async () => {
    const { id } = await plan()
    let sent = 0
    const endless = Readable.from(
      (function* () {
        for (; sent < 1000; sent++) yield Buffer.alloc(64 * 1024)
      })(),
    )
    const answer = await app.inject({
      method: 'PUT',
      url: `${PATH}/${id}/image`,
      headers: { ...PNG, authorization: `Token ${owner.token}`, 'transfer-encoding': 'chunked' },
      payload: endless,
    })
    expect(answer.statusCode).toBe(413)
    expect(sent).toBeLessThan(200)
  })

  it('of a plan that is not there is not found, whatever is sent', async () => {
    const { id } = await plan()
    const local = await house.member('Facility manager', { building_id: other.id })
    const sent: Array<[Client, string]> = [
      [owner, NOBODY],
      [owner, 'nonsense'],
      [local, id],
    ]
    for (const [client, plan] of sent) {
      for (const [image, headers] of [
        [svg(), SVG],
        [svg(), { 'content-type': 'text/html' }],
        [Buffer.alloc(6_000_000), PNG],
      ] as const)
        expect((await put(plan, image, headers, client)).status).toBe(404)
    }
  })
})

describe('the places of doors', () => {
  const positions = (id: string) => `${PATH}/${id}/positions`

  it('are set, moved and taken away, on the plan of their building, of its wings too', async () => {
    const { id } = await plan()
    const made = await owner.create(positions(id), { access_point_id: inside.id, x: 0.25, y: 1 })
    expect(made).toMatchObject({ floor_plan_id: id, access_point_id: inside.id, x: 0.25, y: 1 })
    await owner.create(positions(id), { access_point_id: inWing.id, x: 0, y: 0 })
    const shown = await owner.get(`${positions(id)}?select=x,access_point(name,mode)&order=x`)
    expect(shown.body.data).toEqual([
      { x: 0, access_point: { name: 'Door', mode: 'locked' } },
      { x: 0.25, access_point: { name: 'Door', mode: 'locked' } },
    ])
    expect((await owner.post(positions(id), { access_point_id: inside.id, x: 0.5, y: 0.5 })).body.error.code).toBe(
      'CONFLICT',
    )
    const path = `${positions(id)}/${made.id}`
    expect((await owner.patch(path, { x: 0.75 })).body.data).toMatchObject({ x: 0.75, y: 1, version: 2 })
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(positions(id))).body.data).toHaveLength(1)
    const other = await plan()
    expect((await owner.get(positions(other.id))).body.data).toEqual([])
  })

  it.each([
    ['beside the plan', () => ({ access_point_id: inside.id, x: 1.01, y: 0 }), 'body.range'],
    ['nowhere', () => ({ access_point_id: inside.id, x: 0.5 }), 'body.required'],
    ['of another building', () => ({ access_point_id: outside.id, x: 0.5, y: 0.5 }), 'floor_plan.other_building'],
    ['of a door that there is not', () => ({ access_point_id: NOBODY, x: 0.5, y: 0.5 }), 'reference.not_found'],
  ])('%s are refused', async (_what, body, reason) => {
    const answer = await owner.post(positions((await plan()).id), body())
    expect([answer.status, answer.body.error.reason]).toEqual([400, reason])
  })

  it('go with the door, and with the plan', async () => {
    const space = await owner.create('/api/v1/spaces', { name: 'Store', building_id: main.id })
    const door = await owner.create('/api/v1/access-points', { name: 'Short-lived', space_id: space.id })
    const { id } = await plan()
    await owner.create(positions(id), { access_point_id: door.id, x: 0.5, y: 0.5 })
    await owner.create(positions(id), { access_point_id: inside.id, x: 0.5, y: 0.5 })
    expect((await owner.delete(`/api/v1/access-points/${door.id}`)).status).toBe(200)
    expect((await owner.get(positions(id))).body.data).toHaveLength(1)
    const { floor_plan_positions: before = 0 } = await countRows(engine)
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(200)
    expect((await countRows(engine)).floor_plan_positions).toBe(before - 1)
  })

  it('of a door that moved to another building are not told to whoever sees this one alone, and said to be elsewhere to whoever sees both', async () => {
    const rooms = [main, other].map(({ id }) => owner.create('/api/v1/spaces', { name: 'Room', building_id: id }))
    const [here, there] = await Promise.all(rooms)
    const door = await owner.create('/api/v1/access-points', { name: 'Moving', space_id: here.id })
    const { id } = await plan()
    await owner.create(positions(id), { access_point_id: door.id, x: 0.5, y: 0.5 })
    const local = await house.member('Facility manager', { building_id: main.id })
    expect((await local.get(positions(id))).body.data).toHaveLength(1)
    await owner.patch(`/api/v1/access-points/${door.id}`, { space_id: there.id })
    expect((await local.get(positions(id))).text).not.toContain(door.id)
    expect((await local.get(positions(id))).body.data).toEqual([])
    const isElsewhere = async () =>
      (await owner.get(positions(id))).body.data.map((row: { is_elsewhere: boolean }) => row.is_elsewhere)
    expect(await isElsewhere()).toEqual([true])
    const all = `/api/v1/floor-plan-positions?access_point_id=eq.${door.id}&select=is_elsewhere`
    expect((await owner.get(all)).body.data).toEqual([{ is_elsewhere: true }])
    await owner.patch(`/api/v1/access-points/${door.id}`, { space_id: here.id })
    expect(await isElsewhere()).toEqual([false])
    await owner.patch(`/api/v1/spaces/${here.id}`, { building_id: other.id })
    expect(await isElsewhere()).toEqual([true])
  })

  it('are set many at once', async () => {
    const { id } = await plan()
    const operations = [inside, inWing].map((door, n) => ({
      op: 'create',
      body: { access_point_id: door.id, x: n / 2, y: 0.5 },
    }))
    const answer = await owner.post(`${positions(id)}/batch`, { atomic: true, operations })
    expect(answer.status, answer.text).toBe(200)
    expect((await owner.get(positions(id))).body.data).toHaveLength(2)
  })
})
