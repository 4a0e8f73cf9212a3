import { isWithin } from '../../core/decide/case.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import type { DoorFacts } from '../doors.ts'
import { type GrantRow, loadGrants } from '../grants.ts'
import { loadKeys } from '../people.ts'
import type { Settings } from '../settings.ts'

/**
 * Who has a right at these doors at a moment, as a condition on a row `t` of individuals: a grant in force, of their
 * own or through a group, that no deny takes away at every hour; or a key. Whether it opens at this hour is for
 * `decide()` to say.
 */
export async function peopleWithRight(
  settings: Settings,
  doors: readonly DoorFacts[],
  at: string,
): Promise<Candidates> {
  const targets = [...new Set(doors.flatMap((door) => door.targets.map(({ id }) => id)))]
  const byTarget = await loadGrants(settings, { targets, subjects: 'all' })
  const keys = await loadKeys(
    settings,
    doors.map(({ door }) => door.id),
    'all',
  )
  const holders = new Set([...keys.keys()].map((key) => key.slice(0, key.indexOf(' '))))
  const dialect = settings.handle.dialect
  const ways: Sql[] = holders.size > 0 ? [dialect.inList('t.id', holders, 'uuid')] : []
  const shapes = new Map<string, Sql>()
  const subjects = new Set<string>()
  for (const door of doors) {
    // Without a reader a grant opens nothing.
    if (door.door.access_control_system_id === null) continue
    const grants = door.targets
      .flatMap((target) => byTarget.get(target.id) ?? [])
      .filter((grant) => isWithin(grant, at))
    const allows = subjectsOf(grants.filter(({ effect }) => effect === 'allow'))
    if (allows.size === 0) continue
    for (const subject of allows) subjects.add(subject)
    const denies = subjectsOf(grants.filter((grant) => grant.effect === 'deny' && grant.schedule_id === null))
    // Most doors of a space have the same rights: they are asked once.
    const shape = JSON.stringify([...allows, '-', ...denies])
    if (!shapes.has(shape))
      shapes.set(
        shape,
        sql`(${given(settings, allows, at)}${denies.size > 0 ? sql` and not ${given(settings, denies, at)}` : sql``})`,
      )
  }
  if (shapes.size > 0)
    ways.push(sql`(t.status = 'active' and ${holdsAt('t', at)} and (${join([...shapes.values()], ' or ')}))`)
  const few = await fewOf(settings, subjects, holders)
  if (ways.length === 0) return { condition: sql`false`, isFew: true }
  const condition = sql`(${join(ways, ' or ')})`
  return few
    ? { condition: sql`(${dialect.inList('t.id', few, 'uuid')} and ${condition})`, isFew: true }
    : { condition, isFew: false }
}

export interface Candidates {
  readonly condition: Sql
  /** So few that they are better read one by one than looked for along an order. */
  readonly isFew: boolean
}

const FEW = 1000

/** Everybody who is named, a member of what is named, or holds a key; undefined: more than a few. */
async function fewOf(
  settings: Settings,
  subjects: ReadonlySet<string>,
  holders: ReadonlySet<string>,
): Promise<Set<string> | undefined> {
  const { groups, people } = named(subjects)
  const few = new Set([...holders, ...people])
  if (groups.length > 0) {
    const members = await settings.handle.all<{ id: string }>(sql`
      select m.individual_id as id from ${settings.from('access_group_members', 'm')}
      where m.org = :org and ${settings.handle.dialect.inList('m.access_group_id', groups, 'uuid')} limit ${FEW + 1}`)
    for (const { id } of members) few.add(id)
    if (members.length > FEW) return undefined
  }
  return few.size > FEW ? undefined : few
}

const named = (subjects: ReadonlySet<string>) => ({
  groups: [...subjects].filter((id) => id.startsWith('group ')).map((id) => id.slice('group '.length)),
  people: [...subjects].filter((id) => !id.startsWith('group ')),
})

const subjectsOf = (grants: readonly GrantRow[]): Set<string> =>
  new Set(grants.map((grant) => grant.individual_id ?? `group ${grant.access_group_id}`))

/** Whether `t` is one of the subjects, or a member of one then. */
function given(settings: Settings, subjects: ReadonlySet<string>, at: string): Sql {
  const { dialect } = settings.handle
  const { groups, people } = named(subjects)
  const ways: Sql[] = people.length > 0 ? [dialect.inList('t.id', people, 'uuid')] : []
  if (groups.length > 0) {
    const members = sql`from ${settings.from('access_group_members', 'm')} where m.org = :org
      and ${dialect.inList('m.access_group_id', groups, 'uuid')} and ${holdsAt('m', at)}`
    // Of another day all of them are found once: no index has those who were, to look for each.
    ways.push(
      settings.asOf === undefined
        ? sql`exists (select 1 ${members} and m.individual_id = t.id)`
        : sql`t.id in (select m.individual_id ${members})`,
    )
  }
  return sql`(${join(ways, ' or ')})`
}

/** Whether the window of the aliased row holds at a moment. */
const holdsAt = (alias: string, at: string): Sql =>
  sql`(${raw(`${alias}.valid_from`)} is null or ${raw(`${alias}.valid_from`)} <= ${at}) and
    (${raw(`${alias}.valid_until`)} is null or ${raw(`${alias}.valid_until`)} > ${at})`
