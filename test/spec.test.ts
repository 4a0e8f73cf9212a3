import { beforeAll, describe, expect, it } from 'vitest'
import { errorStatus } from '../src/core/errors.ts'
import type { Permission } from '../src/core/permissions.ts'
import type { RouteEntry } from '../src/http/context.ts'
import { type Answer, startHouse } from './support/app.ts'
import { populate } from './support/population.ts'
import { memberWith } from './support/role.ts'
import { addressOf, type Ids, parametersOf } from './support/route-requests.ts'

/**
 * The specification, sentence by sentence: each test's name quotes it. What is quoted beside a resource (the list of
 * locking systems, the counts of a space, credentials) is not repeated here.
 */
const house = await startHouse()
const { app, owner } = house
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'
const keysOf = (value: object): string[] => Object.keys(value)
const namesOf = ({ body }: Answer): string[] => body.data.map((row: { name: string }) => row.name)

let ids: Ids
beforeAll(async () => {
  ids = await populate(house, owner, 'A')
})

const readable = app.routeTable.filter(({ method, permission }) => method === 'GET' && permission !== undefined)
const pathOf = (route: (typeof readable)[number]): string =>
  addressOf(route.url, {
    ...Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])),
    external_id: 'set-A',
  })
const titled = (list: typeof readable) => list.map((route) => [route.url, route] as const)

/** An export is a file, and says so in its documentation; everything else is JSON. */
const isJson = ({ doc }: (typeof readable)[number]): boolean =>
  doc?.success.files === undefined && doc?.success.stream === undefined

describe('1. What the service does', () => {
  it.each(titled(readable.filter(isJson)))(
    '"Every response is JSON with a `msg` text field": GET %s',
    async (_url, route) => {
      const answer = await owner.get(pathOf(route))
      // What an application asks of somebody is over after minutes, and nobody else's business: here it is told that
      // there is none.
      expect(answer.status, answer.text).toBe(route.url.includes('/interactions/') ? 404 : 200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.body.msg).toEqual(expect.stringMatching(/\S/))
    },
  )

  it.each([
    ['created', () => owner.post('/api/v1/locations', { name: 'New' }), 201],
    ['changed', () => owner.patch(`/api/v1/locations/${ids.locations}`, { slug: 'new' }), 200],
    [
      'deleted',
      async () => owner.delete(`/api/v1/locations/${(await owner.create('/api/v1/locations', { name: 'Old' })).id}`),
      200,
    ],
    ['options', () => owner.request('OPTIONS', '/api/v1/locations'), 200],
    ['alive', () => owner.get('/livez'), 200],
    ['ready', () => owner.get('/readyz'), 200],
    ['refused', () => owner.get('/api/v1/locations?page=0'), 400],
    ['not authorized', () => house.anonymous.get('/api/v1/locations'), 401],
    ['not there', () => owner.get('/api/v1/nothing'), 404],
    ['in use', () => owner.delete(`/api/v1/locations/${ids.locations}`), 409],
  ])('"Every response is JSON with a `msg` text field": %s', async (_what, ask, status) => {
    const answer = await ask()
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body.msg).toEqual(expect.stringMatching(/\S/))
  })

  it('"API calls are made as a service user": it is who the service says it is', async () => {
    expect((await owner.get('/api/v1/me')).body.data.kind).toBe('service_user')
  })
})

describe('2.1 Response envelope', () => {
  const items = readable.filter(({ url, doc }) => !doc?.list && /\/:id$|\/overview$|\/me$/.test(url))
  it.each(titled(items))(
    '"Single item response": msg and data, an object, and nothing else: GET %s',
    async (_url, route) => {
      const { body } = await owner.get(pathOf(route))
      expect(keysOf(body)).toEqual(['msg', 'data'])
      expect(body.data).toEqual(expect.any(Object))
      expect(Array.isArray(body.data)).toBe(false)
    },
  )

  it.each(titled(readable.filter(({ doc }) => doc?.list)))(
    '"List response": msg, data, an array of objects, and meta: GET %s',
    async (_url, route) => {
      const { body } = await owner.get(pathOf(route))
      expect(keysOf(body)).toEqual(['msg', 'data', 'meta'])
      // Of itself a caller by token has no sessions, and nothing changed between two moments; everything else is
      // populated.
      if (route.permission !== 'self' && !route.url.endsWith('/changes')) expect(body.data.length).toBeGreaterThan(0)
      for (const item of body.data) expect(typeof item).toBe('object')
    },
  )
})

/** A row that is worked out is known by what it is about. */
const idOf = ({ doc }: RouteEntry): string => {
  const names = Object.keys(doc?.list?.resource.fields ?? {})
  return names.includes('id') ? 'id' : (names.find((name) => name.endsWith('_id')) ?? '')
}

describe('2.2 The `meta` object', () => {
  const shapeA = readable.filter(({ doc }) => doc?.list?.shape === 'A')
  it.each(titled(shapeA))('"Shape A (general list, with echo of the query)": GET %s', async (_url, route) => {
    const id = idOf(route)
    const { meta } = (await owner.get(`${pathOf(route)}?order=${id}.desc&${id}=neq.${unknown}&limit=1`)).body
    // Lists of who can open something say of lost keys too.
    expect(keysOf(meta).filter((key) => !key.startsWith('unaccounted'))).toEqual([
      'filters',
      'order',
      'pagination',
      'select',
    ])
    expect(meta.filters).toEqual([{ field: id, operator: 'neq', value: unknown }])
    expect(meta.order).toEqual([{ field: id, direction: 'desc', nulls: 'last' }])
    expect(keysOf(meta.pagination)).toEqual(['limit', 'page', 'pages', 'total'])
    for (const number of Object.values(meta.pagination)) expect(Number.isInteger(number)).toBe(true)
    expect(meta.select).toEqual(expect.arrayContaining([id]))
    for (const name of meta.select) expect(typeof name).toBe('string')
  })

  it('"operator (string; values seen: `eq`, `neq`)", "value (string)": a number’s filter too is echoed as text', async () => {
    const { meta } = (await owner.get('/api/v1/locations?version=eq.1&name=neq.x')).body
    expect(meta.filters).toEqual([
      { field: 'version', operator: 'eq', value: '1' },
      { field: 'name', operator: 'neq', value: 'x' },
    ])
  })

  it('"direction (string; values seen: `asc`, `desc`), `nulls` (string; value seen: `last`)": what was applied, asked for or not', async () => {
    const ask = async (query: string) => (await owner.get(`/api/v1/locations${query}`)).body.meta.order
    expect(await ask('')).toEqual([{ field: 'created_at', direction: 'asc', nulls: 'last' }])
    expect(await ask('?order=name,address.desc.nullsfirst')).toEqual([
      { field: 'name', direction: 'asc', nulls: 'last' },
      { field: 'address', direction: 'desc', nulls: 'first' },
    ])
  })

  it('"meta.select: Names of the fields selected"', async () => {
    const { body } = await owner.get('/api/v1/locations?select=name,id')
    expect(body.meta.select).toEqual(['name', 'id'])
    for (const item of body.data) expect(keysOf(item)).toEqual(['name', 'id'])
    const all = (await owner.get('/api/v1/locations')).body
    expect(all.meta.select).toEqual(keysOf(all.data[0]))
  })

  it('"Shape B (locking-system list)": total, count, per_page, current_page and total_pages', async () => {
    const { meta } = (await owner.get('/v1/core/locking-system?limit=5&page=2')).body
    expect(meta).toEqual({ pagination: { total: 1, count: 0, per_page: 5, current_page: 2, total_pages: 1 } })
  })

  it('"Shape C (spaces list)": current_count, current_page, per_page, total_pages and total_items, all integers', async () => {
    const { meta } = (await owner.get('/api/v1/spaces?limit=5&page=2')).body
    expect(meta).toEqual({
      pagination: { current_count: 0, current_page: 2, per_page: 5, total_pages: 1, total_items: 1 },
    })
  })
})

const SPACE_FIELDS = [
  'id',
  'building_id',
  'name',
  'location',
  'building',
  'slug',
  'area',
  'department',
  'access_points',
  'summary',
]
const SUMMARY_FIELDS = [
  'total_access_control_systems',
  'total_access_credentials',
  'total_access_points',
  'total_individuals',
]
/** The rights that a space's parts need. */
const READS: Permission[] = [
  'spaces:read',
  'access-points:read',
  'access-control-systems:read',
  'credentials:read',
  'individuals:read',
]

describe('2.3 Space', () => {
  const spaceIn = async (client = owner) => (await client.get(`/api/v1/spaces?space_ids=${ids.spaces}`)).body.data[0]

  it('"id", "building_id": "string, UUID"; "name", "location", "building", "slug": "string"', async () => {
    const space = await spaceIn()
    expect(keysOf(space)).toEqual(SPACE_FIELDS)
    for (const name of ['id', 'building_id']) expect(space[name]).toMatch(UUID)
    for (const name of ['name', 'location', 'building', 'slug']) expect(typeof space[name]).toBe('string')
  })

  it('"Composite text of location names", "Composite text of building names"', async () => {
    const country = await owner.create('/api/v1/locations', { name: 'Switzerland' })
    const city = await owner.create('/api/v1/locations', { name: 'Zürich', parent_id: country.id })
    const house = await owner.create('/api/v1/buildings', { name: 'Main', location_id: city.id })
    const wing = await owner.create('/api/v1/buildings', {
      name: 'East wing',
      location_id: city.id,
      parent_id: house.id,
    })
    const { id } = await owner.create('/api/v1/spaces', { name: 'E 27', building_id: wing.id })
    const [space] = (await owner.get(`/api/v1/spaces?space_ids=${id}`)).body.data
    expect(space).toMatchObject({ location: 'Switzerland / Zürich', building: 'Main / East wing' })
  })

  it('"slug: May be an empty string"', async () => {
    expect((await spaceIn()).slug).toBe('')
    expect((await owner.patch(`/api/v1/spaces/${ids.spaces}`, { slug: 'e-27' })).status).toBe(200)
    expect((await spaceIn()).slug).toBe('e-27')
    expect((await owner.patch(`/api/v1/spaces/${ids.spaces}`, { slug: '' })).status).toBe(200)
    expect((await spaceIn()).slug).toBe('')
  })

  it('"area", "department": "Only null is seen", and null is what they are unless somebody sets them', async () => {
    expect(await spaceIn()).toMatchObject({ area: null, department: null })
    await owner.patch(`/api/v1/spaces/${ids.spaces}`, { area: '42 m²', department: 'Physics' })
    expect(await spaceIn()).toMatchObject({ area: '42 m²', department: 'Physics' })
    await owner.patch(`/api/v1/spaces/${ids.spaces}`, { area: null, department: null })
    expect(await spaceIn()).toMatchObject({ area: null, department: null })
  })

  it('"access_points: May be an empty array"', async () => {
    const { id } = await owner.create('/api/v1/spaces', { name: 'Doorless', building_id: ids.buildings })
    expect((await owner.get(`/api/v1/spaces?space_ids=${id}`)).body.data[0].access_points).toEqual([])
  })

  it('"the field can also be absent from an item": then it is no key of it, in the list and in the item', async () => {
    const client = await memberWith(house, ['spaces:read'])
    expect(keysOf(await spaceIn(client))).toEqual(SPACE_FIELDS.filter((name) => name !== 'access_points'))
    expect(keysOf((await client.get(`/api/v1/spaces/${ids.spaces}`)).body.data)).not.toContain('access_points')
  })

  it('"Summary object fields": four counts, integers where they are computed', async () => {
    const { summary } = await spaceIn()
    expect(keysOf(summary)).toEqual(SUMMARY_FIELDS)
    for (const count of Object.values(summary)) expect(Number.isInteger(count)).toBe(true)
    expect(summary.total_access_points).toBe(1)
  })

  it.each([
    ['total_access_points', 'access-points:read'],
    ['total_access_control_systems', 'access-control-systems:read'],
    ['total_individuals', 'individuals:read'],
    ['total_access_credentials', 'credentials:read'],
  ] as const)(
    '"Each is nullable and is null when the count is not computed": %s without %s, and the others are there',
    async (count, permission) => {
      const { summary } = await spaceIn(
        await memberWith(
          house,
          READS.filter((other) => other !== permission),
        ),
      )
      expect(keysOf(summary)).toEqual(SUMMARY_FIELDS)
      expect(Object.entries(summary).filter(([, value]) => value === null)).toEqual([[count, null]])
    },
  )
})

describe('2.4 Access point (as embedded in a space)', () => {
  it('has id (UUID), name, description and label (short code), all strings, and nothing else', async () => {
    await owner.patch(`/api/v1/access-points/${ids.access_points}`, { description: 'Double door', label: 'T1' })
    const [space] = (await owner.get(`/api/v1/spaces?space_ids=${ids.spaces}`)).body.data
    expect(space.access_points).toEqual([
      { id: expect.stringMatching(UUID), name: 'Set A', description: 'Double door', label: 'T1' },
    ])
    expect(keysOf(space.access_points[0])).toEqual(['id', 'name', 'description', 'label'])
  })
})

describe('4. Endpoints', () => {
  it('"Generic path shape: `/api/{version}/{service}/{method}`, where `{version}` is a version segment such as `v1`"; "The locking-system list path has no `/api` prefix, unlike the other paths"', () => {
    const guarded = app.routeTable.filter(({ permission }) => permission !== undefined).map(({ url }) => url)
    expect([...new Set(guarded.filter((url) => !/^\/api\/v1\/[a-z]/.test(url)))]).toEqual(['/v1/core/locking-system'])
  })

  it.each(['/api/v1/locking-system/overview', '/api/v1/access-control-systems/overview'])('GET %s', async (path) => {
    const { status, body } = await owner.get(path)
    expect(status).toBe(200)
    expect(keysOf(body)).toEqual(['msg', 'data'])
    expect(Number.isInteger(body.data.total)).toBe(true)
  })

  it('"The authentication examples also show `POST` sent to the locking-system overview path": it answers as GET does, with no body or an empty one', async () => {
    const get = await owner.get('/api/v1/locking-system/overview')
    for (const body of [undefined, {}]) {
      const post = await owner.post('/api/v1/locking-system/overview', body)
      expect([post.status, post.body]).toEqual([200, get.body])
    }
  })

  it('"A general list response may carry Shape A `meta` echoing the applied filters, order, pagination and selected fields"', async () => {
    const { meta } = (await owner.get('/api/v1/buildings?name=eq.Set A&order=name.desc&select=name&limit=3&page=2'))
      .body
    expect(meta).toEqual({
      filters: [{ field: 'name', operator: 'eq', value: 'Set A' }],
      order: [{ field: 'name', direction: 'desc', nulls: 'last' }],
      pagination: { limit: 3, page: 2, pages: 1, total: 1 },
      select: ['name'],
    })
  })
})

describe('4.2 GET /api/v1/spaces: query parameters', async () => {
  const separate = await startHouse()
  const { owner: client } = separate
  const place: Record<'north' | 'south', { location: string; building: string }> = {} as never
  const spaces: Record<string, string> = {}
  beforeAll(async () => {
    for (const side of ['north', 'south'] as const) {
      const location = (await client.create('/api/v1/locations', { name: side })).id
      const building = (await client.create('/api/v1/buildings', { name: `${side} house`, location_id: location })).id
      place[side] = { location, building }
      for (const name of [`${side} 1`, `${side} 2`])
        spaces[name] = (await client.create('/api/v1/spaces', { name, building_id: building })).id
    }
  })
  const names = async (query: string) => namesOf(await client.get(`/api/v1/spaces?${query}`))

  it('"page: Page number, starting at 1"; "limit: Results per page"', async () => {
    expect(await names('limit=3')).toEqual(['north 1', 'north 2', 'south 1'])
    expect(await names('limit=3&page=1')).toEqual(['north 1', 'north 2', 'south 1'])
    expect(await names('limit=3&page=2')).toEqual(['south 2'])
    expect((await client.get('/api/v1/spaces?page=0')).status).toBe(400)
  })

  it('"search: Text search"', async () => {
    expect(await names('search=south%202')).toEqual(['south 2'])
    expect(await names('search=NORTH')).toEqual(['north 1', 'north 2'])
    expect(await names('search=nowhere')).toEqual([])
  })

  it('"location_id: Restrict to a location"; "building_id: Restrict to a building"', async () => {
    expect(await names(`location_id=${place.south.location}`)).toEqual(['south 1', 'south 2'])
    expect(await names(`building_id=${place.north.building}`)).toEqual(['north 1', 'north 2'])
    expect(await names(`location_id=${place.south.location}&building_id=${place.north.building}`)).toEqual([])
    expect((await client.get('/api/v1/spaces?location_id=x')).status).toBe(400)
  })

  it('"space_ids: Restrict to the given space", or to several', async () => {
    const [one, two] = [spaces['north 2'], spaces['south 1']]
    expect(await names(`space_ids=${one}`)).toEqual(['north 2'])
    expect(await names(`space_ids=${one},${two}`)).toEqual(['north 2', 'south 1'])
    expect(await names(`space_ids=${one}&space_ids=${two}`)).toEqual(['north 2', 'south 1'])
  })

  it('"is_include_others: boolean (`true`/`false`), Include other spaces"', async () => {
    const named = `space_ids=${spaces['south 1']}`
    expect(await names(`${named}&is_include_others=true`)).toEqual(['south 1', 'north 1', 'north 2', 'south 2'])
    expect(await names(`${named}&is_include_others=false`)).toEqual(['south 1'])
    expect(await names('is_include_others=true')).toEqual(['north 1', 'north 2', 'south 1', 'south 2'])
    expect((await client.get('/api/v1/spaces?is_include_others=yes')).status).toBe(400)
  })

  it('"Success response: `msg`, `data` (array of Space), `meta.pagination` (Shape C)"', async () => {
    const { body } = await client.get('/api/v1/spaces?limit=3')
    expect(keysOf(body)).toEqual(['msg', 'data', 'meta'])
    for (const space of body.data) expect(keysOf(space)).toEqual(SPACE_FIELDS)
    expect(body.meta).toEqual({
      pagination: { current_count: 3, current_page: 1, per_page: 3, total_pages: 2, total_items: 4 },
    })
  })
})

describe('5. Authentication', () => {
  it('"Most endpoints require the header `Authorization`": all of them but those that are open by declaration', async () => {
    for (const route of readable)
      expect((await house.anonymous.get(pathOf(route), {})).status, route.url).toBeOneOf([401, 429])
  })

  it('"a new service user is created", "Create Token creates a token", "The creator supplies an expiry date", "The token value is displayed once only, at creation", "The token is then used in the `Authorization` header", "A role can be assigned to the service user to limit its access"', async () => {
    const admin = house.loggedIn(owner.token)
    const user = await admin.create('/api/v1/service-users', { name: 'Synchronisation' })
    const path = `/api/v1/service-users/${user.id}/tokens`
    expect((await admin.post(path, { name: 'Nightly' })).status).toBe(400)
    const token = await admin.create(path, { name: 'Nightly', expires_at: '2027-12-31' })
    expect(token.expires_at).toMatch(/^2027-12-31/)
    for (const answer of [await admin.get(path), await admin.get(`${path}/${token.id}`)])
      expect(answer.text).not.toContain(token.value)
    const client = house.client(token.value)
    expect((await client.get('/api/v1/locations')).status).toBe(403)
    const [role] = (await admin.get('/api/v1/roles?name=eq.Auditor')).body.data
    await admin.create('/api/v1/role-assignments', { service_user_id: user.id, role_id: role.id })
    expect((await client.get('/api/v1/locations')).status).toBe(200)
    expect((await client.post('/api/v1/locations', { name: 'x' })).status).toBe(403)
  })
})

describe('7. Errors', () => {
  it('"Error response body": msg, error.code, error.docs and error.req_id, exactly, where there is nothing more to say', async () => {
    const { body } = await owner.get(`/api/v1/locations/${unknown}`)
    expect(keysOf(body)).toEqual(['msg', 'error'])
    expect(keysOf(body.error)).toEqual(['code', 'docs', 'req_id'])
    expect(typeof body.msg).toBe('string')
  })

  it('has reason and details beside them where they help, and never anything else', async () => {
    const { body } = await owner.post('/api/v1/locations', {})
    expect(keysOf(body)).toEqual(['msg', 'error'])
    expect(keysOf(body.error)).toEqual(['code', 'docs', 'req_id', 'reason', 'details'])
  })

  it('"Request identifier, of shape `req_<digits>`"', async () => {
    for (const url of ['/api/v1/nothing', '/api/v1/locations?page=x', `/api/v1/locations/${unknown}`]) {
      expect((await owner.get(url)).body.error.req_id).toMatch(/^req_\d+$/)
    }
  })

  it('"UNAUTHORIZED: Credential missing, malformed, or lacking the required permissions"', async () => {
    const limited = await memberWith(house, ['spaces:read'])
    const answers = [
      await limited.get('/api/v1/locations'),
      await house.anonymous.get('/api/v1/locations'),
      await house.client('malformed').get('/api/v1/locations'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([
      403,
      expect.toBeOneOf([401, 429]),
      expect.toBeOneOf([401, 429]),
    ])
  })

  it.each(Object.keys(errorStatus))(
    '"of shape `{docs_url}/docs/api/errors/<code>`": the page of %s is there',
    async (code) => {
      const page = await house.anonymous.get(`/docs/api/errors/${code}`)
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(code)
    },
  )

  it('an error’s docs address leads to its page, wherever the documentation is served', async () => {
    const { error } = (await owner.get('/api/v1/nothing')).body
    expect(error.docs).toBe('http://gatehouse.test/docs/api/errors/NOT_FOUND')
    expect((await house.anonymous.get(new URL(error.docs).pathname)).status).toBe(200)
    expect((await house.anonymous.get('/docs/api/errors/NO_SUCH_CODE')).status).toBe(404)
  })
})

describe('8. Limits', () => {
  it.each(titled(readable.filter(({ doc }) => doc?.list)))(
    '"maximum 100" on every list: GET %s',
    async (_url, route) => {
      expect((await owner.get(`${pathOf(route)}?limit=100`)).status).toBe(200)
      const { status, body } = await owner.get(`${pathOf(route)}?limit=101`)
      expect([status, body.error.reason]).toEqual([400, 'limit.out_of_range'])
    },
  )
})

describe('9. Versioning', () => {
  it.each([
    '/api/v2/spaces',
    '/api/v0/spaces',
    '/api/V1/spaces',
    '/api/spaces',
    '/v2/core/locking-system',
    '/v1/spaces',
  ])(
    '"The version is a path segment: `/api/{version}/...`; the value `v1` is in use": %s is not there',
    async (path) => {
      const { status, body } = await owner.get(path)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
})
