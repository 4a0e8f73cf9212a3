import type { Rights } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import { wholeOf } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import { insideOf } from '../../live/inside.ts'
import { individuals } from '../individuals/schema.ts'

const DAY = 86_400_000

export interface MusterPerson {
  individual_id: string
  display_name: string
  kind: string
  company: string | null
  phone?: string | null
  status: 'unaccounted' | 'accounted'
  space_id: string | null
  space: string | null
  since: string
}

/**
 * Who was last seen in a building, and who was seen leaving it since the evacuation or drill that holds there began.
 */
export async function musterOf(handle: OrgHandle, building_id: string, rights: Rights) {
  const begins_at = (await emergencySince(handle, building_id)) ?? new Date(Date.parse(handle.now) - DAY).toISOString()
  const inside = await insideOf(handle, { building_id })
  const { buildings } = (await placesOf(handle)).below([], [building_id])
  const inBuilding = (column: string) => handle.dialect.inList(column, buildings, 'uuid')
  // Each side by itself: for either of the two SQLite would walk all spaces of the building, for everybody.
  const leads = (side: 'p.space_id' | 'p.from_space_id') =>
    sql`exists (select 1 from spaces d where d.org = :org and d.id = ${raw(side)} and ${inside('d')})`
  const isHere = sql`(s.id is not null and ${inside('s')})`
  const hasLeft = sql`(t.since >= ${begins_at} and exists (
    select 1 from access_points p where p.org = :org and p.id = t.access_point_id
    and (${leads('p.space_id')} or ${leads('p.from_space_id')})))`
  // Whoever was seen in another building since, as at an assembly point, has left this one.
  const wasHere = sql`(t.left_at >= ${begins_at} and ${inBuilding('t.left_building_id')})`
  // When they left, of those: when they were seen elsewhere is not this list's business either.
  const rows = await handle.all<MusterPerson & { is_inside: unknown }>(sql`
    select t.individual_id, i.display_name, i.kind, i.company, i.phone, s.id as space_id, s.name as space,
      case when ${isHere} or ${hasLeft} then t.since else t.left_at end as since,
      case when ${isHere} then 1 else 0 end as is_inside
    from presence t join individuals i on i.org = :org and i.id = t.individual_id
    left join spaces s on s.org = :org and s.id = t.space_id
    where t.org = :org and (${isHere} or ${hasLeft} or ${wasHere})
    order by is_inside desc, i.display_name, i.id`)
  const ids = rows.map(({ individual_id }) => individual_id)
  const known = await wholeOf(handle, individuals, ids, rights.scopeOf('individuals:read'))
  const people = rows.map(({ is_inside, phone, ...row }): MusterPerson => {
    const isInside = Boolean(is_inside)
    // Where somebody is outside the building is not this list's business.
    return {
      ...row,
      ...(known.has(row.individual_id) ? { phone: phone ?? null } : {}),
      status: isInside ? 'unaccounted' : 'accounted',
      space_id: isInside ? row.space_id : null,
      space: isInside ? row.space : null,
    }
  })
  const unaccounted = people.filter(({ status }) => status === 'unaccounted').length
  return { building_id, begins_at, unaccounted, accounted: people.length - unaccounted, people }
}

/**
 * When the first evacuation that is in force for the building, or for what it is part of, began: whoever left then is
 * accounted for, though a fire panel started another one since. Without one, the latest drill: an earlier one may have
 * been forgotten.
 */
async function emergencySince(handle: OrgHandle, building: string): Promise<string | undefined> {
  const { buildings, locations } = (await placesOf(handle)).above(building)
  const row = await handle.one<{ since: string | null }>(sql`
    select coalesce(min(case when t.kind = 'evacuation' then t.created_at end), max(t.created_at)) as since
    from lockdowns t where t.org = :org and t.kind in ('evacuation', 'drill') and t.released_at is null
      and (t.expires_at is null or t.expires_at > :now) and t.space_id is null and t.access_point_id is null
      and (coalesce(t.location_id, t.building_id) is null
      or ${handle.dialect.inList('t.building_id', buildings, 'uuid')}
        or ${handle.dialect.inList('t.location_id', locations, 'uuid')})`)
  return row?.since ?? undefined
}
