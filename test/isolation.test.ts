import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../src/http/context.ts'
import { createOrganization } from '../src/identity/organizations.ts'
import { type Answer, actor, type Client, startHouse } from './support/app.ts'
import { populate } from './support/population.ts'
import {
  addressOf,
  fullBody,
  type Ids,
  isMemberSet,
  parametersOf,
  referencesIn,
  resourceOfRoute,
  unshared,
} from './support/route-requests.ts'

/**
 * Made from the route table: a route that is added is covered here without a line being written. What a route needs to
 * be called at all (a valid body, the ids in its address) comes from its own declaration.
 */
const house = await startHouse()
const { app, clock, engine } = house
const client = house.loggedIn(house.owner.token)

const own: Record<string, Ids> = {}
let foreign: Ids
let limited: Client
beforeAll(async () => {
  await createOrganization(engine, clock.now(), actor, 'Other', 'Europe/Zurich')
  own.A = await populate(house, house.owner, 'A')
  own.B = await populate(house, house.owner, 'B')
  const other = await house.member('Owner', {}, 'Other')
  foreign = await populate(house, other, 'A')
  limited = house.loggedIn((await house.member('Owner', { building_id: idIn(own.A, 'buildings') })).token)
})

const idIn = (ids: Ids | undefined, table: string): string => {
  const id = ids?.[table]
  if (!id) throw new Error(`nothing was made in ${table}`)
  return id
}

const routes = app.routeTable.filter(({ permission }) => permission !== undefined)
/** What is the caller's alone (`self`) is empty here; whose sessions are whose is in sessions.test.ts. */
const shared = routes.filter(({ permission }) => permission !== 'self')
const itemRoutes = shared.filter(({ url }) => url.includes(':'))
const referencing = (isMeant: (table: string) => boolean) =>
  // A batch answers each of its rows: what one refers to is told there, as by the route for one.
  routes.filter(
    (route) =>
      !route.url.endsWith('/batch') &&
      // Who is removed may well be no member, whoever that is.
      !(isMemberSet(route) && route.url.endsWith('/remove')) &&
      // One that names no item yet is refused for what a creation needs; test/lists/by-external-id.test.ts is about
      // that.
      !route.url.endsWith('/by-external-id/:external_id') &&
      referencesIn(route.doc?.body?.schema ?? {}, resourceOfRoute(app, route), {}).some(({ table }) => isMeant(table)),
  )
const listRoutes = shared.filter(({ method, doc }) => method === 'GET' && doc?.list)
const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`
const titled = (list: RouteEntry[]) => list.map((route) => [nameOf(route), route] as const)

/** All that a caller gets to see, but for what is different in any two answers. */
function seen({ status, headers, text }: Answer, id: string): unknown {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { status, headers: rest, text: text.replace(/"req_id":"req_\d+"/, '').replaceAll(id, 'ID') }
}

/** The route called with these ids in its address and a body that is in order. */
function call(as: Client, route: RouteEntry, values: Record<string, string>, ids: Ids): Promise<Answer> {
  const body = route.doc?.body ? fullBody(route.doc.body.schema, resourceOfRoute(app, route), ids) : undefined
  return as.request(route.method, addressOf(route.url, values), body)
}

/** Each of the address's ids, and all of them at once, taken from elsewhere. */
function* mixtures(
  route: RouteEntry,
  ids: Ids,
): Generator<(elsewhere: (table: string) => string) => Record<string, string>> {
  const parameters = parametersOf(app, route)
  const replaced = [
    ...parameters.map(({ name }) => [name]),
    ...(parameters.length > 1 ? [parameters.map(({ name }) => name)] : []),
  ]
  for (const names of replaced)
    yield (elsewhere) =>
      Object.fromEntries(
        parameters.map(({ name, table }) => [name, names.includes(name) ? elsewhere(table) : idIn(ids, table)]),
      )
}

describe('another organization', () => {
  it('holds an item of every table that a route gives ids of', () => {
    for (const route of itemRoutes)
      for (const { table } of parametersOf(app, route)) expect(idIn(foreign, table)).not.toBe(own.A?.[table])
  })

  it.each(titled(itemRoutes))('%s with its id answers as for an id that does not exist', async (_name, route) => {
    for (const address of mixtures(route, own.A as Ids)) {
      const unknownId = randomUUID()
      const other = await call(
        client,
        route,
        address((table) => idIn(foreign, table)),
        own.A as Ids,
      )
      const unknown = await call(
        client,
        route,
        address(() => unknownId),
        own.A as Ids,
      )
      expect(unknown.status, unknown.text).toBe(404)
      expect(seen(other, '')).toEqual(seen(unknown, ''))
    }
  })

  it.each(titled(referencing(() => true)))(
    '%s with its id in the body answers as for an id that does not exist',
    async (_name, route) => {
      const ids = own.A as Ids
      const values = Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, idIn(ids, table)]))
      for (const { path, table, bodyWith } of referencesIn(
        route.doc?.body?.schema ?? {},
        resourceOfRoute(app, route),
        ids,
      )) {
        const otherId = idIn(foreign, table)
        const unknownId = randomUUID()
        const other = await client.request(route.method, addressOf(route.url, values), bodyWith(otherId))
        const unknown = await client.request(route.method, addressOf(route.url, values), bodyWith(unknownId))
        expect(unknown.status, `${path}: ${unknown.text}`).toBe(400)
        expect(unknown.body.error, path).toMatchObject({ reason: 'reference.not_found', details: [{ path }] })
        expect(seen(other, otherId)).toEqual(seen(unknown, unknownId))
      }
    },
  )

  it.each(titled(listRoutes))('%s shows nothing of it, and a filter by its ids finds nothing', async (_name, route) => {
    const parameters = parametersOf(app, route)
    const path = addressOf(
      route.url,
      Object.fromEntries(parameters.map(({ name, table }) => [name, idIn(own.A, table)])),
    )
    const ids = Object.values(foreign)
    const { text, body } = await client.get(`${path}?limit=100`)
    // Between two moments nothing may have changed.
    if (!route.url.endsWith('/changes')) expect(body.data.length).toBeGreaterThan(0)
    expect(ids.filter((id) => text.includes(id))).toEqual([])
    const { list } = route.doc ?? {}
    if (!list?.offered.has('filters')) return
    for (const [name, { spec }] of Object.entries(list.resource.fields)) {
      if (spec.type !== 'uuid' || !spec.isQueryable) continue
      const found = await client.get(`${path}?${name}=in.(${ids.join(',')})`)
      expect(found.body.meta.pagination.total, name).toBe(0)
    }
  })

  it('GET /api/v1/spaces finds nothing by its location, building or spaces', async () => {
    const { locations, buildings, spaces } = foreign
    for (const query of [`location_id=${locations}`, `building_id=${buildings}`, `space_ids=${spaces}`]) {
      expect((await client.get(`/api/v1/spaces?${query}`)).body.data, query).toEqual([])
    }
    const picker = await client.get(`/api/v1/spaces?space_ids=${spaces}&is_include_others=true&limit=100`)
    expect(picker.text).not.toContain(spaces)
  })

  it('has Idempotency-Keys of its own', async () => {
    const other = await house.member('Owner', {}, 'Other')
    const headers = { 'idempotency-key': 'the-same' }
    const mine = await house.owner.post('/api/v1/locations', { name: 'Mine' }, headers)
    const theirs = await other.post('/api/v1/locations', { name: 'Theirs' }, headers)
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.body.data.name).toBe('Theirs')
  })
})

/** What lies in a building, so that whoever is limited to that building sees it. */
const placed: readonly string[] = [
  'buildings',
  'spaces',
  'access_points',
  'locking_systems',
  'cylinders',
  'key_types',
  'keys',
  'key_handovers',
  'access_grants',
  'role_assignments',
]

/** Schedules and calendars have no place: who may read any reads all, or could not tell when a grant holds. */
const isShared = ({ url }: RouteEntry) => /^\/api\/v1\/(schedules|calendars)\b/.test(url)

describe('a role limited to building A', () => {
  it.each(titled(itemRoutes.filter((route) => !isShared(route))))(
    '%s answers for what lies in building B as for an id that does not exist',
    async (_name, route) => {
      for (const address of mixtures(route, own.A as Ids)) {
        const unknownId = randomUUID()
        const other = await call(
          limited,
          route,
          address((table) => idIn(own.B, table)),
          own.A as Ids,
        )
        const unknown = await call(
          limited,
          route,
          address(() => unknownId),
          own.A as Ids,
        )
        expect(unknown.status, unknown.text).toBe(404)
        expect(seen(other, '')).toEqual(seen(unknown, ''))
      }
    },
  )

  it.each(titled(referencing((table) => placed.includes(table))))(
    '%s refuses ids of building B in the body as if they did not exist',
    async (_name, route) => {
      const ids = own.A as Ids
      const values = Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, idIn(ids, table)]))
      for (const { path, table, bodyWith } of referencesIn(
        route.doc?.body?.schema ?? {},
        resourceOfRoute(app, route),
        ids,
      )) {
        if (!placed.includes(table)) continue
        const otherId = idIn(own.B, table)
        const unknownId = randomUUID()
        const other = await limited.request(route.method, addressOf(route.url, values), bodyWith(otherId))
        const unknown = await limited.request(route.method, addressOf(route.url, values), bodyWith(unknownId))
        // What is seen and lies elsewhere is refused whatever is asked of it.
        expect(unknown.status, `${path}: ${unknown.text}`).toBeOneOf([400, 403, 404])
        expect(seen(other, otherId), path).toEqual(seen(unknown, unknownId))
      }
    },
  )

  it.each(titled(routes.filter((route) => route.method === 'GET' && !isShared(route))))(
    '%s shows nothing of building B',
    async (_name, route) => {
      const values = Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, idIn(own.A, table)]))
      const { status, text, body } = await limited.get(
        addressOf(route.url, values) + (route.doc?.list ? '?limit=100' : unshared(app, route)),
      )
      expect(status, text).toBeOneOf([200, 404])
      expect(Object.entries(own.B as Ids).filter(([, id]) => text.includes(id))).toEqual([])
      const { list } = route.doc ?? {}
      if (list && placed.includes(list.resource.table)) expect(body.data.length, text).toBeGreaterThan(0)
    },
  )

  it.each(placed)('%s of building A is seen, so that the above is no accident', async (table) => {
    const route = listRoutes.find(({ url, doc }) => doc?.list?.resource.table === table && url.startsWith('/api/'))
    expect((await limited.get(`${route?.url}/${idIn(own.A, table)}`)).status).toBe(200)
  })
})
