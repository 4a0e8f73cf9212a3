import type { PlacesSql } from '../../db/resource.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { inForce } from '../counts/rights-in-force.ts'
import { isInDoor } from '../in-door.ts'

// Who and what has to do with a caller's places. Doors, groups and key types are few in a place: sets of ids, which an engine works
// out once for a statement, beginning at the places. People are many: each is asked about by what is theirs, by an index.

/** The doors that lead into spaces of these places. `cross join` keeps SQLite to this order of tables. */
export const doorsIn = ({ inBuildings }: PlacesSql): Sql => sql`
  select dp.id from spaces ds cross join access_points dp
  where ds.org = :org and ${inBuildings('ds.building_id')} and dp.org = :org and dp.space_id = ds.id`

/** On these places, on what they lie in, or on what is in them. */
const grantsThere = (places: PlacesSql): Sql[] => {
  const spaces = sql`select gs.id from spaces gs where gs.org = :org and ${places.inBuildings('gs.building_id')}`
  return [
    places.inLocations('g.location_id'),
    places.aboveInLocations('g.location_id'),
    places.inBuildings('g.building_id'),
    places.aboveInBuildings('g.building_id'),
    sql`g.space_id in (${spaces})`,
    sql`g.access_point_id in (${doorsIn(places)})`,
  ]
}

const grantHolds = sql`g.org = :org and g.effect = 'allow' and g.revoked_at is null and ${inForce('g')}`

/** Groups with a grant in force that lets through a door there. */
export const groupsIn = (places: PlacesSql): Sql =>
  join(
    grantsThere(places).map(
      (target) => sql`select g.access_group_id from access_grants g where ${grantHolds} and g.access_group_id is not null and ${target}`,
    ),
    ' union all ',
  )

/** Key types that open a cylinder built into a door there. */
export const keyTypesOpening = (places: PlacesSql): Sql => sql`
  select oc.key_type_id from cylinders ok cross join plan_cells oc
  where ok.org = :org and ok.access_point_id in (${doorsIn(places)}) and ${isInDoor('ok')}
    and oc.org = :org and oc.cylinder_id = ok.id`

/** Key types of locking systems that lie there. */
const keyTypesLying = ({ inBuildings, inLocations }: PlacesSql): Sql => sql`
  select yt.id from locking_systems ys cross join key_types yt
  where ys.org = :org and (${inBuildings('ys.building_id')} or ${inLocations('ys.location_id')})
    and yt.org = :org and yt.locking_system_id = ys.id`

/** How somebody who belongs elsewhere has to do with a place. */
export const MEANS = ['grant', 'group', 'key'] as const
export type Means = (typeof MEANS)[number]

/** Whether it brings the individual of the row there. */
export const individualBy: Readonly<Record<Means, (places: PlacesSql) => Sql>> = {
  grant: (places) => sql`exists (
    select 1 from access_grants g where ${grantHolds} and g.individual_id = ${raw(places.row)}.id and (${join(grantsThere(places), ' or ')}))`,
  group: (places) => sql`exists (
    select 1 from access_group_members gm
    where gm.org = :org and gm.individual_id = ${raw(places.row)}.id and ${inForce('gm')} and gm.access_group_id in (${groupsIn(places)}))`,
  key: (places) => sql`exists (
    select 1 from keys hk where hk.org = :org and hk.individual_id = ${raw(places.row)}.id and hk.status = 'issued'
      and hk.key_type_id in (${keyTypesOpening(places)} union all ${keyTypesLying(places)}))`,
}

/** Access is asked for them to something there: whoever decides that must know whom it is about. */
const isAskedFor = (places: PlacesSql): Sql => sql`exists (
  select 1 from access_requests q where q.org = :org and q.individual_id = ${raw(places.row)}.id and q.status = 'open'
    and (${places.inLocations('q.location_id')} or ${places.inBuildings('q.building_id')}
      or q.space_id in (select qs.id from spaces qs where qs.org = :org and ${places.inBuildings('qs.building_id')})
      or q.access_point_id in (${doorsIn(places)})))`

export const individualIn = (places: PlacesSql): Sql =>
  join([...MEANS.map((means) => individualBy[means](places)), isAskedFor(places)], ' or ')
