import type { WayIn } from '../../access/ways-in.ts'
import type { OrgHandle } from '../../db/org.ts'
import { type Sql, sql } from '../../db/sql.ts'

const SLICE = 500

interface Named {
  id: string
  name: string
}

/** What people, and the grants, groups and keys that let them in, are called today. */
export async function namesOf(
  handle: OrgHandle,
  ways: readonly WayIn[],
): Promise<{ people: ReadonlyMap<string, string>; whats: ReadonlyMap<string, string> }> {
  const look = async (
    ids: readonly string[],
    statement: (among: readonly string[]) => Sql,
  ): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    for (let from = 0; from < ids.length; from += SLICE)
      for (const { id, name } of await handle.all<Named>(statement(ids.slice(from, from + SLICE)))) found.set(id, name)
    return found
  }
  const of = (means: WayIn['means']) => ways.filter((way) => way.means === means).map(({ id }) => id)
  const people = await look(
    [...new Set(ways.map(({ individual_id }) => individual_id))],
    (ids) =>
      sql`select t.id, t.display_name as name from ${handle.dialect.ids(ids, 'l')} cross join individuals t
        where t.org = :org and t.id = l.id`,
  )
  const grants = await look(
    of('grant'),
    (ids) => sql`select t.id, coalesce(p.name, s.name, b.name, l.name) as name from access_grants t
      left join access_points p on p.org = :org and p.id = t.access_point_id
      left join spaces s on s.org = :org and s.id = t.space_id
      left join buildings b on b.org = :org and b.id = t.building_id
      left join locations l on l.org = :org and l.id = t.location_id
      where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  const groups = await look(
    of('group'),
    (ids) => sql`select t.id, g.name from access_group_members t join access_groups g on g.org = :org
      and g.id = t.access_group_id
      where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  const keys = await look(
    of('key'),
    (ids) => sql`select t.id, kt.code || ' · ' || t.number as name from keys t join key_types kt on kt.org = :org
      and kt.id = t.key_type_id
      where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  return { people, whats: new Map([...grants, ...groups, ...keys]) }
}
