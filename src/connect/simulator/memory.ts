import { parsed } from '../../db/assignments.ts'
import { sql } from '../../db/sql.ts'
import type { LiveTx } from '../../live/live-transaction.ts'
import type { DeviceEvent } from '../connector.ts'

/** What may go wrong with a virtual controller, each until it is ended. */
export interface Faults {
  /** It does what it is told, and its answer is lost. */
  readonly lose_acknowledgements: boolean
  /** Each event is told twice. */
  readonly duplicate_events: boolean
  /** Every other event is told after those that came later. */
  readonly late_events: boolean
  readonly read: 'works' | 'fails' | 'empty'
}

/** The whole of a virtual controller but for its table, its doors and what it has yet to tell. */
export interface Memory {
  readonly is_online: boolean
  readonly is_powered: boolean
  readonly clock_offset_ms: number
  /** How much its clock gains, and since when. */
  readonly drift_ppm: number
  readonly clock_set_at: string
  readonly faults: Faults
  readonly emitted: number
}

export interface DoorState {
  readonly override: 'unlocked' | 'unlocked_timed' | 'blocked' | null
  readonly override_until: string | null
  /** Unlocked for whoever was let through. */
  readonly passing_until: string | null
  readonly is_taken: boolean
  readonly is_unlocked: boolean
  readonly opened_at: string | null
  readonly is_held_told: boolean
  readonly last_entry_at: string | null
}

export const NO_FAULTS: Faults = {
  lose_acknowledgements: false,
  duplicate_events: false,
  late_events: false,
  read: 'works',
}

/** How far its clock is ahead of ours at a moment. */
export const offsetAt = ({ clock_offset_ms, drift_ppm, clock_set_at }: Memory, at: string): number =>
  Math.round(clock_offset_ms + ((Date.parse(at) - Date.parse(clock_set_at)) * drift_ppm) / 1_000_000)

export const deviceTime = (memory: Memory, at: string): string =>
  new Date(Date.parse(at) + offsetAt(memory, at)).toISOString()

const fresh = (now: string): Memory => ({
  is_online: true,
  is_powered: true,
  clock_offset_ms: 0,
  drift_ppm: 0,
  clock_set_at: now,
  faults: NO_FAULTS,
  emitted: 0,
})

export const CLOSED: DoorState = {
  override: null,
  override_until: null,
  passing_until: null,
  is_taken: false,
  is_unlocked: false,
  opened_at: null,
  is_held_told: false,
  last_entry_at: null,
}

/** The memory of one, made at first need. Nobody else has it until the transaction ends. */
export async function holdMemory(tx: LiveTx, system: string): Promise<{ memory: Memory; place: number }> {
  const row = await tx.one<{ memory: string | Memory; last_place: number }>(sql`
    insert into simulators (org, access_control_system_id, memory, last_place)
    values (:org, ${system}, ${JSON.stringify(fresh(tx.instant))}, 0)
    on conflict (org, access_control_system_id) do update set last_place = simulators.last_place
    returning memory, last_place`)
  if (!row) throw new Error('a simulator has no memory')
  return { memory: parsed<Memory>(row.memory), place: Number(row.last_place) }
}

export const keepMemory = (tx: LiveTx, system: string, memory: Memory, place: number): Promise<number> =>
  tx.run(sql`update simulators as t set memory = ${JSON.stringify(memory)}, last_place = ${place}
    where t.org = :org and t.access_control_system_id = ${system}`)

export async function findDoorState(tx: LiveTx, system: string, door: string): Promise<DoorState> {
  const row = await tx.one<{ state: string | DoorState }>(sql`
    select t.state from simulator_doors t where t.org = :org and t.access_control_system_id = ${system}
    and t.access_point_id = ${door}`)
  return row ? parsed<DoorState>(row.state) : CLOSED
}

export const keepDoorState = (
  tx: LiveTx,
  system: string,
  door: string,
  state: DoorState,
  next: string | null,
): Promise<number> =>
  tx.run(sql`insert into simulator_doors (org, access_control_system_id, access_point_id, state, next_at)
    values (:org, ${system}, ${door}, ${JSON.stringify(state)}, ${next})
    on conflict (org, access_control_system_id, access_point_id) do update
    set state = excluded.state, next_at = excluded.next_at`)

/** Doors that may do something by themselves by now. */
export const doorsDue = (
  tx: LiveTx,
  system: string,
  now: string,
  limit: number,
): Promise<Array<{ access_point_id: string; next_at: string }>> =>
  tx.all(sql`select t.access_point_id, t.next_at from simulator_doors t
    where t.org = :org and t.access_control_system_id = ${system} and t.next_at <= ${now} order by t.next_at
    limit ${limit}`)

export const addEvent = (tx: LiveTx, system: string, event: DeviceEvent, place: number | null): Promise<number> =>
  tx.run(sql`insert into simulator_events (org, access_control_system_id, id, place, body)
    values (:org, ${system}, ${event.source_id}, ${place}, ${JSON.stringify(event)})`)
