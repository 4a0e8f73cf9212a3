/** What can happen at a door, and what of it is kept how long. Names are fixed: `noun.verb`; more may come. */
export const eventTypes = [
  'access.granted',
  'access.denied',
  'access.taken',
  'access.not_taken',
  'access.duress',
  'door.opened',
  'door.closed',
  'door.forced',
  'door.held_open',
  'door.exit_requested',
  'door.blocked',
  'door.released',
  'door.tampered',
  'door.tamper_ended',
  'door.battery_low',
  'door.battery_ok',
  'door.fault',
  'door.fault_ended',
  'door.online',
  'door.offline',
  'lock.locked',
  'lock.unlocked',
  'lock.jammed',
  'system.online',
  'system.offline',
  'system.tampered',
  'system.tamper_ended',
  'system.power_lost',
  'system.power_restored',
  'system.restarted',
  'system.clock_set',
  'alarm.raised',
] as const
export type EventType = (typeof eventTypes)[number]

/** What devices and others report; of alarms we tell ourselves. */
export const reportedTypes: readonly EventType[] = eventTypes.filter((type) => !type.startsWith('alarm.'))

export const eventResults = ['granted', 'denied'] as const
export type EventResult = (typeof eventResults)[number]

export const verdicts = ['agreed', 'unexpected_grant', 'unexpected_denial', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * Events of one class are kept equally long: those that tell of somebody, of the door itself, of the system behind it.
 */
export type EventClass = 'access' | 'door' | 'system'
export const classOf = (type: string): EventClass =>
  /^(?:access|alarm)\./.test(type) ? 'access' : type.startsWith('system.') ? 'system' : 'door'

/** Whether somebody was let in or not: what can be checked against the rules. */
export const resultOf = (type: EventType): EventResult | null => {
  if (type === 'access.granted' || type === 'access.taken') return 'granted'
  return type === 'access.denied' ? 'denied' : null
}
