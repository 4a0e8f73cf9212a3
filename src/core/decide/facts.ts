import type { CredentialReason } from '../cards/credential-state.ts'
import type { IndividualStatus } from '../people/individual-states.ts'
import type { ScheduleFacts } from '../time/schedule.ts'
import type { Window } from '../time/window.ts'

/**
 * One question's facts: the door, whoever stands before it, and what was given to them here. Never a snapshot of the
 * world.
 */
export interface Facts {
  readonly door: Door
  readonly emergencies: readonly Emergency[]
  readonly individual: Person | null
  /** What was held to the reader; or, asked by individual, all that they carry. */
  readonly credentials: readonly CredentialFact[]
  readonly keys: readonly KeyFact[]
  /**
   * Grants on the door and on every place it lies in, for the individual or a group of theirs, whatever their windows.
   */
  readonly grants: readonly GrantFact[]
  readonly presence: Presence
  /** Who else stands there and could open it alone. */
  readonly companions: readonly Companion[]
}

export interface Named {
  readonly id: string
  readonly name: string
}

export interface Door extends Named {
  readonly time_zone: string
  readonly access_control_system_id: string | null
  readonly direction: 'in' | 'out' | 'both'
  readonly emergency_exit: boolean
  /** What an operator or command has set; null: what schedules make of it. */
  readonly override: 'unlocked' | 'unlocked_timed' | 'held_open' | 'blocked' | null
  /** When that ends by itself. */
  readonly override_until: string | null
  readonly unlock_schedule: ScheduleFacts | null
  readonly first_person_in: boolean
  /** The last entry that was granted here, for `first_person_in`. */
  readonly last_entry_at: string | null
  readonly space: Space
  /** The places it lies in, the widest first, ending with its space. */
  readonly places: readonly Target[]
}

export interface Space extends Named {
  readonly occupancy_limit: number | null
  readonly passback: 'none' | 'soft' | 'hard' | 'timed'
  readonly passback_minutes: number | null
}

export interface Target extends Named {
  readonly kind: 'location' | 'building' | 'space' | 'access_point'
}

export interface Emergency extends Named {
  readonly kind: 'lockdown' | 'evacuation'
  readonly since: string
  readonly until: string | null
}

export interface Person extends Window {
  readonly id: string
  readonly display_name: string
  readonly kind: string
  readonly status: IndividualStatus
}

export interface CredentialFact extends Window {
  readonly id: string
  readonly type: string
  readonly number: string | null
  readonly label: string | null
  readonly individual_id: string | null
  readonly access_control_system_id: string | null
  readonly status_reason: CredentialReason
  readonly max_uses: number | null
  readonly use_count: number
  readonly has_pin: boolean
  /** Whoever asks may not see it: of what kind it is is told, and nothing that is written on it. */
  readonly is_unseen?: boolean
}

export interface KeyFact {
  readonly id: string
  readonly number: string
  readonly code: string
  readonly cylinder: string
  /** Whoever asks may not see it. */
  readonly is_unseen?: boolean
}

export interface GrantFact extends Window {
  readonly id: string
  readonly effect: 'allow' | 'deny'
  /** Null: the individual's own; otherwise through a group, as long as the membership holds. */
  readonly group: (Named & Window) | null
  readonly target: Target
  readonly schedule: ScheduleFacts | null
  readonly revoked_at: string | null
  readonly requires_pin: boolean
  readonly requires_second_person: boolean
  readonly during_lockdown: boolean
  /** It does not exist yet: somebody asks what if. */
  readonly is_assumed: boolean
}

export interface Presence {
  /** Where they were last seen, and since when. */
  readonly space_id: string | null
  readonly since: string | null
  /** How many are in the space that the door leads into. */
  readonly occupants: number
}

export interface Companion {
  readonly id: string
  readonly display_name: string
  readonly kind: string
  /** Whether `decide()` lets them in here at a moment, but for a second person. */
  mayOpen(at: string): boolean
  /** When that may next be otherwise. */
  turnsAfter(at: string): string | undefined
}

/** How it is asked: by a credential at the reader, or for an individual with whatever they carry. */
export interface Question {
  readonly by: 'credential' | 'individual'
  readonly at: string
  readonly direction: 'in' | 'out'
  /** A PIN typed with it: none, the right one, or a wrong one. */
  readonly pin: 'none' | 'right' | 'wrong'
  /** What a reader read, where no credential fits it. */
  readonly unknown?: { readonly type: string; readonly number: string }
}
