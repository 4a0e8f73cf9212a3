import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { namedTable } from '../src/core/fields.ts'
import type { RouteEntry } from '../src/http/context.ts'
import { type Answer, type Client, startHouse } from './support/app.ts'
import {
  addressOf,
  type Ids,
  isMemberSet,
  parametersOf,
  referencesIn,
  requiredBody,
  resourceAt,
  resourceOfRoute,
  unshared,
} from './support/route-requests.ts'
import { HIDDEN, makeTwoPlaces, OUTSIDE, REACHED, type TwoPlaces } from './support/two-places.ts'

/**
 * Every operation that reads, for an Owner limited to a location, to a building and to a place that holds nothing,
 * beside what the Owner of everything sees. Made from the route table: a route or a field that is added is in the
 * matrix.
 */
const house = await startHouse()
const { app, owner } = house
const places = ['location', 'building', 'nothing'] as const
type Place = (typeof places)[number]

let world: TwoPlaces
const clients = {} as Record<Place, Client>
beforeAll(async () => {
  world = await makeTwoPlaces(house)
  const { here, empty } = world
  const limits = {
    location: { location_id: here.locations },
    building: { building_id: here.buildings },
    nothing: { location_id: empty },
  }
  for (const place of places)
    clients[place] = house.loggedIn((await house.member('Owner', limits[place] as object)).token)
}, 120_000)

/** Schedules and calendars have no place: who may read any reads all, or could not tell when a grant holds. */
const isShared = (url: string) => /^\/api\/v1\/(schedules|calendars)\b/.test(url)
const reads = app.routeTable.filter(
  ({ method, permission, url }) => method === 'GET' && permission !== undefined && !isShared(url),
)
const lists = reads.filter(({ doc, permission }) => doc?.list && permission !== 'self')
const cells = (routes: RouteEntry[]) =>
  routes.flatMap((route) => places.map((place) => [route.url, place, route] as const))
const idOf = (ids: Ids, table: string): string => ids[table] ?? randomUUID()
const at = (route: RouteEntry, ids: Ids): string =>
  addressOf(route.url, Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, idOf(ids, table)])))
const unknownIds = new Proxy({} as Ids, { get: () => 'ffffffff-ffff-7fff-8fff-ffffffffffff' })
const isQuiet = ({ text }: Answer): void => {
  expect(text).not.toContain(OUTSIDE)
  expect(text).not.toContain(HIDDEN)
}
/** All that a caller gets to see, but for what differs in any two answers. */
const seen = ({ status, text }: Answer, id = ''): unknown => [
  status,
  text.replace(/"req_id":"req_\d+"/, '').replaceAll(id || '\0', 'ID'),
]

interface Row {
  id: string
  [name: string]: unknown
}
const all = async (
  client: Client,
  path: string,
): Promise<{ rows: Row[]; total: number; meta: Record<string, unknown> }> => {
  const answer = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)
  expect(answer.status, `${path}: ${answer.text}`).toBe(200)
  const { pagination } = answer.body.meta
  return { rows: answer.body.data, total: pagination.total ?? pagination.total_items, meta: answer.body.meta }
}

it('the marks are where the Owner of everything sees them', async () => {
  for (const list of [
    'spaces',
    'access-points',
    'individuals',
    'keys',
    'cylinders',
    'access-groups',
    'locking-system',
    'access-grants',
  ])
    expect((await owner.get(`/api/v1/${list}?search=${OUTSIDE}`)).body.data.length, list).toBeGreaterThan(0)
  expect((await owner.get(`/api/v1/individuals?search=${HIDDEN}`)).body.data).toHaveLength(3)
})

describe('what is read', () => {
  it.each(cells(reads))('%s by an Owner of a %s tells nothing of what is elsewhere', async (_url, place, route) => {
    const { here, hereUnderWay, elsewhere, elsewhereUnderWay } = world
    for (const ids of [
      here,
      { ...here, ...world.reached },
      { ...here, ...hereUnderWay },
      elsewhere,
      { ...elsewhere, ...elsewhereUnderWay },
    ])
      isQuiet(await clients[place].get(at(route, ids) + unshared(app, route)))
  })

  it.each(cells(reads.filter(({ url }) => url.includes(':'))))(
    '%s by an Owner of a %s answers for what is elsewhere as for what does not exist',
    async (_url, place, route) => {
      const other = await clients[place].get(at(route, world.elsewhere))
      expect(seen(other)).toEqual(seen(await clients[place].get(at(route, unknownIds))))
      expect(other.status, other.text).toBe(404)
    },
  )
})

describe('in whatever form', () => {
  it.each(cells(lists))(
    '%s of a %s tells nothing of what is elsewhere, as a file or with what it refers to',
    async (_url, place, route) => {
      const path = at(route, world.here)
      for (const format of ['csv', 'ndjson']) isQuiet(await clients[place].get(`${path}?format=${format}`))
      const references = Object.entries(route.doc?.list?.resource.fields ?? {}).filter(([, field]) => namedTable(field))
      for (const [name] of references)
        isQuiet(await clients[place].get(`${path}?select=${name.replace(/_id$/, '')}(id,name,display_name)`))
    },
  )

  it.each(places)('feeds and streams of a %s tell nothing of what is elsewhere', async (place) => {
    const types = [
      'building',
      'space',
      'access-point',
      'individual',
      'access-group',
      'access-grant',
      'key',
      'visit',
      'lockdown',
      'user',
    ]
    const narrowed = types.map((type) => `${type}.*`).join()
    for (const feed of [
      `changes?type=${narrowed}&`,
      `changes/stream?type=${narrowed}&`,
      'access-events?',
      'access-events/stream?',
    ]) {
      const answer = await clients[place].get(`/api/v1/${feed}after=0`)
      expect(answer.status, answer.text).toBe(200)
      isQuiet(answer)
    }
  })
})

describe('a list', () => {
  it.each(cells(lists))(
    '%s of a %s has what the Owner sees, less, and says to what it is limited',
    async (_url, place, route) => {
      const path = at(route, place === 'nothing' ? unknownIds : world.here)
      const answer = await clients[place].get(path)
      if (answer.status === 404) return
      const [own, whole] = [await all(clients[place], path), await all(owner, path)]
      expect(own.total).toBe(own.rows.length)
      expect(own.total).toBeLessThanOrEqual(whole.total)
      const { resource, shape } = route.doc?.list ?? {}
      // A row that is worked out is known by what it is about.
      const idOf = (row: Record<string, unknown>) => row.id ?? row.individual_id ?? row.access_point_id
      const known = new Map(whole.rows.map((row) => [idOf(row), row]))
      for (const row of own.rows) {
        for (const [name, value] of Object.entries(row)) {
          const spec = resource?.fields[name]?.spec
          const isOfCaller = spec?.countsEverywhere || (spec && !spec.isStored && !spec.expression)
          if (!isOfCaller) expect([idOf(row), name, value]).toEqual([idOf(row), name, known.get(idOf(row))?.[name]])
        }
      }
      // Imports are cut to the caller's own, not to places.
      if (shape !== 'A' || resource?.table === 'imports') return
      const limit =
        place === 'building'
          ? { building_id: world.here.buildings }
          : { location_id: place === 'nothing' ? world.empty : world.here.locations }
      expect(own.meta.limited_to).toMatchObject([limit])
      expect(whole.meta).not.toHaveProperty('limited_to')
    },
  )

  it.each(['schedules', 'calendars'])(
    '%s are the organization’s: no place cuts them, and no answer says that one did',
    async (noun) => {
      for (const place of places) {
        const [own, whole] = [await all(clients[place], `/api/v1/${noun}`), await all(owner, `/api/v1/${noun}`)]
        expect(own.rows.map(({ id }) => id)).toEqual(whole.rows.map(({ id }) => id))
        expect(own.meta).not.toHaveProperty('limited_to')
        expect((await clients[place].get(`/api/v1/${noun}/summary`)).body.meta).not.toHaveProperty('limited_to')
        expect((await clients[place].get(`/api/v1/${noun}?format=csv`)).headers).not.toHaveProperty('limited-to')
      }
    },
  )

  it.each(cells(lists.filter(({ doc }) => doc?.list?.offered.has('search'))))(
    '%s of a %s finds nothing by what is not seen, whole or in part',
    async (_url, place, route) => {
      const path = at(route, place === 'nothing' ? unknownIds : world.here)
      if ((await clients[place].get(path)).status === 404) return
      for (const word of [OUTSIDE, OUTSIDE.slice(0, 4), HIDDEN, HIDDEN.slice(0, 4)])
        expect((await all(clients[place], `${path}?search=${word}`)).rows, word).toEqual([])
    },
  )

  it.each(cells(lists.filter(({ doc }) => doc?.list?.offered.has('filters'))))(
    '%s of a %s cannot be filtered by what is not seen, and any order has the same items',
    async (_url, place, route) => {
      const path = at(route, place === 'nothing' ? unknownIds : world.here)
      if ((await clients[place].get(path)).status === 404) return
      const ids = (rows: Row[]) => rows.map(({ id }) => id).sort()
      const whole = ids((await all(clients[place], path)).rows)
      for (const [name, { spec }] of Object.entries(route.doc?.list?.resource.fields ?? {})) {
        if (!spec.isQueryable) continue
        expect(ids((await all(clients[place], `${path}?order=${name}.desc`)).rows), name).toEqual(whole)
        if (spec.type !== 'string' || spec.values) continue
        for (const mark of [OUTSIDE, HIDDEN])
          expect((await all(clients[place], `${path}?${name}=ilike.*${mark}*`)).rows, `${name} ${mark}`).toEqual([])
      }
    },
  )
})

describe('what has to do with a place and lies elsewhere', () => {
  it('is seen there, with nothing that is not told', async () => {
    for (const place of ['location', 'building'] as const) {
      for (const [table, id] of Object.entries(world.reached)) {
        const route = lists.find(
          ({ url, doc }) => doc?.list?.resource.table === table && !url.includes(':') && url.startsWith('/api'),
        )
        const resource = route?.doc?.list?.resource
        const item = await clients[place].get(`${route?.url}/${id}`)
        expect([table, item.status]).toEqual([table, 200])
        expect(item.text).toContain(REACHED)
        isQuiet(item)
        const fields = resource?.reaches?.fields
        if (fields) expect(Object.keys(item.body.data).sort()).toEqual([...fields].sort())
        const { rows } = await all(clients[place], `${route?.url}?id=eq.${id}`)
        expect(rows).toEqual([item.body.data])
        expect((await clients.nothing.get(`${route?.url}/${id}`)).status).toBe(404)
      }
    }
  })

  it('is not changed from there: 403, since it is seen', async () => {
    for (const route of app.routeTable.filter(
      ({ method, url }) => ['PATCH', 'DELETE', 'POST'].includes(method) && url.includes('/:id'),
    )) {
      const [parameter] = parametersOf(app, route)
      const id = world.reached[parameter?.table ?? '']
      if (!id || route.url.includes(':parent_id')) continue
      const body = route.doc?.body
        ? requiredBody(route.doc.body.schema, resourceOfRoute(app, route), world.here)
        : undefined
      const answer = await clients.building.request(route.method, addressOf(route.url, { id }), body)
      expect([route.method, route.url, answer.status]).toEqual([route.method, route.url, 403])
      isQuiet(answer)
    }
  })

  it('says by what means', async () => {
    const { rows } = await all(
      clients.building,
      `/api/v1/individuals?display_name=ilike.*${REACHED}*&order=display_name`,
    )
    expect(rows.map(({ display_name, means }) => [display_name, means])).toEqual([
      [`${REACHED} by grant`, ['grant']],
      [`${REACHED} by group`, ['group']],
      [`${REACHED} by key`, ['key']],
    ])
  })

  it('is not put in order by what is not seen of it', async () => {
    const names = async (order: string) =>
      (await all(clients.building, `/api/v1/individuals?search=${REACHED}&order=${order}`)).rows.map(({ id }) => id)
    expect(await names('email.desc')).toEqual(await names('email.asc'))
    expect(await names('email.desc')).toHaveLength(3)
  })

  it('shows of a locking plan the cylinders here and what opens them', async () => {
    const { data } = (await clients.building.get(`/api/v1/locking-system/${world.reached.locking_systems}/plan`)).body
    expect(data.cylinders.map(({ id }: Row) => id)).toEqual([world.reached.cylinders])
    expect(data.key_types.map(({ id, parent_id }: Row) => [id, parent_id])).toEqual([[world.reached.key_types, null]])
    expect(data.cells).toHaveLength(1)
    expect(data.limited_to).toHaveLength(1)
  })
})

describe('a count', () => {
  const totalOf = async (client: Client, path: string) => (await all(client, `/api/v1/${path}`)).total
  const paths: Record<string, string> = { locking_systems: 'locking-system' }

  it.each(places)('of the overview of a %s is what the lists have, or null', async (place) => {
    const client = clients[place]
    const { data } = (await client.get('/api/v1/overview')).body
    for (const [family, counts] of Object.entries(data as Record<string, Record<string, unknown> | null>)) {
      if (counts === null) continue
      const path = paths[family] ?? family.replaceAll('_', '-')
      expect([family, counts.total]).toEqual([family, await totalOf(client, path)])
      for (const [by, values] of Object.entries(counts)) {
        if (typeof values !== 'object' || by === 'limited_to') continue
        for (const [value, n] of Object.entries(values as object))
          expect([family, value, n]).toEqual([
            family,
            value,
            await totalOf(client, `${path}?${by.slice(3)}=eq.${value}`),
          ])
      }
    }
    const cards = 'locking-system?status=neq.retired&security_card_expires_on=not.is.null'
    const { security_cards_expired: over = 0, security_cards_expiring_within_90_days: soon = 0 } = data.locking_systems
    expect(over + soon).toBe(await totalOf(client, cards))
  })

  it.each(places)('of the other overviews of a %s is what the lists have, or null', async (place) => {
    const client = clients[place]
    const locking = (await client.get('/api/v1/locking-system/overview')).body.data
    expect(locking).toMatchObject({
      total: await totalOf(client, 'locking-system'),
      cylinders: { total: await totalOf(client, 'cylinders') },
      keys: { total: await totalOf(client, 'keys') },
      access_points: { total: await totalOf(client, 'access-points') },
    })
    expect((await client.get('/api/v1/access-control-systems/overview')).body.data).toMatchObject({
      total: await totalOf(client, 'access-control-systems'),
      access_points: { total: await totalOf(client, 'access-points') },
      credentials: { total: await totalOf(client, 'credentials') },
      individuals: { total: await totalOf(client, 'individuals') },
    })
  })

  it.each(['location', 'building'] as const)(
    'in an item of a %s is what the lists have, null or absent',
    async (place) => {
      const client = clients[place]
      for (const { id, summary } of (await all(client, '/api/v1/spaces')).rows as Array<
        Row & { summary: Record<string, number | null> }
      >) {
        expect(summary.total_access_points).toBe(await totalOf(client, `access-points?space_id=eq.${id}`))
        expect(summary.total_access_control_systems).toBe(1)
        expect(summary.total_individuals).toBeLessThanOrEqual(await totalOf(client, 'individuals'))
        expect(summary.total_access_credentials).toBeNull()
      }
      for (const row of (await all(client, '/api/v1/locking-system')).rows)
        if ('cylinder_count' in row)
          expect(row.cylinder_count).toBe(await totalOf(client, `cylinders?locking_system_id=eq.${row.id}`))
      for (const row of (await all(client, '/api/v1/key-types')).rows)
        expect(row.key_count).toBe(await totalOf(client, `keys?key_type_id=eq.${row.id}`))
      for (const row of (await all(client, '/api/v1/access-groups')).rows)
        if ('member_count' in row)
          expect(row.member_count).toBe(await totalOf(client, `access-group-members?access_group_id=eq.${row.id}`))
      for (const row of (await all(client, '/api/v1/access-control-systems')).rows)
        expect(row.access_point_count ?? null).toBeNull()
    },
  )
})

describe('what is written', () => {
  const changes = app.routeTable.filter(
    ({ method, permission, url }) =>
      method !== 'GET' && method !== 'HEAD' && permission !== undefined && permission !== 'self' && !isShared(url),
  )

  it.each(cells(changes))(
    '%s by an Owner of a %s is tried without a word of what is elsewhere',
    async (_url, place, route) => {
      const body =
        route.doc?.body &&
        (route.method === 'PATCH' ? {} : requiredBody(route.doc.body.schema, resourceOfRoute(app, route), world.here))
      const tried = (ids: Ids) => clients[place].request(route.method, `${at(route, ids)}?dry_run=true`, body)
      for (const ids of [world.here, { ...world.here, ...world.reached }, world.elsewhere]) isQuiet(await tried(ids))
      if (route.url.includes(':')) expect(seen(await tried(world.elsewhere))).toEqual(seen(await tried(unknownIds)))
    },
  )

  const writes = app.routeTable.filter(
    // A batch answers each of its rows: what one refers to is told there, as by the route for one.
    (route) =>
      route.permission !== 'self' &&
      !route.url.endsWith('/batch') &&
      // Who is a member is seen in the list of members, and member-set.test.ts is about who is not.
      !isMemberSet(route) &&
      referencesIn(route.doc?.body?.schema ?? {}, resourceOfRoute(app, route), {}).length > 0,
  )

  it.each(writes.map((route) => [`${route.method} ${route.url}`, route] as const))(
    '%s answers for ids of what is elsewhere as for ids that nothing has',
    async (_name, route) => {
      for (const { path, table, bodyWith } of referencesIn(
        route.doc?.body?.schema ?? {},
        resourceOfRoute(app, route),
        world.here,
      )) {
        // A role that came with the service is known to everybody.
        const hidden = world.elsewhere[table]
        // Schedules and calendars have no place: whoever may read any reads all.
        if (!hidden || table === 'schedules' || table === 'calendars') continue
        const unknown = randomUUID()
        const address = at(route, world.here)
        const [other, none] = [
          await clients.building.request(route.method, address, bodyWith(hidden)),
          await clients.building.request(route.method, address, bodyWith(unknown)),
        ]
        expect(none.status, `${path}: ${none.text}`).toBeGreaterThanOrEqual(400)
        expect(seen(other, hidden), path).toEqual(seen(none, unknown))
        isQuiet(other)
      }
    },
  )

  const creations = app.routeTable.filter(
    ({ method, url, doc, permission }) =>
      method === 'POST' && permission !== 'self' && doc?.body && 'external_id' in (resourceAt(app, url)?.fields ?? {}),
  )

  it.each(creations.map((route) => [route.url, route] as const))(
    'POST %s tells of no external_id that is taken elsewhere',
    async (_url, route) => {
      const body = requiredBody(route.doc?.body?.schema ?? {}, resourceAt(app, route.url), world.here)
      const answers = []
      for (const external_id of [`set-${OUTSIDE}`, `${OUTSIDE}-external_id`, 'taken by nobody'])
        answers.push(seen(await clients.building.post(at(route, world.here), { ...body, external_id })))
      expect(answers[0]).toEqual(answers[2])
      expect(answers[1]).toEqual(answers[2])
    },
  )

  it('is refused for where it would lie, whether a name is taken there or not', async () => {
    const [role, group] = [`${OUTSIDE} role`, `${OUTSIDE} group`]
    await house.loggedIn(owner.token).create('/api/v1/roles', { name: role })
    await owner.create('/api/v1/access-groups', { name: group, building_id: world.elsewhere.buildings })
    for (const [path, name] of [
      ['roles', role],
      ['access-groups', group],
    ] as const) {
      const answers = [
        await clients.building.post(`/api/v1/${path}`, { name }),
        await clients.building.post(`/api/v1/${path}`, { name: 'Free' }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403])
      expect(seen(answers[0] as Answer)).toEqual(seen(answers[1] as Answer))
    }
  })
})
