import { isDeepStrictEqual } from 'node:util'
import { believed, changed, type DoorChange, type DoorState, following } from '../core/doors/door-state.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Engine, RecordType } from '../db/engine.ts'
import type { OrgHandle } from '../db/org.ts'
import { raw, sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { changeLive, type LiveTx } from './live-transaction.ts'

const columns = {
  // First: after a comma it would be taken for the table of that name.
  alarms: 'text',
  mode: 'text',
  mode_since: 'timestamp',
  lock_state: 'text',
  lock_state_since: 'timestamp',
  position: 'text',
  position_since: 'timestamp',
  alarms_since: 'timestamp',
  connectivity: 'text',
  connectivity_since: 'timestamp',
  last_entry_at: 'timestamp',
  heard: 'text',
} as const satisfies Record<keyof DoorState, RecordType>

const names = Object.keys(columns) as Array<keyof DoorState>
const TABLE = 'access_point_states'

/** Sets what is known of doors, such as their mode; durable once it answers. What is not there is passed over. */
export async function setDoorState(
  { engine, clock }: { engine: Engine; clock: Clock },
  org: number,
  changes: readonly DoorChange[],
) {
  if (changes.length > 0) await changeLive(engine, org, clock.now(), (tx) => changeDoors(tx, changes))
}

/** The same within a live transaction. */
export async function changeDoors(tx: LiveTx, changes: readonly DoorChange[]): Promise<void> {
  if (changes.length === 0) return
  const before = await statesOf(tx, new Set(changes.map((change) => change.access_point_id)))
  const after = new Map(before)
  const ahead = aheadOf(tx)
  for (const change of changes) {
    const state = after.get(change.access_point_id)
    if (state) after.set(change.access_point_id, changed(believed(state, change, ahead), change))
  }
  const rows = [...after].filter(
    ([id, state]) => state !== before.get(id) && differing(before.get(id), state).length > 0,
  )
  if (rows.length === 0) return
  const moved = new Set(rows.flatMap(([id, state]) => differing(before.get(id), state)))
  await write(tx, rows, moved, movedBy(moved, rows, before))
}

/** Changes of these are no change of what is shown. */
const INNER = new Set<keyof DoorState>(['last_entry_at', 'heard'])

/** Those who look at one axis do not mind another. */
function movedBy(
  fields: ReadonlySet<keyof DoorState>,
  rows: ReadonlyArray<[string, DoorState]>,
  before: ReadonlyMap<string, DoorState>,
) {
  const moved = [...fields].filter((name) => name !== 'heard').map((name) => `${TABLE}.${name}`)
  if ([...fields].some((name) => !INNER.has(name))) moved.push(`${TABLE}.changed_at`)
  for (const [name, follows] of Object.entries(following)) {
    if (rows.some(([id, { alarms }]) => follows(alarms) !== follows(before.get(id)?.alarms ?? [])))
      moved.push(`${TABLE}.${name}`)
  }
  return moved
}

const differing = (before: DoorState | undefined, after: DoorState): Array<keyof DoorState> =>
  names.filter((name) => !isDeepStrictEqual(before?.[name], after[name]))

/** What follows from the others, and is written with them. */
const types = { ...columns, in_alarm: 'boolean', needs_service: 'boolean', changed_at: 'timestamp' } as const
const SHOWN = ['in_alarm', 'needs_service', 'changed_at'] as const

/** Writes what is another of any of them: of a door that is passed all day that is little. */
async function write(
  tx: LiveTx,
  states: ReadonlyArray<[string, DoorState]>,
  fields: ReadonlySet<keyof DoorState>,
  moved: readonly string[],
): Promise<void> {
  const isShown = [...fields].some((name) => !INNER.has(name))
  const written: Array<keyof typeof types> = [...names.filter((name) => fields.has(name)), ...(isShown ? SHOWN : [])]
  const rows = states.map(([id, state]) => {
    const row: Record<keyof typeof types, unknown> = {
      ...state,
      alarms: JSON.stringify(state.alarms),
      heard: JSON.stringify(state.heard),
      in_alarm: following.in_alarm(state.alarms),
      needs_service: following.needs_service(state.alarms),
      changed_at: changedAt(state),
    }
    return { org: tx.org, id, ...Object.fromEntries(written.map((name) => [name, row[name]])) }
  })
  const shape: Record<string, RecordType> = Object.fromEntries(written.map((name) => [name, types[name]]))
  const from = tx.dialect.records(rows, 'e', { ...shape, org: 'bigint', id: 'uuid' })
  const sets = written.map((name) => `${name} = e.${name}`).join(', ')
  // Row by row of what is written: by the organization alone SQLite would go through all doors, and through these for
  // each.
  const where = sql`t.org = e.org and t.id = e.id and +t.org = :org`
  await tx.run(sql`update access_point_states as t set ${raw(sets)} from ${from} where ${where}`, moved)
}

/** When any of it was last another. */
export const changedAt = (state: DoorState): string | undefined =>
  [state.mode_since, state.lock_state_since, state.position_since, state.alarms_since, state.connectivity_since]
    .sort()
    .at(-1)

/** What is known of some doors. */
export async function statesOf(handle: OrgHandle, ids: ReadonlySet<string>): Promise<Map<string, DoorState>> {
  const rows = await handle.all<
    Omit<DoorState, 'alarms' | 'heard'> & { id: string; alarms: string; heard: string }
  >(sql`
    select t.id, ${raw(names.map((name) => `t.${name}`).join(', '))} from access_point_states t
    where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`)
  return new Map(
    rows.map(({ id, alarms, heard, ...state }) => [
      id,
      { ...state, alarms: JSON.parse(alarms), heard: JSON.parse(heard) },
    ]),
  )
}
