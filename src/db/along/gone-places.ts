import type { PlaceSet } from '../../core/rights.ts'
import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import type { OrgHandle } from '../org.ts'
import { raw, type Sql, sql } from '../sql.ts'

type Place = { readonly id: string } & Readonly<Record<string, string | null>>

/** The last that was kept (`h`) of rows of a table that are there no more. */
export const lastOfGone = (table: 'locations' | 'buildings' | 'spaces' | 'access_points'): Sql =>
  raw(`not exists (select 1 from ${table} n where n.org = :org and n.id = h.id)
    and not exists (select 1 from ${table}_history l where l.org = :org and l.id = h.id and l.sequence > h.sequence)`)

/** The places of an organization that are there no more, and those that they make of a scope. */
interface Gone {
  readonly locations: readonly Place[]
  readonly buildings: readonly Place[]
  readonly scopes: WeakMap<PlaceSet, PlaceSet>
}

const goneOf = perEngine((engine) => new Kept<Gone>(engine, { name: 'gone_places', max: 100 }))

async function load(handle: OrgHandle): Promise<Gone> {
  const gone = (table: 'locations' | 'buildings', columns: Sql): Promise<Place[]> =>
    handle.all(sql`select h.id, h.parent_id, ${columns} from ${raw(`${table}_history`)} h
      where h.org = :org and ${lastOfGone(table)}`)
  return {
    locations: await gone('locations', raw('null as location_id')),
    buildings: await gone('buildings', raw('h.location_id')),
    scopes: new WeakMap(),
  }
}

/** These places with those that lay in them and are gone by now. */
export async function withGone(handle: OrgHandle, scope: PlaceSet): Promise<PlaceSet> {
  const gone = await goneOf(handle.engine).get(handle, `${handle.org}`, load)
  const found = gone.scopes.get(scope) ?? added(gone, scope)
  gone.scopes.set(scope, found)
  return found
}

/** The same one where nothing is added: what is worked out for it is known by it. */
function added(gone: Gone, scope: PlaceSet): PlaceSet {
  const locations = new Set(scope.locations)
  const buildings = new Set(scope.buildings)
  addBelow(gone.locations, locations, ({ parent_id }) => locations.has(`${parent_id}`))
  addBelow(
    gone.buildings,
    buildings,
    ({ parent_id, location_id }) => buildings.has(`${parent_id}`) || locations.has(`${location_id}`),
  )
  const isSame = locations.size === scope.locations.size && buildings.size === scope.buildings.size
  return isSame ? scope : { locations, buildings }
}

/** One may have lain in another that is gone as well. */
function addBelow(gone: readonly Place[], found: Set<string>, lay: (place: Place) => boolean): void {
  for (let rest = gone; ; rest = rest.filter(({ id }) => !found.has(id))) {
    const inside = rest.filter(lay)
    if (inside.length === 0) return
    for (const { id } of inside) found.add(id)
  }
}
