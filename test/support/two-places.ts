import type { TSchema } from '../../src/core/schema.ts'
import type { Client, TestHouse } from './app.ts'
import { populate } from './population.ts'
import { addressOf, type Ids, type JsonSchema, parametersOf, resourceAt, resourceOfRoute } from './route-requests.ts'
import { underWay } from './under-way.ts'

/** In every text of what lies elsewhere: no answer to whoever is limited to the first place may hold it. */
export const OUTSIDE = 'zoutsidez'
/** In every text that is not seen of what lies elsewhere and has to do with the first place. */
export const HIDDEN = 'zhiddenz'
/** In what is seen of it. */
export const REACHED = 'zreachedz'

export interface TwoPlaces {
  here: Ids
  elsewhere: Ids
  empty: string
  /** Items in other states than the first ones. */
  hereUnderWay: Ids
  elsewhereUnderWay: Ids
  /** What lies elsewhere and is seen here in part, by table. */
  reached: Readonly<Record<string, string>>
}

/** One of everything in two places, and things of the second place that have to do with the first. */
export async function makeTwoPlaces(house: TestHouse): Promise<TwoPlaces> {
  const owner = house.loggedIn(house.owner.token)
  const here = await populate(house, house.owner, 'inside')
  const elsewhere = await populate(house, house.owner, OUTSIDE)
  await markTexts(house, owner, elsewhere)
  const empty = (await owner.create('/api/v1/locations', { name: 'Empty' })).id
  await referToUnseen(owner, here, elsewhere)
  const hereUnderWay = await underWay(house, owner, here, 'inside')
  const elsewhereUnderWay = await underWay(house, owner, elsewhere, OUTSIDE)
  const reached = await makeReached(owner, here, elsewhere)
  return { here, elsewhere, empty, reached, hereUnderWay, elsewhereUnderWay }
}

/**
 * What lies here and names somebody who has nothing to do with the place any more, or not yet: by name they are not
 * found.
 */
async function referToUnseen(owner: Client, here: Ids, elsewhere: Ids): Promise<void> {
  const subject = { individual_id: elsewhere.individuals }
  const over = await owner.create('/api/v1/access-grants', { ...subject, building_id: here.buildings })
  const revoked = await owner.post(`/api/v1/access-grants/${over.id}/revoke`)
  const key = await owner.create('/api/v1/keys', { key_type_id: here.key_types, number: 'back', status: 'in_stock' })
  await owner.post(`/api/v1/keys/${key.id}/issue`, subject)
  const returned = await owner.post(`/api/v1/keys/${key.id}/return`)
  if (revoked.status !== 200 || returned.status !== 200) throw new Error(`${revoked.text} ${returned.text}`)
  await owner.create(`/api/v1/access-groups/${here.access_groups}/members`, subject)
}

const NO_TEXT = new Set(['uuid', 'date', 'date-time'])

/** Each text that can be changed gets the mark; one that a rule of its own refuses stays as it is. */
async function markTexts({ app }: TestHouse, owner: Client, ids: Ids): Promise<void> {
  for (const route of app.routeTable) {
    const resource = resourceOfRoute(app, route)
    if (route.method !== 'PATCH' || !route.doc?.body || !resource || !resourceAt(app, route.url.replace(/\/:id$/, '')))
      continue
    const address = addressOf(
      route.url,
      Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])),
    )
    for (const [name, schema] of Object.entries((route.doc.body.schema as TSchema & JsonSchema).properties ?? {})) {
      if (
        ![schema.type].flat().includes('string') ||
        NO_TEXT.has(schema.format ?? '') ||
        schema.enum ||
        resource.fields[name]?.spec.references
      )
        continue
      await owner.patch(address, { [name]: `${OUTSIDE}-${name}` })
    }
  }
}

const texts = (names: readonly string[], mark: string) =>
  Object.fromEntries(names.map((name) => [name, `${mark} ${name}`]))

async function makeReached(owner: Client, here: Ids, elsewhere: Ids): Promise<Record<string, string>> {
  const make = async (path: string, body: object): Promise<string> => (await owner.create(`/api/v1/${path}`, body)).id
  const belongs = { building_id: elsewhere.buildings }
  const unseen = ['department', 'phone', 'personnel_number', 'given_name', 'family_name', 'external_id']
  const person = async (name: string, email: string) =>
    make('individuals', {
      ...texts(unseen.slice(0, 5), HIDDEN),
      external_id: `${HIDDEN}-${name}`,
      display_name: `${REACHED} ${name}`,
      email,
      ...belongs,
    })
  const individuals = await person('by grant', `${HIDDEN}.b@example.org`)
  const byGroup = await person('by group', `${HIDDEN}.a@example.org`)
  const byKey = await person('by key', `${HIDDEN}.c@example.org`)
  await make('access-grants', { individual_id: individuals, access_point_id: here.access_points })
  const access_groups = await make('access-groups', { name: `${REACHED} group`, description: HIDDEN, ...belongs })
  await make(`access-groups/${access_groups}/members`, { individual_id: byGroup })
  await make('access-grants', { access_group_id: access_groups, building_id: here.buildings })

  const locking_systems = await make('locking-system', {
    name: `${REACHED} system`,
    ...texts(['security_card_number', 'description'], HIDDEN),
    security_card_expires_on: '2026-06-15',
    ...belongs,
  })
  const system = { locking_system_id: locking_systems }
  const above = await make('key-types', { ...system, code: `${OUTSIDE} top` })
  const key_types = await make('key-types', { ...system, code: `${REACHED} type`, parent_id: above })
  const cylinders = await make('cylinders', {
    ...system,
    number: `${REACHED} 1`,
    status: 'installed',
    access_point_id: here.access_points,
  })
  const spare = await make('cylinders', {
    ...system,
    number: `${OUTSIDE} 2`,
    status: 'installed',
    access_point_id: elsewhere.access_points,
  })
  const cells = [
    { key_type_id: key_types, cylinder_id: cylinders },
    { key_type_id: key_types, cylinder_id: spare },
    { key_type_id: above, cylinder_id: spare },
  ]
  await owner.post(`/api/v1/locking-system/${locking_systems}/plan/cells`, { set: cells })
  const keys = await make('keys', { key_type_id: key_types, number: `${REACHED} 7`, status: 'in_stock' })
  await owner.post(`/api/v1/keys/${keys}/issue`, { individual_id: byKey, purpose: HIDDEN })
  await make('keys', { key_type_id: above, number: `${OUTSIDE} 8`, status: 'in_stock' })

  const access_control_systems = await make('access-control-systems', {
    name: `${REACHED} controllers`,
    description: HIDDEN,
    settings: { address: HIDDEN },
  })
  for (const door of [here.access_points, elsewhere.access_points])
    await owner.patch(`/api/v1/access-points/${door}`, { access_control_system_id: access_control_systems })
  return { individuals, access_groups, locking_systems, key_types, cylinders, keys, access_control_systems }
}
