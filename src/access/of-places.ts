import type { PlacesSql } from '../db/resource.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import { inForce } from './rights-in-force.ts'

// Who and what has to do with a caller's places, as sets of ids: `x in (…)`. None looks at the row that is asked about, so an
// engine works each out once for a statement, and each begins at the few places, never at the many people.

/** The doors that lead into spaces of these places. `cross join` keeps SQLite to this order of tables. */
export const doorsIn = ({ inBuildings }: PlacesSql): Sql => sql`
  select dp.id from spaces ds cross join access_points dp
  where ds.org = :org and ${inBuildings('ds.building_id')} and dp.org = :org and dp.space_id = ds.id`

type Subject = 'individual_id' | 'access_group_id'

/** To whom a grant in force lets through a door there: one on these places, on what is in them, or on what they lie in. */
function grantedIn(places: PlacesSql, subject: Subject): Sql {
  const column = raw(`g.${subject}`)
  const holds = sql`g.org = :org and g.effect = 'allow' and g.revoked_at is null and ${inForce('g')} and ${column} is not null`
  const on = (target: Sql) => sql`select ${column} from access_grants g where ${holds} and ${target}`
  const spaces = sql`select gs.id from spaces gs where gs.org = :org and ${places.inBuildings('gs.building_id')}`
  return join(
    [
      on(places.inLocations('g.location_id')),
      on(places.aboveInLocations('g.location_id')),
      on(places.inBuildings('g.building_id')),
      on(places.aboveInBuildings('g.building_id')),
      on(sql`g.space_id in (${spaces})`),
      on(sql`g.access_point_id in (${doorsIn(places)})`),
    ],
    ' union all ',
  )
}

/** Groups with a grant there. */
export const groupsIn = (places: PlacesSql): Sql => grantedIn(places, 'access_group_id')

/** Key types that open a cylinder built into a door there. */
export const keyTypesOpening = (places: PlacesSql): Sql => sql`
  select oc.key_type_id from cylinders ok cross join plan_cells oc
  where ok.org = :org and ok.access_point_id in (${doorsIn(places)}) and ok.status in ('installed', 'defective')
    and oc.org = :org and oc.cylinder_id = ok.id`

/** Key types of locking systems that lie there. */
const keyTypesLying = ({ inBuildings, inLocations }: PlacesSql): Sql => sql`
  select yt.id from locking_systems ys cross join key_types yt
  where ys.org = :org and (${inBuildings('ys.building_id')} or ${inLocations('ys.location_id')})
    and yt.org = :org and yt.locking_system_id = ys.id`

/** How somebody who belongs elsewhere has to do with a place. */
export const MEANS = ['grant', 'group', 'key'] as const
export type Means = (typeof MEANS)[number]

/** The individuals whom each means brings there. */
export const individualsBy: Readonly<Record<Means, (places: PlacesSql) => Sql>> = {
  grant: (places) => grantedIn(places, 'individual_id'),
  group: (places) => sql`
    select gm.individual_id from access_group_members gm
    where gm.org = :org and ${inForce('gm')} and gm.access_group_id in (${groupsIn(places)})`,
  key: (places) => sql`
    select hk.individual_id from keys hk
    where hk.org = :org and hk.status = 'issued' and hk.individual_id is not null
      and hk.key_type_id in (${keyTypesOpening(places)} union all ${keyTypesLying(places)})`,
}

export const individualsIn = (places: PlacesSql): Sql =>
  join(
    MEANS.map((means) => individualsBy[means](places)),
    ' union all ',
  )
