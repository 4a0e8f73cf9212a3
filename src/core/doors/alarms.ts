import type { EventType } from './events.ts'

export const alarmKinds = [
  'forced_open',
  'held_open_too_long',
  'tamper',
  'duress',
  'unexpected_grant',
  'system_offline',
] as const
export type AlarmKind = (typeof alarmKinds)[number]
export const alarmStatuses = ['open', 'acknowledged', 'closed'] as const

/** What an event makes an alarm of. That a door opened to somebody whom the rules keep out is known by its verdict. */
export const raising: Partial<Record<EventType, AlarmKind>> = {
  'door.forced': 'forced_open',
  'door.held_open': 'held_open_too_long',
  'door.tampered': 'tamper',
  'system.tampered': 'tamper',
  'access.duress': 'duress',
  'system.offline': 'system_offline',
}

/** What an event ends. That a system is away ends with whatever it says. */
export const ending: Partial<Record<EventType, readonly AlarmKind[]>> = {
  'door.closed': ['forced_open', 'held_open_too_long'],
  'door.tamper_ended': ['tamper'],
  'system.tamper_ended': ['tamper'],
}

/** These are over when what raised them is; of the others somebody has to take note first. */
export const endsByItself: ReadonlySet<AlarmKind> = new Set(['held_open_too_long', 'system_offline'])

/** Of these no event tells that they are over: at the door they end with their alarm. */
export const endsWhenClosed: ReadonlySet<AlarmKind> = new Set(['duress'])

/**
 * Each of these is over as it happens, and no event tells so: what comes after somebody has taken note is another, and
 * somebody is called again.
 */
export const momentary: ReadonlySet<AlarmKind> = new Set(['duress', 'unexpected_grant'])
