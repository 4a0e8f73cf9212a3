import type { Reason } from '../../src/core/decide/reasons.ts'

interface Window {
  valid_from?: string
  valid_until?: string
}

export interface CredentialSpec extends Window {
  type?: 'card' | 'pin' | 'mobile' | 'qr' | 'plate'
  number?: string
  pin?: string
  status_reason?: string
  max_uses?: number
  /** How often it was used: a live fact. */
  uses?: number
  /** The system it was made for. */
  system?: 'main' | 'other'
  /** In nobody's hands. */
  unassigned?: true
}

export interface PersonSpec extends Window {
  kind?: 'employee' | 'contractor' | 'visitor'
  status?: 'invited'
  action?: 'suspend' | 'offboard'
  /** By name; one plain card unless given. */
  credentials?: Record<string, CredentialSpec>
  /** Where they were last seen, and since when: a live fact. */
  seen?: { in: 'room' | 'elsewhere'; since: string }
}

export type TargetName = 'door' | 'room' | 'wing' | 'building' | 'site' | 'region' | 'elsewhere'

export interface GrantSpec extends Window {
  /** The name of a person or of a group. */
  to: string
  on: TargetName
  schedule?: string
  effect?: 'deny'
  requires_pin?: true
  requires_second_person?: true
  during_lockdown?: true
  revoked?: true
}

export interface KeySpec {
  holder?: string
  /** What became of it after it was handed over. */
  action?: 'return' | 'report-lost' | 'report-stolen'
  cylinder?: 'installed' | 'defective' | 'defective_out' | 'retired' | 'in_stock'
  /** Whether the locking plan says that it opens the cylinder. */
  isInPlan?: boolean
}

/**
 * A small world: region / site / building / wing / room, a door into the room, people before it and what was given to
 * them. Everything but live facts is made through the API.
 */
export interface World {
  zone?: string
  door?: {
    direction?: 'in' | 'out' | 'both'
    emergency_exit?: true
    first_person_in?: true
    unlock?: string
    mechanical?: true
  }
  /** What an operator has set: a live fact. */
  mode?: 'blocked' | 'unlocked' | 'unlocked_timed' | 'held_open'
  /** Entries and exits that were granted at the door: live facts. */
  entries?: ReadonlyArray<{ at: string; direction?: 'in' | 'out' }>
  room?: { occupancy_limit?: number; passback?: 'soft' | 'hard' | 'timed'; passback_minutes?: number }
  people?: Record<string, PersonSpec>
  /** The members of each, with their windows. */
  groups?: Record<string, Record<string, Window>>
  grants?: readonly GrantSpec[]
  /** Begun now, the clock of the house; released again after the world's cases. */
  emergencies?: ReadonlyArray<{
    kind: 'lockdown' | 'evacuation' | 'drill'
    on: TargetName | 'organization'
    expires_at?: string
  }>
  keys?: readonly KeySpec[]
}

export interface Asked {
  /** A person by name; or the name of a credential held to the reader; or what a reader reads. Ada unless said. */
  who?: string
  card?: string
  read?: { type: 'card' | 'pin' | 'plate'; number?: string; of?: string; facility_code?: string; pin?: string }
  /** Now unless said, and that is Tuesday 2027-06-15, 14:00 in Zurich (12:00 UTC). */
  at?: string
  direction?: 'in' | 'out'
  with?: readonly string[]
  assume?: readonly GrantSpec[]
}

export interface Expected {
  reason: Reason
  reasons?: readonly Reason[]
  next?: string | null
  until?: string | null
  missing?: ReadonlyArray<'pin' | 'second_person' | 'escort'>
  /** Which of the world's grants decides, by its place in the list; null: none. */
  grant?: number | null
  /** By what. */
  means?: 'card' | 'pin' | 'mobile' | 'key' | null
}

export type Case = readonly [name: string, asked: Asked, expected: Reason | Expected]

export interface Cases {
  name: string
  world: World
  cases: readonly Case[]
}
