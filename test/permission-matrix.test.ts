import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtInRoles } from '../src/core/permissions.ts'
import type { RouteEntry } from '../src/http/context.ts'
import { type Answer, type Client, startHouse } from './support/app.ts'
import { extras, populate } from './support/population.ts'
import {
  addressOf,
  type Ids,
  parametersOf,
  requiredBody,
  resourceAt,
  resourceOfRoute,
} from './support/route-requests.ts'

/**
 * Every operation, asked for by every built-in role, given for the organization, for a location and for a building:
 * once about what lies in that location and building (A), once about what lies elsewhere (B). The requests are made
 * from the route table, so a route that is added is in the matrix; one that cannot be asked this way fails by its name.
 */
const house = await startHouse()
const { app } = house
const scopes = ['organization', 'location', 'building'] as const

interface Column {
  role: string
  scope: (typeof scopes)[number]
  client: Client
}
const columns: Column[] = []
let here: Ids
let elsewhere: Ids

beforeAll(async () => {
  here = await populate(house, house.owner, 'A')
  elsewhere = await populate(house, house.owner, 'B')
  const places = {
    organization: {},
    location: { location_id: here.locations },
    building: { building_id: here.buildings },
  }
  for (const { name: role } of builtInRoles) {
    for (const scope of scopes) {
      const { token } = await house.member(role, places[scope] as object)
      columns.push({ role, scope, client: house.loggedIn(token) })
    }
  }
})

const routes = app.routeTable
  .filter(({ method, permission }) => method !== 'HEAD' && permission !== undefined && permission !== 'self')
  .sort((a, b) => (a.url < b.url || (a.url === b.url && a.method < b.method) ? -1 : 1))
const nameOf = ({ method, url }: RouteEntry): string => `${method.padEnd(6)} ${url}`

/** What puts a new item in a place, where that is not required of it. */
const placing: Record<string, (ids: Ids) => object> = {
  ...extras,
  locations: (ids) => ({ parent_id: ids.locations }),
  credentials: (ids) => ({ individual_id: ids.individuals }),
}

const isByKey = ({ url }: RouteEntry): boolean => url.endsWith('/by-external-id/:external_id')

/** A batch answers each of its rows as a single call would. */
const isBatch = ({ url, doc }: RouteEntry): boolean =>
  url.endsWith('/batch') && doc?.body?.name !== 'AccessQuestions' && !isEvents(url)
const isEvents = (url: string): boolean => url === '/api/v1/access-events/batch'

/** One that is done to an item that is there. */
function opOf({ url }: RouteEntry): string {
  const takes = (method: string) =>
    app.routeTable.some((other) => other.method === method && other.url === url.replace(/batch$/, ':id'))
  if (takes('PATCH')) return 'update'
  return takes('DELETE') ? 'delete' : 'upsert'
}

/** A body that is in order, so that nothing but rights can refuse it. */
function bodyFor(route: RouteEntry, ids: Ids): Record<string, unknown> | undefined {
  if (!route.doc?.body) return undefined
  const created = route.method === 'POST' ? resourceAt(app, route.url) : undefined
  const asked = { individual_id: ids.individuals, access_point_id: ids.access_points }
  if (route.url === '/api/v1/access-decisions') return asked
  if (route.url === '/api/v1/lockdowns/evacuate') return { building_id: ids.buildings }
  if (route.url === '/api/v1/access-decisions/batch') return { questions: [asked] }
  if (isEvents(route.url)) return { events: [{ type: 'door.opened', access_point_id: ids.access_points }] }
  if (isBatch(route))
    return { operations: [{ op: opOf(route), id: ids[resourceOfRoute(app, route)?.table ?? ''], if_match: '"0"' }] }
  if (isByKey(route)) return {}
  if (!created) return requiredBody(route.doc.body.schema, resourceOfRoute(app, route), ids)
  // What must be unique is, or the answer would be about that.
  const name = 'name' in created.fields ? { name: randomUUID() } : {}
  return { ...requiredBody(route.doc.body.schema, created, ids), ...placing[created.table]?.(ids), ...name }
}

async function ask(client: Client, route: RouteEntry, ids: Ids): Promise<Answer> {
  const inPath = Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? '']))
  const address = addressOf(route.url, { ...inPath, external_id: ids === here ? 'set-A' : 'set-B' })
  const { list } = route.doc ?? {}
  const id = ids[list?.resource.table ?? '']
  const isById = list?.offered.has('filters') && 'id' in list.resource.fields
  const query = list === undefined ? '' : isById ? `?id=eq.${id}` : '?limit=100'
  // No item has this version: what could be done is not done.
  const headers: Record<string, string> =
    route.method === 'GET' || isByKey(route) || resourceAt(app, route.url) ? {} : { 'if-match': '"0"' }
  return client.request(route.method, address + query, bodyFor(route, ids), headers)
}

const resultOf = ({ body, text }: Answer): Pick<Answer, 'status' | 'text' | 'body'> => {
  const [result] = body.data.results
  return { status: result.status, text, body: result }
}

type Verdict = 'allowed' | 'refused' | 'absent'

async function judge(client: Client, route: RouteEntry, ids: Ids): Promise<Verdict> {
  const answer = await ask(client, route, ids)
  const { status, text, body } = isBatch(route) && answer.status === 200 ? resultOf(answer) : answer
  const { reason } = body.error ?? {}
  if (status === 403 && reason === 'insufficient_permissions') return 'refused'
  // An item that lies elsewhere is not there, whether the address or the body names it.
  if (status === 404 || (status === 400 && reason === 'reference.not_found')) return 'absent'
  // Where no item has the key it is about to be made, which an empty body does not do.
  if (status === 400 && isByKey(route)) return 'absent'
  // What is worked out of other items has no id of its own: whether its item is seen decides.
  if (status === 200 && route.doc?.list && !('id' in route.doc.list.resource.fields)) return 'allowed'
  if (status === 200 && route.doc?.list)
    return JSON.stringify(body.data).includes(ids[route.doc.list.resource.table] ?? '') ? 'allowed' : 'absent'
  // A file of one item is there or not; one of many tells by what it holds.
  if (status === 200 && route.doc?.success.files && !route.url.includes(':'))
    return text.includes(ids[resourceOfRoute(app, route)?.table ?? ''] ?? '') ? 'allowed' : 'absent'
  if (status === 200 && isEvents(route.url)) return body.data.refused === 0 ? 'allowed' : 'absent'
  if ([200, 201, 409, 412].includes(status)) return 'allowed'
  throw new Error(`${nameOf(route)} cannot be asked for like this: ${status} ${text}`)
}

const words: Record<string, string> = {
  'allowed allowed': 'yes',
  'allowed absent': 'here',
  'absent absent': '404',
  'refused absent': 'seen',
  'refused refused': '-',
}

async function cellOf({ client }: Column, route: RouteEntry): Promise<string> {
  const [inside, outside] = [await judge(client, route, here), await judge(client, route, elsewhere)]
  return words[`${inside} ${outside}`] ?? `${inside}/${outside}`
}

const matrix = new Map<RouteEntry, string[]>()
const LEGEND = `Who may do what, and where: every operation, for every built-in role that is given for the organization, a location or a building.
yes   everywhere
here  on what lies in that place; what lies elsewhere is not there
seen  not on what lies in that place either, which is seen there (403); what lies elsewhere is not there
404   on nothing: it belongs to the organization as a whole, which a role limited to a place does not reach
-     not at all (403)
Asked of a running service by test/permission-matrix.test.ts.
`

function written(): string {
  const wide = Math.max(...routes.map((route) => nameOf(route).length))
  const line = (name: string, cells: string[]) =>
    `${name.padEnd(wide)}  ${cells.map((cell) => cell.padEnd(5)).join(' ')}`.trimEnd()
  const heads = builtInRoles.map(({ name }) => name.padEnd(scopes.length * 6 - 1))
  const under = columns.map(({ scope }) => ({ organization: 'org', location: 'loc', building: 'bld' })[scope])
  return `${[LEGEND, line('', heads), line('', under), ...routes.map((route) => line(nameOf(route), matrix.get(route) ?? []))].join('\n')}\n`
}

/** It lies nowhere, and whoever may read any reads all of it. */
function isReadByAll(route: RouteEntry): boolean {
  const resource = resourceOfRoute(app, route)
  return (
    route.method === 'GET' &&
    resource !== undefined &&
    !resource.place &&
    ['calendars', 'schedules'].includes(resource.noun)
  )
}

describe('the permission matrix', () => {
  it('is what test/permission-matrix.txt says, for every operation, built-in role and scope', {
    timeout: 240_000,
  }, async () => {
    // One at a time: some operations refuse to be done by many at once.
    for (const route of routes) {
      const cells: string[] = []
      for (const column of columns) cells.push(await cellOf(column, route))
      matrix.set(route, cells)
    }
    await expect(written()).toMatchFileSnapshot('permission-matrix.txt')
  })

  // What follows holds whatever the file says: it cannot be made to agree.
  it('lets the Owner of the organization do everything', () => {
    for (const [route, cells] of matrix) expect([nameOf(route), cells[0]]).toEqual([nameOf(route), 'yes'])
  })

  it('lets nobody whose role is limited to a place do anything to an item elsewhere', () => {
    for (const [route, cells] of matrix) {
      const isAboutItems =
        route.url.includes(':') || route.doc?.list || route.doc?.success.files || resourceAt(app, route.url)
      // An import is its maker's own, and takes in what they may write row by row: imports.test.ts is about that.
      if (!isAboutItems || isReadByAll(route) || route.url === '/api/v1/imports') continue
      for (const [index, { role, scope }] of columns.entries()) {
        if (scope !== 'organization')
          expect(`${nameOf(route)} by ${role} of a ${scope}: ${cells[index]}`).toMatch(/: (here|seen|404|-)$/)
      }
    }
  })

  it('lets an Auditor read everything and change nothing', () => {
    const auditor = columns.findIndex(({ role }) => role === 'Auditor')
    for (const [{ method, url, permission }, cells] of matrix)
      expect([method, url, cells[auditor]]).toEqual([
        method,
        url,
        /:(read|check|audience)$/.test(permission ?? '') ? 'yes' : '-',
      ])
  })
})
