import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../src/http/context.ts'
import { startHouse } from './support/app.ts'
import { populate } from './support/population.ts'
import {
  addressOf,
  fullBody,
  type Ids,
  type JsonSchema,
  parametersOf,
  resourceOfRoute,
} from './support/route-requests.ts'
import { countRows } from './support/rows.ts'

/**
 * Made from the route table: a route that is added, and a field that is added, are covered without a line being
 * written.
 */
const house = await startHouse()
const { app, engine } = house
const client = house.loggedIn(house.owner.token)

let ids: Ids
beforeAll(async () => {
  ids = await populate(house, house.owner, 'A')
})

const writes = app.routeTable.filter(
  ({ method, permission }) => permission !== undefined && (method === 'POST' || method === 'PATCH'),
)
const named = writes.map((route) => [`${route.method} ${route.url}`, route] as const)

const addressIn = (route: RouteEntry): string =>
  addressOf(route.url, Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])))
const settable = ({ doc }: RouteEntry): Set<string> =>
  new Set(Object.keys((doc?.body?.schema as JsonSchema | undefined)?.properties ?? {}))
const shown = ({ doc }: RouteEntry): string[] =>
  Object.keys((doc?.success.schema as JsonSchema | undefined)?.properties ?? {})
/** What the resource has, the answer shows, and a client cannot set here. */
function readOnly(route: RouteEntry): string[] {
  const declared = Object.keys(resourceOfRoute(app, route)?.fields ?? {})
  return [...new Set([...declared, ...shown(route)])].filter((name) => !settable(route).has(name))
}

describe('a body with', () => {
  it.each(named)(
    'a read-only field is refused by %s, whatever its value, and changes nothing',
    async (_name, route) => {
      const resource = resourceOfRoute(app, route)
      const body = route.doc?.body ? fullBody(route.doc.body.schema, resource, ids) : {}
      const before = await countRows(engine)
      const { properties: item = {} } = (route.doc?.success.schema ?? {}) as JsonSchema
      for (const name of readOnly(route)) {
        for (const value of [item[name]?.examples?.[0] ?? 'x', null]) {
          const answer = await client.request(route.method, addressIn(route), { ...body, [name]: value })
          expect(answer.status, `${name}: ${answer.text}`).toBe(400)
          const rule = name in item ? 'body.read_only' : 'body.unknown_field'
          // The one fault there is: without the field the same body would have been in order.
          expect(answer.body.error.details, name).toEqual([
            { path: name, rule, message: expect.stringContaining(name) },
          ])
        }
      }
      expect(await countRows(engine)).toEqual(before)
    },
  )

  it.each(named)('an unknown field is refused by %s, and changes nothing', async (_name, route) => {
    const body = route.doc?.body ? fullBody(route.doc.body.schema, resourceOfRoute(app, route), ids) : {}
    const before = await countRows(engine)
    for (const name of ['no_such_field', 'Name', 'organization_id', 'org', 'toString']) {
      const answer = await client.request(route.method, addressIn(route), { ...body, [name]: 'x' })
      expect(answer.status, answer.text).toBe(400)
      expect(answer.body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: name, rule: 'body.unknown_field' }],
      })
    }
    expect(await countRows(engine)).toEqual(before)
  })

  it.each(
    app.routeTable
      .filter(({ method, permission }) => method === 'DELETE' && permission !== undefined)
      .map((route) => [route.url, route] as const),
  )('anything in it is refused by DELETE %s, and nothing is deleted', async (_url, route) => {
    const before = await countRows(engine)
    const answer = await client.request('DELETE', addressIn(route), { force: true })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.details).toEqual([expect.objectContaining({ path: 'force', rule: 'body.unknown_field' })])
    expect(await countRows(engine)).toEqual(before)
  })

  it('a field that is read-only everywhere names at least id, created_at, updated_at and version on every resource that is created', () => {
    for (const route of writes.filter(({ doc }) => doc?.success.status === 201)) {
      expect(readOnly(route)).toEqual(expect.arrayContaining(['id', 'created_at', 'updated_at', 'version']))
    }
  })
})
