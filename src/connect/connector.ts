import type { DoorMode } from '../core/decide/mode.ts'
import type { Compiled, Entry } from './entry.ts'
import type { Rules } from './rules.ts'

/** What an operator may have a door do. */
export const commandActions = ['unlock', 'lock', 'block', 'release'] as const
export type CommandAction = (typeof commandActions)[number]

/** What a kind of device can do. A limit of null: none that is known. */
export interface Capabilities {
  readonly doors: number | null
  readonly cards: number | null
  readonly grants: number | null
  readonly schedules: number | null
  readonly pins: boolean
  readonly holidays: boolean
  readonly second_person: boolean
  readonly passback: boolean
  readonly commands: readonly CommandAction[]
}

export interface Health {
  /** How far the device's clock is ahead of ours. */
  readonly clock_offset_ms: number
  readonly used: Readonly<Partial<Record<'doors' | 'cards' | 'grants' | 'schedules', number>>>
}

/** What a device was seen to hold: the fingerprint of each entry by its key. "unknown": it cannot say. */
export type Observed = ReadonlyMap<string, string> | 'unknown'

/** One transfer to the device. What it puts may be put twice, and what it removes be gone already. */
export type Operation = { readonly put: readonly Entry[] } | { readonly remove: readonly string[] }

/** An entry that the device did not take, or would not let go of, and why. */
export interface Refusal {
  readonly key: string
  readonly code: 'device_full' | 'not_understood'
  readonly message: string
}

export interface Plan {
  /** In the order in which they are to be applied. */
  readonly remove: readonly string[]
  readonly put: readonly Entry[]
  /** So much would be removed that somebody is to be asked first. */
  readonly asksFirst: boolean
}

export interface DeviceCommand {
  readonly id: string
  readonly action: CommandAction
  readonly access_point_id: string
  /** How long an unlocking lasts; null: until it is ended. */
  readonly seconds: number | null
  readonly expires_at: string
}

/** What a device tells of, by its own clock. The same `source_id` is the same event. */
export interface DeviceEvent {
  readonly source_id: string
  readonly type: string
  readonly occurred_at: string
  readonly access_point_id: string | null
  readonly credential_id?: string | null
  readonly credential_number?: string | null
  readonly credential_type?: string
  readonly facility_code?: string | null
  readonly individual_id?: string | null
  readonly direction?: 'in' | 'out' | null
  readonly result?: 'granted' | 'denied' | null
  readonly reason?: string | null
  readonly command_id?: string | null
}

export interface Told {
  readonly events: readonly DeviceEvent[]
  /** Where to go on from; kept once the events are. */
  readonly cursor: string
  readonly hasMore: boolean
}

export interface DiscoveredDoor {
  readonly access_point_id: string
  readonly position: 'open' | 'closed' | 'unknown'
}

/**
 * One access control system as the service speaks with it. Adding a kind is a folder that passes the contract suite
 * (test/connect).
 */
export interface Connector {
  capabilities(): Capabilities
  discover(): Promise<readonly DiscoveredDoor[]>
  health(): Promise<Health>
  /** Pure: the device's table, and in words what it cannot express. */
  compile(rules: Rules): Compiled
  read(): Promise<Observed>
  /** Pure. `size`: how many entries the device holds in all, where those that are looked at are some of them. */
  plan(desired: ReadonlyMap<string, Entry>, observed: ReadonlyMap<string, string>, size?: number): Plan
  apply(operation: Operation): Promise<readonly Refusal[]>
  /** Asked once for each command, whatever comes of it. */
  command(command: DeviceCommand): Promise<void>
  events(cursor: string | null): Promise<Told>
  setClock(): Promise<void>
}

/** The device does not answer: nothing is known of what it did. */
export class Unreachable extends Error {}

/** The device answers that it will not. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A block comes before an unlocking: only a release ends it. */
export const staysBlocked = (): Refused => new Refused('stays_blocked', 'The door stays blocked: release it first')

/** The door is gone, or was given to another system since: what its device still does there is nobody's order. */
export const notDriven = (): Refused =>
  new Refused('not_driven', 'The system does not drive this door any more: ask for it again')

/** Whoever asked for it has lost the right to, or what they asked by, before it was sent. */
export const notAllowed = (): Refused =>
  new Refused('not_allowed', 'Whoever asked for it is not allowed to any more: ask for it again')

/** What holds a door in this mode comes before a command. */
export const staysIn = (mode: DoorMode): Refused =>
  new Refused(
    `stays_${mode}`,
    `The door stays ${mode === 'evacuation' ? 'open' : mode.replaceAll('_', ' ')}: what holds it so comes before a ` +
      `command`,
  )
