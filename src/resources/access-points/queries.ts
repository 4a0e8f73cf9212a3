import { type DoorState, doorAlarms } from '../../core/doors/door-state.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Item } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import { endOverrides } from '../../live/door-overrides.ts'
import { statesOf } from '../../live/door-states.ts'
import { takeAlarmsAlong } from '../../live/moved-alarms.ts'
import type { AccessPoint } from './schema.ts'

/** A door that no system drives cannot be watched; one that a system drives has not been heard of until it speaks. */
const connectivityOf = (point: AccessPoint): string =>
  point.access_control_system_id === null ? 'unsupervised' : 'never_connected'

/** The state begins with the access point, and anew with another system: what the one before told is not known now. */
export async function prepareAccessPoint(
  tx: Tx,
  next: AccessPoint,
  current: AccessPoint | undefined,
): Promise<undefined> {
  if (!current) {
    await tx.insertWith('access_point_states', { id: next.id, ...initialMode(tx.now), ...unheard(next, tx.now) })
    return
  }
  if (current.space_id !== next.space_id) await followSpace(tx, next)
  if (current.access_control_system_id !== next.access_control_system_id) {
    await tx.update('access_point_states', next.id, { ...unheard(next, tx.now), heard: saidNothing(tx.now) })
    // Nor does it know what commands had that one do.
    await endOverrides(tx, sql`t.access_point_id = ${next.id}`)
  }
}

async function followSpace(tx: Tx, { id, space_id }: AccessPoint): Promise<void> {
  const space = await tx.one<{ building_id: string }>(
    sql`select t.building_id from spaces t where t.org = :org and t.id = ${space_id}`,
  )
  if (space) await takeAlarmsAlong(tx, [id], space.building_id)
}

const initialMode = (since: string): AnyRow => ({ mode: 'locked', mode_since: since })

const unheard = (point: AccessPoint, since: string): AnyRow => ({
  lock_state: 'unknown',
  lock_state_since: since,
  position: 'unknown',
  position_since: since,
  alarms: '[]',
  alarms_since: since,
  in_alarm: false,
  needs_service: false,
  connectivity: connectivityOf(point),
  connectivity_since: since,
  changed_at: since,
  heard: '{}',
})

/** What the system before tells of late, from before then, is no alarm of the door: this one would never end it. */
const saidNothing = (since: string): string =>
  JSON.stringify(Object.fromEntries(doorAlarms.map((alarm) => [alarm, since])))

/** What is known of the doors of a page. */
export async function addStates(
  handle: OrgHandle,
  rows: Item[],
  _caller: unknown,
  names: readonly string[],
): Promise<void> {
  if (!names.includes('state')) return
  const states = await statesOf(handle, new Set(rows.map((row) => row.id)))
  for (const row of rows) row.state = shown(states.get(row.id))
}

const shown = (state: DoorState | undefined) =>
  state && {
    mode: { value: state.mode, since: state.mode_since },
    lock_state: { value: state.lock_state, since: state.lock_state_since },
    position: { value: state.position, since: state.position_since },
    alarms: { value: state.alarms, since: state.alarms_since },
    connectivity: { value: state.connectivity, since: state.connectivity_since },
  }
