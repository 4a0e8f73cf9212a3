import { liesIn } from '../access/lists/doors-within-reach.ts'
import { Settings } from '../access/settings.ts'
import { parsed } from '../db/assignments.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import type { SyncState } from './entries.ts'
import type { Inexpressible } from './entry.ts'
import { connectedKinds } from './kinds.ts'
import { findLink, type LinkRow } from './link.ts'

/** Since when somebody's device holds what it should, or does not. */
export interface Standing {
  readonly state: SyncState
  readonly since: string
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface SystemStanding extends Standing {
  readonly link: LinkRow | undefined
  readonly counts: Readonly<Record<SyncState, number>>
  readonly removals: number
  readonly inexpressible: { readonly total: number; readonly some: readonly Inexpressible[] }
}

/** The worst first: what failed, what nobody knows, what is on its way. */
const WORST: readonly SyncState[] = ['failed', 'unknown', 'pending', 'in_sync']

/** Of several the first that went wrong; all are as they should be since the last of them is. */
const worstOf = <T extends Standing>(standings: readonly T[]): T | undefined =>
  standings.toSorted(
    (a, b) =>
      WORST.indexOf(a.state) - WORST.indexOf(b.state) ||
      (a.since < b.since ? -1 : 1) * (a.state === 'in_sync' ? -1 : 1),
  )[0]

interface SystemFacts {
  readonly id: string
  readonly kind: string
  readonly created_at: string
}

/** Nobody attends to it: what its device holds is not known. */
const unattended = (
  { kind, created_at }: SystemFacts,
  link: LinkRow | undefined,
  now: string,
): Standing | undefined => {
  if (!connectedKinds.includes(kind))
    return {
      state: 'unknown',
      since: created_at,
      error: { code: 'not_connected', message: 'The system is kept by hand' },
    }
  if (!link || link.compiled_at === null) return { state: 'unknown', since: created_at, error: null }
  if (link.held_until !== null && link.held_until > now) return undefined
  return {
    state: 'unknown',
    since: link.held_until ?? link.compiled_at,
    error: { code: 'unattended', message: 'No process attends to it' },
  }
}

/** How a whole system stands. */
export async function standingOfSystem(handle: OrgHandle, system: SystemFacts): Promise<SystemStanding> {
  const link = await findLink(handle, system.id)
  const rows = await handle.all<{ state: SyncState; n: number; removals: number; since: string }>(
    sql`select t.state, count(*) as n, count(case when t.wanted is null then 1 end) as removals, min(t.since) as since
      from device_entries t
      where t.org = :org and t.access_control_system_id = ${system.id} group by t.state`,
    'all',
  )
  const counts = {
    in_sync: 0,
    pending: 0,
    failed: 0,
    unknown: 0,
    ...Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)])),
  }
  const worst = worstOf(rows.map(({ state, since }): Standing => ({ state, since, error: null })))
  const inSync: Standing = {
    state: 'in_sync',
    since: link?.synced_at ?? link?.compiled_at ?? system.created_at,
    error: null,
  }
  const standing = unattended(system, link, handle.now) ?? (worst && worst.state !== 'in_sync' ? worst : inSync)
  return {
    ...standing,
    link,
    counts,
    removals: rows.reduce((sum, { removals }) => sum + Number(removals), 0),
    inexpressible: await inexpressibleOf(handle, system.id),
  }
}

async function inexpressibleOf(handle: OrgHandle, system: string): Promise<SystemStanding['inexpressible']> {
  const row = await handle.one<{ inexpressible: string | SystemStanding['inexpressible'] | null }>(
    sql`select t.inexpressible from system_links t where t.org = :org and t.access_control_system_id = ${system}`,
  )
  return row?.inexpressible ? parsed(row.inexpressible) : { total: 0, some: [] }
}

interface ItemStanding extends Standing {
  readonly system: string
  readonly held: string | null
  readonly held_ends_at: string | null
  readonly wanted: string | null
}

interface ItemRow {
  readonly system: string
  readonly kind: string
  readonly created_at: string
  readonly state: SyncState | null
  readonly since: string | null
  readonly removed_at: string | null
  readonly held: string | null
  readonly held_ends_at: string | null
  readonly wanted: string | null
  readonly error_code: string | null
  readonly error_message: string | null
}

const laterOf = (a: string, b: string | null): string => (b !== null && b > a ? b : a)

/** How an item stands at each of these systems. `changedAt`: what came after a table was compiled is not in it yet. */
async function standingsOf(
  handle: OrgHandle,
  kind: 'door' | 'grant' | 'schedule',
  id: string,
  systems: ReadonlySet<string>,
  changedAt: string,
): Promise<ItemStanding[]> {
  const rows = await handle.all<ItemRow>(sql`
    select t.id as system, t.kind, t.created_at, e.state, e.since, r.removed_at, e.held, e.held_ends_at, e.wanted,
    e.error_code, e.error_message
    from access_control_systems t left join device_entries e on e.org = :org and e.access_control_system_id = t.id
      and e.kind = ${kind} and e.item_id = ${id}
    left join device_removals r on r.org = :org and r.item_id = ${id} and r.access_control_system_id = t.id
    where t.org = :org and (${handle.dialect.inList('t.id', systems, 'uuid')} or e.state is not null) order by t.id`)
  const standings: ItemStanding[] = []
  for (const { system, held, held_ends_at, wanted, ...row } of rows) {
    const link = await findLink(handle, system)
    const isCompiled = link?.compiled_at !== null && link !== undefined && link.compiled_at >= changedAt
    const error = row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' }
    const own: Standing =
      row.state === null || row.since === null
        ? isCompiled
          ? { state: 'in_sync', since: laterOf(changedAt, row.removed_at), error: null }
          : { state: 'pending', since: changedAt, error: null }
        : isCompiled || row.state !== 'in_sync'
          ? { state: row.state, since: row.since, error }
          : { state: 'pending', since: changedAt, error: null }
    standings.push({
      ...(unattended({ id: system, kind: row.kind, created_at: row.created_at }, link, handle.now) ?? own),
      system,
      held,
      held_ends_at,
      wanted,
    })
  }
  return standings
}

export interface DoorFacts {
  readonly id: string
  readonly access_control_system_id: string | null
  readonly updated_at: string
}

/** How a door stands: itself, and where that is well, the table of its system. */
export async function standingOfDoor(handle: OrgHandle, door: DoorFacts): Promise<Standing> {
  const system = door.access_control_system_id
  if (system === null)
    return { state: 'unknown', since: door.updated_at, error: { code: 'no_system', message: 'No system drives it' } }
  const standings = await standingsOf(handle, 'door', door.id, new Set([system]), door.updated_at)
  const own = worstOf(standings.filter((one) => one.system === system))
  if (own && own.state !== 'in_sync') return own
  const facts = await handle.one<SystemFacts>(
    sql`select t.id, t.kind, t.created_at from access_control_systems t where t.org = :org and t.id = ${system}`,
  )
  return facts ? await standingOfSystem(handle, facts) : { state: 'unknown', since: door.updated_at, error: null }
}

export interface GrantFacts {
  readonly id: string
  readonly schedule_id: string | null
  readonly individual_id: string | null
  readonly access_group_id: string | null
  readonly status: string
  readonly effect: string
  readonly target: string
  readonly updated_at: string
}

export interface GrantStanding extends Standing {
  readonly systems: ReadonlyArray<Standing & { readonly access_control_system_id: string }>
  /** What its revocation has not reached yet, and until when at worst; null: until the system is reached. */
  readonly still_opens: ReadonlyArray<{
    readonly access_point_id: string
    readonly name: string
    readonly until: string | null
  }>
}

/** So many doors that still open are named. */
const NAMED = 100

const standingIn = ({ state, since, error }: Standing): Standing => ({ state, since, error })

interface PartStanding extends Standing {
  readonly system: string
}

/** What else a device must have to do as a grant says: its hours, and the cards of whom it is for. */
async function standingsOfParts(
  handle: OrgHandle,
  grant: GrantFacts,
  own: readonly ItemStanding[],
): Promise<PartStanding[]> {
  const systems = new Set(own.map(({ system }) => system))
  const hours = grant.schedule_id === null ? [] : await standingsOfHours(handle, grant.schedule_id, systems)
  return [...hours, ...(await standingsOfCards(handle, grant, systems))]
}

async function standingsOfHours(
  handle: OrgHandle,
  schedule: string,
  systems: ReadonlySet<string>,
): Promise<PartStanding[]> {
  const row = await handle.one<{ changed_at: string }>(sql`
    select case when c.updated_at > t.updated_at then c.updated_at else t.updated_at end as changed_at from schedules t
    left join calendars c on c.org = :org and c.id = t.calendar_id where t.org = :org and t.id = ${schedule}`)
  return row ? standingsOf(handle, 'schedule', schedule, systems, row.changed_at) : []
}

/** The cards that are not as they should be: of each system and state one. */
async function standingsOfCards(
  handle: OrgHandle,
  { individual_id, access_group_id }: GrantFacts,
  systems: ReadonlySet<string>,
): Promise<PartStanding[]> {
  const isTheirs = access_group_id
    ? sql`exists (select 1 from access_group_members m where m.org = :org and m.access_group_id = ${access_group_id}
        and m.individual_id = c.individual_id and (m.valid_from is null or m.valid_from <= :now)
        and (m.valid_until is null or m.valid_until > :now))`
    : sql`c.individual_id = ${individual_id}`
  const rows = await handle.all<CardsRow>(
    sql`select t.access_control_system_id as system, t.state, min(t.since) as since, min(t.error_code) as code,
      min(t.error_message) as message
      from device_entries t join credentials c on c.org = :org and c.id = t.item_id
      where t.org = :org and ${handle.dialect.inList('t.access_control_system_id', systems, 'uuid')}
      and t.state <> 'in_sync' and t.kind = 'card' and ${isTheirs} group by t.access_control_system_id, t.state`,
    'all',
  )
  return rows.map(({ code, message, ...row }) => ({
    ...row,
    error: code === null ? null : { code, message: message ?? '' },
  }))
}

interface CardsRow extends Omit<PartStanding, 'error'> {
  readonly code: string | null
  readonly message: string | null
}

/** How a grant stands, with its hours and cards, at each system that drives a door below its target. */
export async function standingOfGrant(handle: OrgHandle, grant: GrantFacts): Promise<GrantStanding> {
  const condition = await liesIn(new Settings(handle), [grant.target])
  const driven = await handle.all<{ system: string }>(sql`
    select distinct t.access_control_system_id as system from access_points t
    where t.org = :org and t.access_control_system_id is not null and ${condition}`)
  const own = await standingsOf(
    handle,
    'grant',
    grant.id,
    new Set(driven.map(({ system }) => system)),
    grant.updated_at,
  )
  const isOver = grant.status === 'revoked' || grant.status === 'expired'
  const parts = isOver ? [] : await standingsOfParts(handle, grant, own)
  const standings = own.map((one) => ({
    ...one,
    ...worstOf<Standing>([one, ...parts.filter(({ system }) => system === one.system).map(standingIn)]),
  }))
  const left = standings.filter(
    ({ held, held_ends_at }) => held !== null && (held_ends_at === null || held_ends_at > handle.now),
  )
  const worst = worstOf(standings) ?? { state: 'in_sync' as const, since: grant.updated_at, error: null }
  const still_opens = []
  for (const { system, held_ends_at } of isOver && grant.effect === 'allow' ? left : []) {
    const doors = await handle.all<{ id: string; name: string }>(sql`
      select t.id, t.name from access_points t
      where t.org = :org and t.access_control_system_id = ${system} and ${condition} order by t.name, t.id
      limit ${NAMED}`)
    still_opens.push(...doors.map(({ id, name }) => ({ access_point_id: id, name, until: held_ends_at })))
  }
  return {
    state: worst.state,
    since: worst.since,
    error: worst.error,
    systems: standings.map(({ system, state, since, error }) => ({
      access_control_system_id: system,
      state,
      since,
      error,
    })),
    still_opens: still_opens.slice(0, NAMED),
  }
}
