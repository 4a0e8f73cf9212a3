import type { Tx } from '../../db/change.ts'
import type { AccessPoint, AccessPointStateValue } from './schema.ts'

/** A door that no system drives cannot be watched; one that a system drives has not been heard of until it speaks. */
const connectivityOf = (point: AccessPoint): string => (point.access_control_system_id === null ? 'unsupervised' : 'never_connected')

const initialState = (point: AccessPoint, since: string): AccessPointStateValue => ({
  mode: { value: 'locked', since },
  lock_state: { value: 'unknown', since },
  position: { value: 'unknown', since },
  alarms: { value: [], since },
  connectivity: { value: connectivityOf(point), since },
})

/** The state begins with the access point, and its connectivity anew with another system. */
export function prepareAccessPoint(tx: Tx, next: AccessPoint, current: AccessPoint | undefined): Record<string, unknown> | undefined {
  if (current && current.access_control_system_id === next.access_control_system_id) return undefined
  next.state = current ? { ...current.state, connectivity: { value: connectivityOf(next), since: tx.now } } : initialState(next, tx.now)
  return { connectivity: next.state.connectivity.value, in_alarm: next.state.alarms.value.length > 0 }
}
