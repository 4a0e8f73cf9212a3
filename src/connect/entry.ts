import { createHash } from 'node:crypto'
import type { GrantRow } from '../access/grants.ts'
import type { CredentialFact, Door, Emergency, Person, Target } from '../core/decide/facts.ts'
import type { ScheduleFacts } from '../core/time/schedule.ts'
import type { Window } from '../core/time/window.ts'

// What a device's table is made of. It holds no names of people: a device needs none to decide.

/** A door as the device knows it; what somebody set there, and who came in last, it knows itself. */
export interface DoorBody {
  readonly door: Omit<Door, 'override' | 'override_until' | 'last_entry_at' | 'unlock_schedule'> & {
    readonly unlock_schedule_id: string | null
  }
  readonly targets: readonly Target[]
  readonly emergencies: readonly Emergency[]
  readonly unlock_seconds: number
  readonly held_open_seconds: number | null
}

export interface ScheduleBody extends Omit<ScheduleFacts, 'holidays' | 'holiday_names'> {
  readonly holidays: readonly string[]
}

export type GrantBody = Omit<GrantRow, 'schedule' | 'is_assumed' | 'revoked_at'>

export interface CardBody {
  readonly credential: CredentialFact
  /** What a reader's reading is compared with; of a PIN by itself, its keyed hash. */
  readonly lookup: string | null
  readonly pin_key: string | null
  readonly person: Person
  readonly groups: readonly ({ readonly id: string } & Window)[]
}

export interface Bodies {
  schedule: ScheduleBody
  door: DoorBody
  grant: GrantBody
  card: CardBody
}

export type EntryKind = keyof Bodies

/** One row of a device's table. */
export interface Entry<K extends EntryKind = EntryKind> {
  readonly key: string
  readonly kind: K
  readonly item_id: string
  readonly body: Bodies[K]
  /** By which two of them are compared. */
  readonly fingerprint: string
  /** When it ends by itself on the device, whatever becomes of us; null: never. */
  readonly ends_at: string | null
}

/** What a device cannot express, in words, and of which item. */
export interface Inexpressible {
  readonly key: string
  readonly code: string
  readonly message: string
}

export interface Compiled {
  readonly entries: readonly Entry[]
  readonly inexpressible: readonly Inexpressible[]
}

export const keyOf = (kind: EntryKind, id: string): string => `${kind}:${id}`

export function entryOf<K extends EntryKind>(
  kind: K,
  id: string,
  body: Bodies[K],
  ends_at: string | null = null,
): Entry<K> {
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)
  return { key: keyOf(kind, id), kind, item_id: id, body, fingerprint, ends_at }
}
