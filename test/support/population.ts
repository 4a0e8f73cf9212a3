import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Client, TestHouse } from './app.ts'
import { addressOf, type Ids, parametersOf, requiredBody, resourceAt } from './route-requests.ts'

/** Written at the end, by a key of its own: the one in the set stays in stock. */
const REGISTER = '/api/v1/key-handovers'

type Extra = (ids: Ids) => Record<string, unknown>

/**
 * What a resource needs beyond its required fields, or to lie in the building. One that is not named here needs
 * nothing.
 */
export const extras: Record<string, Extra> = {
  access_events: (ids) => ({ type: 'door.forced', access_point_id: ids.access_points }),
  access_points: (ids) => ({ access_control_system_id: ids.access_control_systems }),
  individuals: (ids) => ({ kind: 'visitor', given_name: 'Ada', family_name: 'Lovelace', building_id: ids.buildings }),
  access_groups: (ids) => ({ building_id: ids.buildings }),
  locking_systems: (ids) => ({ building_id: ids.buildings }),
  access_control_systems: (ids) => ({ location_id: ids.locations, kind: 'simulator' }),
  credentials: (ids) => ({ individual_id: ids.individuals, access_control_system_id: ids.access_control_systems }),
  keys: () => ({ status: 'in_stock' }),
  access_grants: (ids) => ({ individual_id: ids.individuals, building_id: ids.buildings }),
  access_requests: (ids) => ({ building_id: ids.buildings }),
  access_reviews: (ids) => ({ building_id: ids.buildings, due_on: '2099-12-31' }),
  commands: (ids) => ({ access_point_ids: [ids.access_points ?? null] }),
  visits: (ids) => ({ places: [{ building_id: ids.buildings }] }),
  lockdowns: (ids) => ({ building_id: ids.buildings }),
  role_assignments: (ids) => ({ building_id: ids.buildings, service_user_id: ids.service_users }),
  // Only tried: it makes nothing.
  imports: () => ({ dry_run: true }),
  users: () => ({ email: `${randomUUID()}@example.org` }),
  external_identities: (ids) => ({ subject: randomUUID(), service_user_id: ids.service_users }),
  tokens: () => ({ expires_at: '2027-12-31' }),
  // Refused before anybody is asked: nothing leaves the machine.
  webhooks: () => ({ url: 'https://hooks.invalid/' }),
}

/**
 * One item of every resource, made through the API as the route table describes it: a new resource is there without
 * being named here. Each `label` makes one such set; two organizations may have the same.
 */
export async function populate(house: TestHouse, owner: Client, label: string): Promise<Ids> {
  const { app } = house
  // A token cannot make tokens.
  const client = house.loggedIn(owner.token)
  // A consent page is of one person and one request; whose is whose is in interactions.test.ts.
  const ids: Record<string, string> = { oauth_interactions: randomUUID() }
  const creations = app.routeTable.filter(
    ({ method, url, doc, permission }) =>
      method === 'POST' && permission !== 'self' && doc?.body && resourceAt(app, url) && url !== REGISTER,
  )
  let left = creations
  while (left.length > 0) {
    const waiting: typeof left = []
    for (const route of left) {
      const resource = resourceAt(app, route.url)
      if (!resource || !route.doc?.body) continue
      const parents = parametersOf(app, route)
      const body = {
        ...requiredBody(route.doc.body.schema, resource, ids),
        ...extras[resource.table]?.(ids),
        ...named(resource.fields, label),
      }
      const isReady =
        parents.every(({ table }) => ids[table]) &&
        !Object.values(body)
          .flat()
          .some((value) => value === null || value === undefined)
      if (!isReady) {
        waiting.push(route)
        continue
      }
      const address = addressOf(
        route.url,
        Object.fromEntries(parents.map(({ name, table }) => [name, ids[table] ?? ''])),
      )
      const made = await client.create(address, body)
      // Commands to many doors are made together.
      ids[resource.table] = made.id ?? made.results[0].command.id
    }
    if (waiting.length === left.length)
      throw new Error(`cannot make ${waiting.map(({ url }) => url).join(', ')}: say how in extras`)
    left = waiting
  }
  await issueKey(client, ids, label)
  // Whoever was let in is somewhere.
  await client.create('/api/v1/access-events', {
    type: 'access.granted',
    access_point_id: ids.access_points,
    individual_id: ids.individuals,
  })
  await closeReview(client, ids)
  await drawPlan(client, ids)
  await testWebhook(client, ids)
  await findOthers(app, client, ids)
  return ids
}

/** The same in every organization, so that what must be unique is seen to be so within one only. */
const named = (fields: object, label: string): Record<string, string> => ({
  ...('name' in fields ? { name: `Set ${label}` } : {}),
  ...('external_id' in fields ? { external_id: `set-${label}` } : {}),
})

async function issueKey(client: Client, ids: Record<string, string>, label: string): Promise<void> {
  const own = { number: 'issued', status: 'in_stock', external_id: `issued-${label}` }
  const key = await client.create('/api/v1/keys', { key_type_id: ids.key_types, ...own })
  const entry = { key_id: key.id, individual_id: ids.individuals, external_id: `set-${label}` }
  ids.key_handovers = (await client.create(REGISTER, entry)).id
}

/** A plan has an image once one was sent. */
async function drawPlan(client: Client, ids: Ids): Promise<void> {
  const image = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
  const type = { 'content-type': 'image/svg+xml' }
  const answer = await client.request('PUT', `/api/v1/floor-plans/${ids.floor_plans}/image`, image, type)
  if (answer.status !== 200) throw new Error(answer.text)
}

/** Lines are taken down when a review starts, and there is a report once all of them are decided and it is closed. */
async function closeReview(client: Client, ids: Record<string, string>): Promise<void> {
  const step = async (path: string) => {
    const answer = await client.post(`/api/v1/${path}`)
    if (answer.status !== 200) throw new Error(answer.text)
  }
  await step(`access-reviews/${ids.access_reviews}/start`)
  const { data } = (await client.get(`/api/v1/access-review-lines?access_review_id=eq.${ids.access_reviews}&limit=100`))
    .body
  for (const line of data) await step(`access-review-lines/${line.id}/confirm`)
  await step(`access-reviews/${ids.access_reviews}/close`)
  ids.access_review_lines = data[0].id
}

/** Deliveries are written by sending. */
async function testWebhook(client: Client, ids: Record<string, string>): Promise<void> {
  const answer = await client.post(`/api/v1/webhooks/${ids.webhooks}/test`)
  if (answer.status !== 200) throw new Error(answer.text)
  ids.webhook_deliveries = (await client.get(`/api/v1/webhooks/${ids.webhooks}/deliveries`)).body.data[0].id
}

/** What comes into being by itself: the newest of each list that nothing was made in. */
async function findOthers(app: FastifyInstance, client: Client, ids: Record<string, string>): Promise<void> {
  for (const { method, url, doc, permission } of app.routeTable) {
    const table = doc?.list?.resource.table
    if (method !== 'GET' || !table || ids[table] || url.includes(':')) continue
    // What is the caller's alone is nobody else's to see, and has tests of its own: here it has an id that nothing has.
    if (permission === 'self') {
      ids[table] = randomUUID()
      continue
    }
    const { body } = await client.get(`${url}?order=id.desc&limit=1`)
    if (body.data.length === 0) throw new Error(`${url} is empty: say in populate how it is filled`)
    ids[table] = body.data[0].id
  }
}
