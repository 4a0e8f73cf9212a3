import type { EventResult, EventType, Verdict } from '../../core/doors/events.ts'
import type { ErrorDetail } from '../../core/errors.ts'

/** Something that a door, a reader or a system reports. */
export interface NewEvent {
  readonly type: EventType
  /** Unless given, as the type says. */
  readonly result?: EventResult | null
  readonly reason?: string | null
  readonly access_point_id?: string | null
  readonly individual_id?: string | null
  readonly credential_id?: string | null
  /**
   * As the reader reads it. Where it is a credential's that is known here, the event is that credential's and its
   * holder's.
   */
  readonly credential_number?: string | null
  readonly credential_type?: string | null
  readonly facility_code?: string | null
  readonly access_control_system_id?: string | null
  readonly command_id?: string | null
  readonly direction?: 'in' | 'out' | null
  /** By the device's clock; unless given, when it arrived. */
  readonly occurred_at?: string | null
  /**
   * By our clock, where the device's is known to be behind. What follows from it goes by this, and its verdict; it is
   * stored, and not shown.
   */
  readonly happened_at?: string | null
  /** The sender's own id: sent twice, it is stored once. */
  readonly source_id?: string | null
}

/** What became of it. */
export type IngestResult =
  | {
      readonly status: 'stored' | 'duplicate'
      readonly id: string
      readonly sequence: number
      /** Where it was asked for, is new and has its verdict. */
      readonly event?: StoredEvent
    }
  | { readonly status: 'refused'; readonly fault: ErrorDetail }

/** As it is stored, but for its place in the order. */
export interface PreparedEvent {
  readonly id: string
  readonly source_id: string | null
  /** Where that counts: empty, everywhere. */
  readonly source_place: string
  readonly type: EventType
  readonly result: EventResult | null
  readonly reason: string | null
  readonly access_point_id: string | null
  readonly building_id: string | null
  readonly individual_id: string | null
  readonly credential_id: string | null
  readonly credential_number: string | null
  /** What was read with that number; null, a card's and without a site. */
  readonly credential_type: string | null
  readonly facility_code: string | null
  readonly access_control_system_id: string | null
  readonly command_id: string | null
  readonly direction: 'in' | 'out' | null
  readonly occurred_at: string
  readonly happened_at?: string | null
  readonly received_at: string
}

/** With its verdict, where that is known when it is stored. */
export interface JudgedEvent extends PreparedEvent {
  readonly verdict: Verdict | null
  readonly verdict_reason: string | null
}

export interface StoredEvent extends JudgedEvent {
  readonly sequence: number
}

type Moments = Pick<StoredEvent, 'occurred_at' | 'happened_at' | 'received_at'>

/**
 * When it happened, by our clock where the device's is off: while that is ahead nothing that comes later would count,
 * while it is behind nothing that it tells. The same in a statement: `momentIn`.
 */
export function momentOf({ occurred_at, happened_at, received_at }: Moments): string {
  const at = happened_at ?? occurred_at
  return at > received_at ? received_at : at
}
