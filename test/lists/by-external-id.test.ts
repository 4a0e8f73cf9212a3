import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../../src/http/context.ts'
import { type Client, startHouse } from '../support/app.ts'
import { populate } from '../support/population.ts'
import { addressOf, type Ids, type JsonSchema, resourceOfRoute } from '../support/route-requests.ts'
import { countRows } from '../support/rows.ts'
import { HIDDEN, makeTwoPlaces, OUTSIDE, type TwoPlaces } from '../support/two-places.ts'

/**
 * Made from the route table: every resource that has a key of the caller's own has these routes, and they behave alike.
 */
const house = await startHouse()
const { app, engine } = house
const client = house.loggedIn(house.owner.token)

const routes = app.routeTable.filter(({ url }) => url.endsWith('/by-external-id/:external_id'))
const of = (method: string) =>
  routes.filter((route) => route.method === method).map((route) => [route.url, route] as const)

/** Schedules and calendars have no place: who may read any reads all. */
const isShared = (url: string) => /\/(schedules|calendars)\//.test(url)

let world: TwoPlaces
let limited: Client
beforeAll(async () => {
  world = await makeTwoPlaces(house)
  limited = house.loggedIn((await house.member('Owner', { building_id: world.here.buildings as string })).token)
}, 120_000)

const at = ({ url }: RouteEntry, ids: Ids, external_id: string): string => {
  const [parent] = /(?<=\/api\/v1\/)[\w-]+(?=\/:parent_id)/.exec(url) ?? []
  return addressOf(url, {
    external_id: encodeURIComponent(external_id),
    parent_id: ids[parent?.replaceAll('-', '_') ?? ''] ?? '',
  })
}

it('every resource with an external_id is read by it, put by it, and taken in batches', () => {
  const batches = app.routeTable.filter(({ method }) => method === 'POST').map(({ url }) => url)
  const nouns = (method: string) => of(method).map(([url]) => url.replace('/by-external-id/:external_id', ''))
  for (const { url, doc } of app.routeTable.filter(
    ({ method, doc }) => method === 'GET' && doc?.list && 'external_id' in doc.list.resource.fields,
  ))
    if (app.routeTable.some((route) => route.url === `${url}/:id` && route.method === 'GET')) {
      expect(nouns('GET'), doc?.operationId).toContain(url)
      expect(nouns('PUT'), doc?.operationId).toContain(url)
      expect(batches, doc?.operationId).toContain(`${url}/batch`)
    }
})

describe('GET by external_id', () => {
  it.each(of('GET'))('%s is the item itself', async (_url, route) => {
    const { table = '' } = resourceOfRoute(app, route) ?? {}
    const found = await client.get(at(route, world.here, 'set-inside'))
    expect(found.status, found.text).toBe(200)
    expect(found.body.data.id).toBe(world.here[table])
    const byId = await client.get(at(route, world.here, '').replace('/by-external-id/', `/${world.here[table]}`))
    expect(found.body).toEqual(byId.body)
    expect(found.headers.etag).toEqual(byId.headers.etag)
  })

  it.each(of('GET'))('%s tells a limited role nothing of what it does not see', async (url, route) => {
    if (isShared(url)) return
    const unknown = await limited.get(at(route, world.here, 'nothing has this'))
    expect(unknown.status).toBe(404)
    for (const key of [`set-${OUTSIDE}`, `${OUTSIDE}-external_id`, `${HIDDEN}-by grant`]) {
      const other = await limited.get(at(route, world.here, key))
      expect([other.status, other.body.msg]).toEqual([unknown.status, unknown.body.msg])
    }
  })
})

describe('PUT by external_id', () => {
  it.each(of('PUT'))('%s with nothing to change writes nothing: no version, no record', async (_url, route) => {
    const address = at(route, world.here, 'set-inside')
    const { data } = (await client.get(address)).body
    const before = await countRows(engine)
    const same = Object.fromEntries(
      Object.entries(data as object).filter(
        ([name]) => name in ((route.doc?.body?.schema as JsonSchema | undefined)?.properties ?? {}),
      ),
    )
    for (const body of [{}, same]) {
      const answer = await client.request('PUT', address, body)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toEqual(data)
    }
    expect(await countRows(engine)).toEqual(before)
  })

  it.each(of('PUT'))('%s tells a limited role nothing of keys elsewhere', async (url, route) => {
    if (isShared(url)) return
    const answers = []
    for (const key of [`set-${OUTSIDE}`, `${OUTSIDE}-external_id`, `${HIDDEN}-by grant`, 'nothing has this']) {
      const { status, text } = await limited.request('PUT', at(route, world.here, key), {})
      answers.push([status, text.replace(/"req_id":"req_\d+"/, '')])
    }
    for (const answer of answers) expect(answer).toEqual(answers.at(-1))
    expect(answers[0]?.[0]).toBeGreaterThanOrEqual(400)
  })

  const path = '/api/v1/individuals/by-external-id/hr%2F4711'
  const ada = { given_name: 'Ada', family_name: 'Lovelace', department: 'Research' }

  it('creates with 201 and Location, changes with 200, and says the key as it was encoded', async () => {
    const made = await client.request('PUT', path, ada)
    expect([made.status, made.body.data.external_id, made.headers.etag]).toEqual([201, 'hr/4711', '"1"'])
    expect(made.headers.location).toBe(`/api/v1/individuals/${made.body.data.id}`)
    const changed = await client.request('PUT', path, { department: null, status: 'active' })
    expect([changed.status, changed.body.data.id, changed.body.data.version]).toEqual([200, made.body.data.id, 2])
    expect(changed.body.data).toMatchObject({ given_name: 'Ada', department: null })
    const fixed = await client.request('PUT', path, { status: 'suspended' })
    expect([fixed.status, fixed.body.error.reason, fixed.body.error.details[0].path]).toEqual([
      400,
      'body.fixed',
      'status',
    ])
  })

  it('asks for what is required only to create', async () => {
    const none = await client.request('PUT', '/api/v1/buildings/by-external-id/no-such', { address: 'Here' })
    expect([none.status, none.body.error.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['location_id', 'name'],
    ])
  })

  it('with If-None-Match creates and never changes what is there', async () => {
    const put = (department: string, tag: string) =>
      client.request(
        'PUT',
        '/api/v1/individuals/by-external-id/once',
        { display_name: 'Once', department },
        { 'if-none-match': tag },
      )
    const made = await put('A', '*')
    expect(made.status).toBe(201)
    for (const tag of ['*', '"1"', 'W/"7", "1-abc"'])
      expect((await put('B', tag)).body.error.code).toBe('VERSION_CONFLICT')
    expect((await put('B', '1')).body.error.reason).toBe('header.if_none_match')
    expect((await client.get(`/api/v1/individuals/${made.body.data.id}`)).body.data.department).toBe('A')
    expect((await put('B', '"7"')).status).toBe(200)
  })

  it('with If-Match changes and never creates', async () => {
    const { body } = await client.get(path)
    expect((await client.request('PUT', path, { department: 'A' }, { 'if-match': '"1"' })).status).toBe(412)
    expect(
      (await client.request('PUT', path, { department: 'A' }, { 'if-match': `"${body.data.version}"` })).status,
    ).toBe(200)
    for (const tag of ['"1"', '*']) {
      const none = await client.request('PUT', '/api/v1/individuals/by-external-id/nobody', ada, { 'if-match': tag })
      expect([tag, none.status]).toEqual([tag, 412])
    }
  })

  it('as a dry run keeps nothing', async () => {
    const before = await countRows(engine)
    const tried = await client.request('PUT', '/api/v1/individuals/by-external-id/tried?dry_run=true', ada)
    expect([tried.status, tried.body.meta.dry_run]).toEqual([201, true])
    expect(await countRows(engine)).toEqual(before)
  })

  it('takes a PIN that is set already for no change', async () => {
    const card = '/api/v1/credentials/by-external-id/card'
    expect((await client.request('PUT', card, { type: 'card', number: '815', pin: '4711' })).body.data).toMatchObject({
      version: 1,
      has_pin: true,
    })
    expect((await client.request('PUT', card, { type: 'card', number: '815', pin: '4711' })).body.data.version).toBe(1)
    expect((await client.request('PUT', card, { pin: '4712' })).body.data.version).toBe(2)
  })

  it('takes what has ended and is said once more for no change, and refuses another word of it', async () => {
    const person = await client.create('/api/v1/individuals', { given_name: 'Said', family_name: 'Again' })
    const given = { individual_id: person.id, building_id: world.here.buildings, reason: 'work' }
    const ended = [
      ['access-grants', 'revoke', given, { ...given, reason: 'play' }],
      ['access-requests', 'withdraw', given, { ...given, reason: 'play' }],
      ['lockdowns', 'release', { kind: 'drill', reason: 'yearly' }, { kind: 'drill', reason: 'monthly' }],
    ] as const
    for (const [noun, verb, body, other] of ended) {
      const path = `/api/v1/${noun}/by-external-id/said-again`
      const made = await client.request('PUT', path, body)
      expect(made.status, made.text).toBe(201)
      const { version } = (await client.post(`/api/v1/${noun}/${made.body.data.id}/${verb}`)).body.data
      const again = await client.request('PUT', path, body)
      expect([again.status, again.body.data?.version], again.text).toEqual([200, version])
      expect((await client.request('PUT', path, other)).status).toBe(409)
    }
  })

  it('refuses another key in the body, a key that is none, and read-only fields', async () => {
    const refused = async (address: string, body: object) =>
      (await client.request('PUT', address, body)).body.error.reason
    expect(await refused(path, { external_id: 'other' })).toBe('external_id.differs')
    expect((await client.request('PUT', path, { external_id: 'hr/4711' })).status).toBe(200)
    expect(await refused(`/api/v1/individuals/by-external-id/${'x'.repeat(201)}`, ada)).toBe('body.length')
    expect(await refused(path, { version: 7 })).toBe('body.read_only')
    expect((await client.request('PUT', '/api/v1/individuals/by-external-id/a%00b', ada)).status).toBe(400)
    expect(
      (await client.request('PUT', `/api/v1/individuals/by-external-id/${encodeURIComponent('🔑'.repeat(100))}`, ada))
        .status,
    ).toBe(201)
  })

  it('does not touch the item of the same key in another collection, and is the caller’s organization’s own', async () => {
    const { createOrganization } = await import('../../src/identity/organizations.ts')
    const { actor } = await import('../support/app.ts')
    await createOrganization(engine, house.clock.now(), actor, 'Other', 'Europe/Zurich')
    const other = await house.member('Owner', {}, 'Other')
    await populate(house, other, 'inside')
    const [mine, theirs] = [await client.get(path), await other.get(path)]
    expect([mine.status, theirs.status]).toEqual([200, 404])
    expect((await other.request('PUT', path, ada)).status).toBe(201)
    expect((await client.get(path)).body).toEqual(mine.body)
  })
})
