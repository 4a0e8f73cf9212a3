import type { PlacesSql } from '../../db/resource.ts'
import { doorStandsThere, spaceLiesThere } from '../../db/scope.ts'
import { inSelected, join, raw, type Sql, sql } from '../../db/sql.ts'
import { inForce } from '../counts/rights-in-force.ts'
import { isInDoor } from '../in-door.ts'

// Who and what has to do with a caller's places. In few places there are few doors, groups and key types: sets of ids,
// which an engine works out beginning at the places. In many places each is looked up by what it names. People are many
// in any case: each is asked about by what is theirs, by an index.

const doorThere = (places: PlacesSql, column: string): Sql =>
  places.areMany
    ? doorStandsThere(places, column)
    : sql`${raw(column)} in (select dp.id from access_points dp where dp.org = :org
      and ${places.inBuildings('dp.building_id')})`

const spaceThere = (places: PlacesSql, column: string): Sql =>
  places.areMany
    ? spaceLiesThere(places, column)
    : sql`${raw(column)} in (select gs.id from spaces gs where gs.org = :org
      and ${places.inBuildings('gs.building_id')})`

/** Cylinders are built into doors there. */
export const isCylinderThere = (places: PlacesSql, row: string): Sql => doorThere(places, `${row}.access_point_id`)

/** On these places, on what they lie in, or on what is in them. */
const grantsThere = (places: PlacesSql): Sql[] => [
  places.inLocations('g.location_id'),
  places.aboveInLocations('g.location_id'),
  places.inBuildings('g.building_id'),
  places.aboveInBuildings('g.building_id'),
  spaceThere(places, 'g.space_id'),
  doorThere(places, 'g.access_point_id'),
]

const grantHolds = sql`g.org = :org and g.effect = 'allow' and g.revoked_at is null and ${inForce('g')}`

/** Groups with a grant in force that lets through a door there. */
const groupsIn = (places: PlacesSql): Sql =>
  join(
    grantsThere(places).map(
      (target) =>
        sql`select g.access_group_id from access_grants g where ${grantHolds} and g.access_group_id is not null
          and ${target}`,
    ),
    ' union all ',
  )

export const isGroupThere = (places: PlacesSql, column: string): Sql => inSelected(column, groupsIn(places))

/** Key types that open a cylinder built into a door there. */
const keyTypesOpening = (places: PlacesSql): Sql => sql`
  select oc.key_type_id from cylinders ok cross join plan_cells oc
  where ok.org = :org and ${isCylinderThere(places, 'ok')} and ${isInDoor('ok')}
    and oc.org = :org and oc.cylinder_id = ok.id`

export const isKeyTypeOpening = (places: PlacesSql, column: string): Sql => inSelected(column, keyTypesOpening(places))

/** Key types of locking systems that lie there. */
const keyTypesLying = ({ inBuildings, inLocations }: PlacesSql): Sql => sql`
  select yt.id from locking_systems ys cross join key_types yt
  where ys.org = :org and (${inBuildings('ys.building_id')} or ${inLocations('ys.location_id')})
    and yt.org = :org and yt.locking_system_id = ys.id`

/** How somebody who belongs elsewhere has to do with a place. */
export const MEANS = ['grant', 'group', 'key'] as const
export type Means = (typeof MEANS)[number]

/** Asked of the few rows of one person: written like this, no index leads to those of everybody. */
const ofTheirs = (condition: Sql): Sql => sql`(${condition}) is true`

/** Whether it brings the individual of the row there. */
export const individualBy: Readonly<Record<Means, (places: PlacesSql) => Sql>> = {
  grant: (places) => sql`exists (
    select 1 from access_grants g where ${grantHolds} and g.individual_id = ${raw(places.row)}.id
    and (${join(grantsThere(places), ' or ')}))`,
  group: (places) => sql`exists (
    select 1 from access_group_members gm
    where gm.org = :org and gm.individual_id = ${raw(places.row)}.id and ${inForce('gm')}
      and ${ofTheirs(isGroupThere(places, 'gm.access_group_id'))})`,
  key: (places) => sql`exists (
    select 1 from keys hk where hk.org = :org and hk.individual_id = ${raw(places.row)}.id
    and ${ofTheirs(sql`hk.status = 'issued'`)}
      and ${ofTheirs(sql`${isKeyTypeOpening(places, 'hk.key_type_id')}
        or ${inSelected('hk.key_type_id', keyTypesLying(places))}`)})`,
}

/** Access is asked for them to something there: whoever decides that must know whom it is about. */
const isAskedFor = (places: PlacesSql): Sql => sql`exists (
  select 1 from access_requests q where q.org = :org and q.individual_id = ${raw(places.row)}.id and q.status = 'open'
    and (${places.inLocations('q.location_id')} or ${places.inBuildings('q.building_id')}
      or ${spaceLiesThere(places, 'q.space_id')} or ${doorStandsThere(places, 'q.access_point_id')}))`

export const individualIn = (places: PlacesSql): Sql =>
  join([...MEANS.map((means) => individualBy[means](places)), isAskedFor(places)], ' or ')
