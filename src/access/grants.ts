import type { GrantFact, Target } from '../core/decide/facts.ts'
import type { ScheduleFacts } from '../core/time/schedule.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import { grouped } from './grouped.ts'
import type { PersonFacts } from './people.ts'
import { loadSchedules } from './schedules.ts'
import type { Settings } from './settings.ts'

/** A grant as it stands, before it is looked at from somebody's side. */
export interface GrantRow {
  readonly id: string
  readonly effect: 'allow' | 'deny'
  readonly individual_id: string | null
  readonly access_group_id: string | null
  readonly target: string
  readonly schedule_id: string | null
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly revoked_at: string | null
  readonly requires_pin: boolean
  readonly requires_second_person: boolean
  readonly during_lockdown: boolean
  readonly is_assumed: boolean
  schedule: ScheduleFacts | null
}

/** Which grants are asked for: those on any of these targets, to any of these subjects; either may be left open. */
interface Wanted {
  readonly targets: readonly string[] | 'all'
  readonly subjects: readonly string[] | 'all'
}

const TARGETS = ['access_point_id', 'space_id', 'building_id', 'location_id']
const SUBJECTS = ['individual_id', 'access_group_id']

/**
 * Grants that are not revoked, by the place they stand on; each with its schedule. Each column by an index of its own.
 */
export async function loadGrants(settings: Settings, { targets, subjects }: Wanted): Promise<Map<string, GrantRow[]>> {
  const { handle } = settings
  const among = (column: string, ids: readonly string[]): Sql => handle.dialect.inList(column, ids, 'uuid')
  const select = (condition: Sql): Sql => sql`
    select t.id, t.effect, t.individual_id, t.access_group_id,
    coalesce(t.access_point_id, t.space_id, t.building_id, t.location_id) as target,
      t.schedule_id, t.valid_from, t.valid_until, t.revoked_at, t.requires_pin, t.requires_second_person,
      t.during_lockdown
    from ${settings.from('access_grants', 't')} where t.org = :org and t.revoked_at is null and ${condition}`
  // A place has fewer grants than a group: where both are known the subject is only compared, and by no index.
  const given =
    targets === 'all' || subjects === 'all'
      ? sql`true`
      : among('coalesce(t.individual_id, t.access_group_id)', subjects)
  const [columns, ids] = targets === 'all' ? ([SUBJECTS, subjects] as const) : ([TARGETS, targets] as const)
  const ways =
    ids === 'all'
      ? [select(sql`true`)]
      : columns.map((column) => select(sql`${among(`t.${column}`, ids)} and ${given}`))
  const rows = await handle.all<GrantRow>(join(ways, ' union all '))
  const grants = rows.map((row) => ({
    ...row,
    requires_pin: Boolean(row.requires_pin),
    requires_second_person: Boolean(row.requires_second_person),
    during_lockdown: Boolean(row.during_lockdown),
    is_assumed: false,
  }))
  await addSchedules(settings, grants)
  return grouped(grants, (grant) => grant.target)
}

export async function addSchedules(settings: Settings, grants: readonly GrantRow[]): Promise<void> {
  const schedules = await loadSchedules(settings, new Set(grants.flatMap((grant) => grant.schedule_id ?? [])))
  for (const grant of grants) grant.schedule = schedules.get(grant.schedule_id ?? '') ?? null
}

/** What was given to somebody at these targets, by themselves or through a group. */
export function grantsFor(
  { person, groups }: PersonFacts,
  targets: readonly Target[],
  byTarget: ReadonlyMap<string, readonly GrantRow[]>,
): GrantFact[] {
  const found: GrantFact[] = []
  for (const target of targets) {
    for (const row of byTarget.get(target.id) ?? []) {
      const group = row.access_group_id === null ? null : groups.get(row.access_group_id)
      if (group === undefined || (group === null && row.individual_id !== person.id)) continue
      found.push({ ...row, group, target })
    }
  }
  return found
}
