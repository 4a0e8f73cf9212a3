import { describe, expect, it } from 'vitest'
import type { TSchema } from '../src/core/schema.ts'
import { OrgVersions } from '../src/db/kept/versions.ts'
import { Random } from '../src/demo/random.ts'
import type { RouteEntry } from '../src/http/context.ts'
import { type Client, startHouse } from './support/app.ts'
import { populate } from './support/population.ts'
import {
  addressOf,
  type Ids,
  type JsonSchema,
  parametersOf,
  requiredBody,
  resourceAt,
  resourceOfRoute,
  tableOf,
} from './support/route-requests.ts'

// What is kept in memory is never older than what it was made from. The measure is a process that takes nothing from
// memory: before each request it is told that everything has changed.

const house = await startHouse()
const { app, owner, clock } = house
const sets = [await populate(house, owner, 'One'), await populate(house, owner, 'Two')] as const
const limited = await house.member('Auditor', { building_id: sets[0].buildings as string })

let changes = 1e9
const everythingHasChanged = () => {
  const versions = new OrgVersions(changes)
  versions.move('*', changes)
  return versions
}
const forgetful = await house.neighbour((engine) => ({
  ...engine,
  versions: everythingHasChanged,
  latest: everythingHasChanged,
}))
const neighbour = await house.neighbour()

const SEED = 20_270_615
const STEPS = 60
const LOOKS = 10
const random = new Random(SEED)
// How soon, test/faults measures; here it is whether.
const within = { interval: 10 }

/** Every address that answers the first set with JSON, lists in several shapes too. */
async function addresses(): Promise<string[]> {
  const found: string[] = []
  for (const route of app.routeTable) {
    if (
      route.method !== 'GET' ||
      !route.permission ||
      !route.doc ||
      /export|receipt|pdf|audit-log|tokens|sessions|\/me\b|:uid/.test(route.url)
    )
      continue
    for (const ids of sets) {
      const values = Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? '']))
      const path = addressOf(route.url, values)
      const shapes =
        route.doc.list?.shape === 'A' ? ['', '?limit=1&page=2', '?search=set', '?order=updated_at.desc&limit=3'] : ['']
      for (const shape of shapes) if ((await owner.get(path + shape)).status === 200) found.push(path + shape)
    }
  }
  return [...new Set(found)]
}

/** Some value that the schema may accept. */
function valueFor(name: string, schema: JsonSchema, route: RouteEntry): unknown {
  const table = tableOf(name, schema, resourceOfRoute(app, route))
  const types = [schema.type].flat()
  if (types.includes('null') && random.chance(0.2)) return null
  if (table) return random.pick(sets)[table] ?? null
  if (schema.enum) return random.pick(schema.enum.filter((value) => value !== null))
  if (types.includes('boolean')) return random.chance(0.5)
  if (types.includes('integer')) return random.between(schema.minimum ?? 0, (schema.minimum ?? 0) + 3)
  if (schema.format === 'date-time')
    return new Date(Date.parse(clock.now()) + random.between(-48, 48) * 3_600_000).toISOString()
  if (schema.format === 'date')
    return new Date(Date.parse(clock.now()) + random.between(-3, 3) * 86_400_000).toISOString().slice(0, 10)
  return schema.examples && random.chance(0.3) ? random.pick(schema.examples) : `Some ${random.between(1, 99)}`
}

const isWritable = ({ url, permission }: RouteEntry) =>
  permission !== undefined &&
  permission !== 'self' &&
  !/tokens|role|service-users|users|organization|oauth|audit/.test(url)
const patches = app.routeTable.filter((route) => route.method === 'PATCH' && isWritable(route))
const creations = app.routeTable.filter(
  (route) => route.method === 'POST' && isWritable(route) && resourceAt(app, route.url),
)
const actions = app.routeTable.filter(
  (route) => route.method === 'POST' && isWritable(route) && !resourceAt(app, route.url),
)
const removals = app.routeTable.filter((route) => route.method === 'DELETE' && isWritable(route))

const pathFor = (route: RouteEntry, ids: Ids): string =>
  addressOf(route.url, Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])))

/** Makes one change, whichever; gives what it was. */
async function change(through: Client): Promise<string | undefined> {
  const ids = random.pick(sets)
  const draw = random.next()
  const route = random.pick(draw < 0.6 ? patches : draw < 0.75 ? creations : draw < 0.97 ? actions : removals)
  const { properties = {} } = (route.doc?.body?.schema ?? {}) as JsonSchema
  const names = Object.keys(properties)
  const chosen = names.length === 0 ? [] : [random.pick(names), random.pick(names)]
  const some = Object.fromEntries(chosen.map((name) => [name, valueFor(name, properties[name] as JsonSchema, route)]))
  const base =
    route.method === 'POST' && route.doc?.body
      ? requiredBody(route.doc.body.schema as TSchema, resourceOfRoute(app, route), ids)
      : {}
  const body = route.method === 'DELETE' ? undefined : { ...base, ...some }
  const answer = await through.request(route.method, pathFor(route, ids), body)
  return answer.status < 300 ? `${route.method} ${route.url} ${JSON.stringify(body)}` : undefined
}

describe('after every change', () => {
  it('an answer from memory is the one that a process without memory gives, at once and in another process soon', async () => {
    const urls = await addresses()
    expect(urls.length).toBeGreaterThan(80)
    const [there, anew] = [house.client(owner.token, neighbour), house.client(owner.token, forgetful)]
    const [limitedThere, limitedAnew] = [house.client(limited.token, neighbour), house.client(limited.token, forgetful)]
    for (const url of urls) await Promise.all([owner.get(url), there.get(url), limited.get(url), limitedThere.get(url)])
    const history: string[] = []
    let writer: Client = owner
    for (let attempt = 0; history.length < STEPS && attempt < STEPS * 20; attempt++) {
      if (random.chance(0.02)) {
        clock.forward(random.between(1, 12) * 3_600_000)
        history.push(`it is ${clock.now()}`)
      } else {
        writer = random.chance(0.7) ? owner : there
        const done = await change(writer)
        if (done === undefined) continue
        history.push(done)
      }
      for (let look = 0; look < LOOKS; look++) {
        const url = random.pick(urls)
        const [here, elsewhere, without] = random.chance(0.7)
          ? [owner, there, anew]
          : [limited, limitedThere, limitedAnew]
        changes += 1
        const expected = (await without.get(url)).text.replace(/"req_id":"[^"]*"/, '')
        const told = async (client: Client) => (await client.get(url)).text.replace(/"req_id":"[^"]*"/, '')
        const why = `${url} after ${history.slice(-3).join(', then ')} (seed ${SEED})`
        if (writer === owner) expect(await told(here), why).toBe(expected)
        else await expect.poll(() => told(here), { ...within, message: why }).toBe(expected)
        await expect.poll(() => told(elsewhere), { ...within, message: why }).toBe(expected)
      }
    }
    expect(history.length).toBe(STEPS)
  }, 300_000)
})
