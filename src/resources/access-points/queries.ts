import type { DoorState } from '../../core/doors/door-state.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Item } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import { endOverrides } from '../../live/door-overrides.ts'
import { statesOf } from '../../live/door-states.ts'
import type { AccessPoint } from './schema.ts'

/** A door that no system drives cannot be watched; one that a system drives has not been heard of until it speaks. */
const connectivityOf = (point: AccessPoint): string =>
  point.access_control_system_id === null ? 'unsupervised' : 'never_connected'

/**
 * The state begins with the access point, and its connectivity anew with another system, which knows nothing of what
 * commands had the one before do.
 */
export async function prepareAccessPoint(
  tx: Tx,
  next: AccessPoint,
  current: AccessPoint | undefined,
): Promise<undefined> {
  if (!current) await tx.insertWith('access_point_states', initialState(next, tx.now))
  else if (current.access_control_system_id !== next.access_control_system_id) {
    await tx.run(sql`update access_point_states as t set connectivity = ${connectivityOf(next)},
      connectivity_since = ${tx.now},
      changed_at = ${tx.now} where t.org = :org and t.id = ${next.id}`)
    await endOverrides(tx, sql`t.access_point_id = ${next.id}`)
  }
}

const initialState = (point: AccessPoint, since: string): AnyRow => ({
  id: point.id,
  mode: 'locked',
  mode_since: since,
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
})

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
