import { isWithin } from '../../core/decide/case.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import { type GrantRow, loadGrants } from '../grants.ts'
import { isInDoor } from '../in-door.ts'
import type { PersonFacts } from '../people.ts'
import { placesIn } from '../places-then.ts'
import type { Settings } from '../settings.ts'

/**
 * At which doors somebody has a right at a moment, as a condition on a row `t` of access_points: the same rules as
 * `peopleWithRight`, from the other side.
 */
export async function doorsWithRight(settings: Settings, person: PersonFacts, at: string): Promise<Sql> {
  const ways: Sql[] = [await byKey(settings, person.person.id)]
  if (person.person.status === 'active' && isWithin(person.person, at)) {
    const groups = [...person.groups.values()].filter((group) => isWithin(group, at)).map(({ id }) => id)
    const found = await loadGrants(settings, { targets: 'all', subjects: [person.person.id, ...groups] })
    const grants = [...found.values()].flat().filter((grant) => isWithin(grant, at))
    const allows = grants.filter(({ effect }) => effect === 'allow')
    const denies = grants.filter((grant) => grant.effect === 'deny' && grant.schedule_id === null)
    if (allows.length > 0) {
      const kept = denies.length > 0 ? sql` and not ${await below(settings, denies)}` : sql``
      ways.push(sql`(t.access_control_system_id is not null and ${await below(settings, allows)}${kept})`)
    }
  }
  return sql`(${join(ways, ' or ')})`
}

const below = (settings: Settings, grants: readonly GrantRow[]): Promise<Sql> =>
  liesIn(
    settings,
    grants.map(({ target }) => target),
  )

/** Whether `t`, a row of access_points, is one of these or lies in one: doors, spaces, buildings and locations. */
export async function liesIn(settings: Settings, ids: readonly string[]): Promise<Sql> {
  const { dialect } = settings.handle
  const places = await placesIn(settings)
  const { buildings } = places.below(
    ids.filter((id) => places.locations.has(id)),
    ids.filter((id) => places.buildings.has(id)),
  )
  const ways: Sql[] = [dialect.inList('t.id', ids, 'uuid'), dialect.inList('t.space_id', ids, 'uuid')]
  if (buildings.size > 0)
    ways.push(
      settings.asOf === undefined
        ? dialect.inList('t.building_id', buildings, 'uuid')
        : await inSpacesThen(settings, buildings),
    )
  return sql`(${join(ways, ' or ')})`
}

/** Of so many spaces the doors are better looked up one by one than all doors looked at. */
const FEW = 5000

/** By the spaces that lay in these buildings on another day: what was above a door then is told by nothing else. */
async function inSpacesThen(settings: Settings, buildings: ReadonlySet<string>): Promise<Sql> {
  const { handle } = settings
  const those = sql`select s.id from ${settings.from('spaces', 's')} where s.org = :org
    and ${handle.dialect.inList('s.building_id', buildings, 'uuid')}`
  const found = await handle.all<{ id: string }>(sql`${those} limit ${FEW + 1}`)
  const ids = found.map(({ id }) => id)
  return ids.length > FEW ? sql`t.space_id in (${those})` : handle.dialect.inList('t.space_id', ids, 'uuid')
}

/**
 * Doors whose cylinders a key turns that they hold: by their ids, so that the condition as a whole is one that indexes
 * answer. One table after the other: joined as they were on another day, each with each of the others, there is no end
 * to it.
 */
async function byKey(settings: Settings, individual: string): Promise<Sql> {
  const { handle } = settings
  const those = (column: string, ids: readonly string[]): Sql => handle.dialect.inList(column, ids, 'uuid')
  const idsIn = async (statement: Sql): Promise<string[]> =>
    (await handle.all<{ id: string }>(statement)).map(({ id }) => id)
  const types = await idsIn(sql`select distinct k.key_type_id as id from ${settings.from('keys', 'k')}
    where k.org = :org and k.individual_id = ${individual} and k.status = 'issued'`)
  if (types.length === 0) return sql`false`
  const cylinders = await idsIn(sql`select distinct p.cylinder_id as id from ${settings.from('plan_cells', 'p')}
    where p.org = :org and ${those('p.key_type_id', types)}`)
  const doors = await idsIn(sql`select distinct c.access_point_id as id from ${settings.from('cylinders', 'c')}
    where c.org = :org and ${those('c.id', cylinders)} and ${isInDoor('c')} and c.access_point_id is not null`)
  return those('t.id', doors)
}
