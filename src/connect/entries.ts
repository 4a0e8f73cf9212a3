import type { OrgHandle } from '../db/org.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { LiveTx } from '../live/live-transaction.ts'
import type { Refusal } from './connector.ts'
import type { Entry, EntryKind } from './entry.ts'
import type { Link } from './link.ts'
import { type Believed, UNKNOWN } from './plan.ts'

export const syncStates = ['in_sync', 'pending', 'failed', 'unknown'] as const
export type SyncState = (typeof syncStates)[number]

/** What a device should hold of one entry and is known to hold. */
export interface EntryRow {
  readonly entry_key: string
  readonly wanted: string | null
  readonly held: string | null
  /** `unknown`: something was sent that it has not answered, so it may hold that instead. */
  readonly state: SyncState
}

/** What it is known to hold; UNKNOWN: something, and nobody knows what. */
export const heldIn = ({ held, state }: EntryRow): string | null =>
  held !== null && state === 'unknown' ? UNKNOWN : held

/** So many are read, and so many written together. */
const PAGE = 1000
const SLICE = 200

/** All of a system, or those of these keys. */
export async function loadEntries(
  handle: OrgHandle,
  system: string,
  keys?: Iterable<string>,
): Promise<Map<string, EntryRow>> {
  if (keys) return loadSome(handle, system, keys)
  const found = new Map<string, EntryRow>()
  for (let last = ''; ; ) {
    const rows = await handle.all<EntryRow>(sql`
      select t.entry_key, t.wanted, t.held, t.state from device_entries t
      where t.org = :org and t.access_control_system_id = ${system} and t.entry_key > ${last} order by t.entry_key
      limit ${PAGE}`)
    for (const row of rows) found.set(row.entry_key, row)
    if (rows.length < PAGE) return found
    last = rows.at(-1)?.entry_key ?? last
  }
}

/** Those of these keys that are there. */
async function loadSome(handle: OrgHandle, system: string, keys: Iterable<string>): Promise<Map<string, EntryRow>> {
  const found = new Map<string, EntryRow>()
  for (const some of slices([...keys], PAGE)) {
    const rows = await handle.all<EntryRow>(sql`
      select t.entry_key, t.wanted, t.held, t.state from device_entries t
      where t.org = :org and t.access_control_system_id = ${system}
      and ${handle.dialect.inList('t.entry_key', some, 'text')}`)
    for (const row of rows) found.set(row.entry_key, row)
  }
  return found
}

/** How much the device is known to hold. */
export async function countHeld(handle: OrgHandle, system: string): Promise<number> {
  const row = await handle.one<{ n: number }>(sql`
    select count(t.held) as n from device_entries t where t.org = :org and t.access_control_system_id = ${system}`)
  return Number(row?.n ?? 0)
}

interface Wanted extends Omit<EntryRow, 'held'> {
  readonly kind: EntryKind
  readonly item_id: string
}

/**
 * Notes what the device should hold, of all or of these keys: what differs from what it holds waits, from now on. Gives
 * those entries as they are then.
 */
export async function noteWanted(
  link: Link,
  desired: ReadonlyMap<string, Entry>,
  keys?: Iterable<string>,
): Promise<Map<string, EntryRow>> {
  const known = await loadEntries(link.reading(), link.system, keys)
  const changes: Wanted[] = []
  for (const { key, kind, item_id, fingerprint } of desired.values()) {
    const row = known.get(key)
    if (row?.wanted === fingerprint) continue
    const next = { entry_key: key, wanted: fingerprint, state: stateOf(row, fingerprint) }
    changes.push({ ...next, kind, item_id })
    known.set(key, { ...next, held: row?.held ?? null })
  }
  const gone: string[] = []
  for (const row of [...known.values()]) {
    if (desired.has(row.entry_key)) continue
    const { entry_key, held } = row
    if (held === null) gone.push(entry_key)
    else if (row.wanted !== null)
      changes.push({ entry_key, ...itemOf(entry_key), wanted: null, state: stateOf(row, null) })
    if (held === null) known.delete(entry_key)
    else known.set(entry_key, { ...row, wanted: null, state: stateOf(row, null) })
  }
  for (const some of slices(changes)) await link.live((tx) => writeWanted(tx, link.system, some))
  for (const some of slices(gone)) await link.live((tx) => forgetEntries(tx, link.system, some))
  return known
}

/** That it is to hold something else now answers nothing of what it was sent before. */
function stateOf(row: EntryRow | undefined, wanted: string | null): SyncState {
  if (row?.state === 'unknown') return 'unknown'
  return (row?.held ?? null) === wanted ? 'in_sync' : 'pending'
}

function itemOf(key: string): Pick<Wanted, 'kind' | 'item_id'> {
  const at = key.indexOf(':')
  return { kind: key.slice(0, at) as EntryKind, item_id: key.slice(at + 1) }
}

const writeWanted = (tx: LiveTx, system: string, rows: readonly Wanted[]): Promise<number> =>
  tx.run(sql`insert into device_entries (org, access_control_system_id, entry_key, kind, item_id, wanted, state, since)
    select :org, e.system, e.entry_key, e.kind, e.item_id, e.wanted, e.state, e.since
    from ${tx.dialect.records(
      rows.map((row) => ({ ...row, system, since: tx.instant })),
      'e',
      {
        system: 'uuid',
        entry_key: 'text',
        kind: 'text',
        item_id: 'uuid',
        wanted: 'text',
        state: 'text',
        since: 'timestamp',
      },
    )} where true
    on conflict (org, access_control_system_id, entry_key) do update
    set wanted = excluded.wanted, state = excluded.state, since = excluded.since, error_code = null,
    error_message = null`)

/** They are neither wanted nor held. When that came about is kept of grants: since when they open nothing. */
export async function forgetEntries(tx: LiveTx, system: string, keys: readonly string[]): Promise<void> {
  const those = sql`t.org = :org and t.access_control_system_id = ${system}
    and ${tx.dialect.inList('t.entry_key', keys, 'text')}`
  // One that is not held and not seen to be gone never was there. One that is deleted is asked for by nobody.
  // By their keys: by their kind SQLite would go through all grants at every system.
  await tx.run(sql`insert into device_removals (org, item_id, access_control_system_id, removed_at)
    select t.org, t.item_id, t.access_control_system_id, case when t.held is null then t.since else ${tx.instant} end
    from device_entries t where ${those} and coalesce(t.kind, '') = 'grant'
    and (t.held is not null or t.state = 'in_sync')
    and exists (select 1 from access_grants g where g.org = :org and g.id = t.item_id)
    on conflict (org, item_id, access_control_system_id) do update set removed_at = excluded.removed_at`)
  await tx.run(sql`delete from device_entries as t where ${those}`)
}

type Put = Pick<Entry, 'key' | 'fingerprint' | 'ends_at'>

/** With each of these entries (`e`) the row of what is known of it (`t`). */
function withRows(tx: LiveTx, system: string, entries: readonly Put[]): { from: Sql; isSame: Sql } {
  const rows = entries.map(({ key, fingerprint, ends_at }) => ({ org: tx.org, system, key, fingerprint, ends_at }))
  const columns = { org: 'bigint', system: 'uuid', key: 'text', fingerprint: 'text', ends_at: 'timestamp' } as const
  // Each is found by its whole key: by the organization and the system alone SQLite would go through all of them for
  // each that is there.
  const isSame = sql`t.org = e.org and t.access_control_system_id = e.system and t.entry_key = e.key and +t.org = :org`
  return { from: tx.dialect.records(rows, 'e', columns), isSame }
}

/**
 * They are on their way: until the device says so, nobody knows which it holds, and whichever ends later may be what
 * opens.
 */
export function noteSending(tx: LiveTx, system: string, entries: readonly Put[]): Promise<number> {
  const { from, isSame } = withRows(tx, system, entries)
  return tx.run(sql`update device_entries as t set state = 'unknown', held = coalesce(t.held, ${UNKNOWN}),
    held_ends_at = case when t.held is null or e.ends_at is null or t.held_ends_at < e.ends_at then e.ends_at
      else t.held_ends_at end
    from ${from} where ${isSame}`)
}

/** The device has taken them, but for what it refused to take, or to let go of. */
export async function notePut(
  tx: LiveTx,
  system: string,
  entries: readonly Put[],
  refusals: readonly Refusal[],
): Promise<void> {
  const refused = new Map(refusals.map((refusal) => [refusal.key, refusal]))
  const taken = entries.filter(({ key }) => !refused.has(key))
  if (taken.length > 0) {
    const { from, isSame } = withRows(tx, system, taken)
    await tx.run(sql`update device_entries as t set held = e.fingerprint, held_ends_at = e.ends_at,
      state = case when t.wanted = e.fingerprint then 'in_sync' else 'pending' end,
      since = ${tx.instant}, error_code = null, error_message = null
      from ${from} where ${isSame}`)
  }
  for (const { key, code, message } of refusals)
    await tx.run(sql`update device_entries as t set state = 'failed',
      since = case when t.error_code = ${code} then t.since else ${tx.instant} end,
      held = case when t.held = ${UNKNOWN} and t.wanted is not null then null else t.held end,
      error_code = ${code}, error_message = ${message}
      where t.org = :org and t.access_control_system_id = ${system} and t.entry_key = ${key}`)
}

/**
 * What the device was seen to hold, where that is not what it was known to; where it told (`isTold`), what was sent and
 * not answered is settled by it.
 */
export async function noteObserved(
  link: Link,
  { desired, entries: known }: { desired: ReadonlyMap<string, Entry>; entries: ReadonlyMap<string, EntryRow> },
  { entries: observed, isTold }: Believed,
): Promise<void> {
  const differing = [...new Set([...known.keys(), ...observed.keys()])]
    .map((key) => ({ key, held: observed.get(key) ?? null, row: known.get(key) }))
    .filter(({ held, row }) => held !== (row?.held ?? null) || (isTold && row?.state === 'unknown'))
  for (const some of slices(differing))
    await link.live(async (tx) => {
      for (const { key, held, row } of some) {
        const { kind, item_id } = itemOf(key)
        const state: SyncState = held === (row?.wanted ?? null) ? 'in_sync' : 'pending'
        // When that ends is known of what it was given; what nobody knows ends as it was known to.
        const entry = desired.get(key)
        const ends_at = entry?.fingerprint === held ? entry.ends_at : null
        const endsAt = held === UNKNOWN ? sql`device_entries.held_ends_at` : sql`excluded.held_ends_at`
        await tx.run(sql`insert into device_entries (org, access_control_system_id, entry_key, kind, item_id, wanted,
          held, held_ends_at, state, since)
          values (:org, ${link.system}, ${key}, ${kind}, ${item_id}, ${row?.wanted ?? null}, ${held}, ${ends_at},
          ${state}, ${tx.instant})
          on conflict (org, access_control_system_id, entry_key) do update
          set held = excluded.held, held_ends_at = ${endsAt}, state = excluded.state, since = excluded.since`)
      }
    })
}

export function* slices<T>(list: readonly T[], size = SLICE): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size)
}
