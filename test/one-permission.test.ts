import { beforeAll, expect, it } from 'vitest'
import { allResources } from '../src/all-resources.ts'
import type { Permission } from '../src/core/permissions.ts'
import type { RouteEntry } from '../src/http/context.ts'
import { type Client, startHouse } from './support/app.ts'
import { extras, populate } from './support/population.ts'
import { memberWith } from './support/role.ts'
import {
  addressOf,
  type Ids,
  parametersOf,
  requiredBody,
  resourceAt,
  resourceOfRoute,
} from './support/route-requests.ts'
import { underWay } from './support/under-way.ts'

/**
 * Every operation, for somebody with its permission and no other: which texts of other resources it tells. Made from
 * the route table: a route that is added is in it, and what it tells of others is said here or is a fault.
 */
const house = await startHouse()
const { app, owner } = house

const where = ['buildings.name', 'locations.name']
const who = ['individuals.company', 'individuals.display_name']
const given = ['roles.name', 'service-users.name']
const told: Partial<Record<Permission, string[]>> = {
  'access-grants:write': ['access-requests.reason'],
  'access-points:audience': ['individuals.display_name'],
  // A review names who may open what, and its lines are decided by that.
  'access-reviews:read': ['buildings.name', 'individuals.display_name', 'key-types.code'],
  'access-reviews:write': ['buildings.name'],
  'key-types:read': ['cylinders.label', 'cylinders.number', 'locking-system.name'],
  'key-types:write': ['locking-system.name'],
  'keys:handover': ['key-types.code'],
  'keys:read': ['key-types.code'],
  'keys:write': ['key-types.code'],
  'presence:forgive': who,
  'presence:read': [...who, 'spaces.name'],
  'role-assignments:read': given,
  'role-assignments:write': given,
  'spaces:read': where,
  'spaces:write': where,
}

/** It tells of everything, and is given for that. */
const ALL: Permission = 'audit-log:read'
const permissions = [...new Set(app.routeTable.map(({ permission }) => permission))].filter(
  (permission): permission is Permission => permission !== undefined && permission !== 'self' && permission !== ALL,
)

const TEXTS = ['name', 'display_name', 'given_name', 'family_name', 'label', 'number', 'code', 'description'] as const
const MORE_TEXTS = ['reason', 'purpose', 'storage', 'company', 'department'] as const
/** Each text by what it is of. */
const marks = new Map<string, string>()
let ids: Ids
/** Items in other states, in place of the first ones. */
let others: Ids
let elsewhere: string

beforeAll(async () => {
  ids = await populate(house, owner, 'A')
  const admin = house.loggedIn(owner.token)
  for (const { noun, table, fields } of allResources) {
    if (!app.routeTable.some(({ method, url }) => method === 'PATCH' && url === `/api/v1/${noun}/:id`)) continue
    for (const name of [...TEXTS, ...MORE_TEXTS].filter((text) => text in fields)) {
      const mark = `zq${noun}${name}qz`.replaceAll(/[-_]/g, '')
      // What is closed stays as it was.
      const { status } = await admin.patch(`/api/v1/${noun}/${ids[table]}`, { [name]: mark })
      if (status === 200) marks.set(mark, `${noun}.${name}`)
    }
  }
  others = await underWay(house, admin, ids)
  elsewhere = (await admin.create('/api/v1/locations', { name: 'Elsewhere' })).id
}, 120_000)

/** Every permission, at a place where nothing lies. */
async function makeRoleElsewhere(service_user_id: string): Promise<void> {
  const admin = house.loggedIn(owner.token)
  const role_id = (await admin.get('/api/v1/roles?name=eq.Owner')).body.data[0].id
  await admin.create('/api/v1/role-assignments', { service_user_id, role_id, location_id: elsewhere })
}

/** Of the item there is, and of one in another state where there is one. */
async function ask(client: Client, route: RouteEntry): Promise<string> {
  const isOfOthers = parametersOf(app, route).some(({ table }) => table in others)
  const texts = [await askOf(client, route, ids)]
  if (isOfOthers) texts.push(await askOf(client, route, { ...ids, ...others }))
  return texts.join('\n')
}

async function askOf(client: Client, route: RouteEntry, ids: Ids): Promise<string> {
  const inPath = parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])
  const address = addressOf(route.url, { ...Object.fromEntries(inPath), external_id: 'set-A' })
  if (route.method === 'GET') return (await client.get(`${address}${route.doc?.list ? '?limit=100' : ''}`)).text
  const made = route.method === 'POST' ? extras[resourceAt(app, route.url)?.table ?? '']?.(ids) : {}
  const body = route.doc?.body && {
    ...requiredBody(route.doc.body.schema, resourceOfRoute(app, route), ids),
    ...made,
  }
  const tried = await client.request(route.method, `${address}?dry_run=true`, body)
  // What only asks cannot be tried: it is asked.
  if (tried.body.error?.reason !== 'param.unknown') return tried.text
  return (await client.request(route.method, address, body)).text
}

it('has texts of most resources to look for', () => expect(marks.size).toBeGreaterThan(40))

it('has a revocation that waits at a controller, and a key that opens', async () => {
  const { data } = (await owner.get(`/api/v1/access-grants/${ids.access_grants}/sync`)).body
  expect(data).toMatchObject({ state: 'pending', still_opens: [{ access_point_id: ids.access_points }] })
  expect((await owner.get(`/api/v1/locking-system/${ids.locking_systems}/plan`)).body.data.cells).toHaveLength(1)
})

/** What of other resources the routes of a permission tell. */
async function toldBy(client: Client, permission: Permission): Promise<string[]> {
  const [noun] = permission.split(':')
  const found = new Set<string>()
  for (const route of app.routeTable) {
    // A stream does not end by itself; it tells what its feed tells.
    if (route.permission !== permission || route.url.endsWith('/stream')) continue
    const text = await ask(client, route)
    for (const [mark, of] of marks) if (text.includes(mark) && !of.startsWith(`${noun}.`)) found.add(of)
  }
  return [...found].sort()
}

it.each(permissions)('%s alone tells of nothing else than it is given for', async (permission) => {
  const client = house.loggedIn((await memberWith(house, [permission])).token)
  expect(await toldBy(client, permission)).toEqual(told[permission] ?? [])
})

it.each(permissions)('%s tells no more to whoever holds all others elsewhere', async (permission) => {
  const { token } = await memberWith(house, [permission])
  const client = house.loggedIn(token)
  await makeRoleElsewhere((await client.get('/api/v1/me')).body.data.id)
  // Those belong to no place: whoever may read any reads all.
  const isShared = (of: string) => /^(calendars|schedules)\./.test(of)
  const found = (await toldBy(client, permission)).filter((of) => permission !== 'changes:read' || !isShared(of))
  expect(found).toEqual(told[permission] ?? [])
})
