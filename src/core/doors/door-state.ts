import type { AlarmKind } from './alarms.ts'

/** The five axes of an access point's state, and what each may be. */
export const modes = [
  'locked',
  'unlocked',
  'unlocked_timed',
  'blocked',
  'locked_down',
  'held_open',
  'evacuation',
] as const
export const lockStates = ['locked', 'unlocked', 'fault', 'unknown'] as const
export const positions = ['open', 'closed', 'fault', 'unknown'] as const
/** What somebody is called to: each is an alarm of its own, too (alarms.ts). */
const calling = ['forced_open', 'held_open_too_long', 'tamper', 'duress'] as const satisfies AlarmKind[]
/** What wants somebody to come by, and is no alarm that waits to be acknowledged. */
const wanting = ['low_battery', 'fault'] as const
export const doorAlarms = [...calling, ...wanting] as const
export const connectivities = ['online', 'offline', 'never_connected', 'unsupervised'] as const

export type DoorMode = (typeof modes)[number]
export type DoorAlarm = (typeof doorAlarms)[number]

const includes = (some: readonly DoorAlarm[], alarms: readonly DoorAlarm[]): boolean =>
  alarms.some((alarm) => some.includes(alarm))
/** What follows from the alarms of a door. */
export const following = {
  in_alarm: (alarms: readonly DoorAlarm[]) => includes(calling, alarms),
  needs_service: (alarms: readonly DoorAlarm[]) => includes(wanting, alarms),
} as const

export interface DoorState {
  readonly mode: DoorMode
  readonly mode_since: string
  readonly lock_state: (typeof lockStates)[number]
  readonly lock_state_since: string
  readonly position: (typeof positions)[number]
  readonly position_since: string
  readonly alarms: readonly DoorAlarm[]
  readonly alarms_since: string
  readonly connectivity: (typeof connectivities)[number]
  readonly connectivity_since: string
  readonly last_entry_at: string | null
  /** When each axis and alarm was last heard of, though it said nothing new. */
  readonly heard: Readonly<Record<string, string>>
}

/** What becomes of a door at a moment; what is not said stays. */
export interface DoorChange {
  readonly access_point_id: string
  readonly at: string
  readonly mode?: DoorMode
  readonly lock_state?: DoorState['lock_state']
  readonly position?: DoorState['position']
  readonly connectivity?: DoorState['connectivity']
  readonly raised?: readonly DoorAlarm[]
  readonly cleared?: readonly DoorAlarm[]
  /** Somebody was let in. */
  readonly isEntry?: boolean
}

const AXES = ['mode', 'lock_state', 'position', 'connectivity'] as const

/** The state after a change. What is known of a later moment stays: an event that comes late sets nothing back. */
export function changed(state: DoorState, change: DoorChange): DoorState {
  const { at } = change
  const heard: Record<string, string> = { ...state.heard }
  const next: DoorState = { ...state, heard }
  for (const axis of AXES) {
    const value = change[axis]
    // The mode is worked out for now, and never told late.
    if (value === undefined || (axis !== 'mode' && at < (heard[axis] ?? state[`${axis}_since`]))) continue
    // Nobody watches it: that somebody reports of it does not make it supervised.
    if (axis === 'connectivity' && state.connectivity === 'unsupervised') continue
    heard[axis] = at
    if (value !== state[axis]) Object.assign(next, { [axis]: value, [`${axis}_since`]: at })
  }
  Object.assign(next, alarmsAfter(state, change, heard))
  if (change.isEntry && (state.last_entry_at === null || state.last_entry_at < at))
    Object.assign(next, { last_entry_at: at })
  return next
}

function alarmsAfter(state: DoorState, { at, raised = [], cleared = [] }: DoorChange, heard: Record<string, string>) {
  const alarms = new Set(state.alarms)
  for (const alarm of [...cleared, ...raised]) {
    if (at < (heard[alarm] ?? '')) continue
    heard[alarm] = at
    if (raised.includes(alarm)) alarms.add(alarm)
    else alarms.delete(alarm)
  }
  if (alarms.symmetricDifference(new Set(state.alarms)).size === 0) return {}
  return { alarms: doorAlarms.filter((alarm) => alarms.has(alarm)), alarms_since: at }
}

/** Whether a change tells of an axis or an alarm. */
const tells = (change: DoorChange, told: string): boolean =>
  change[told as (typeof AXES)[number]] !== undefined || alarmsTold(change).some((alarm) => alarm === told)

const alarmsTold = ({ raised = [], cleared = [] }: DoorChange): readonly DoorAlarm[] => [...raised, ...cleared]

/**
 * A state as it is believed where a change tells of it: what was noted of the same later than `ahead` gives way.
 */
export function believed(state: DoorState, change: DoorChange, ahead: string): DoorState {
  const isAhead = (moment: string | null) => moment !== null && moment > ahead
  const told = [
    ...AXES.filter((axis) => tells(change, axis)),
    ...(alarmsTold(change).length > 0 ? ['alarms' as const] : []),
  ]
  const wrong = told.map((axis) => `${axis}_since` as const).filter((name) => isAhead(state[name]))
  const heard = Object.entries(state.heard).filter(([name, moment]) => !(isAhead(moment) && tells(change, name)))
  const isWrongEntry = change.isEntry === true && isAhead(state.last_entry_at)
  if (wrong.length === 0 && heard.length === Object.keys(state.heard).length && !isWrongEntry) return state
  return {
    ...state,
    ...Object.fromEntries(wrong.map((name) => [name, change.at])),
    heard: Object.fromEntries(heard),
    ...(isWrongEntry ? { last_entry_at: null } : {}),
  }
}
