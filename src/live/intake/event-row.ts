import type { EventResult, EventType, Verdict } from '../../core/doors/events.ts'
import type { PlacesSql } from '../../db/resource.ts'
import { systemStandsThere } from '../../db/scope.ts'
import { inSelected, raw, type Sql, sql } from '../../db/sql.ts'
import type { StoredEvent } from './new-event.ts'

/** An event as it is shown. */
export interface ShownEvent {
  id: string
  sequence: number
  source_id: string | null
  type: EventType
  result: EventResult | null
  reason: string | null
  access_point_id: string | null
  building_id: string | null
  individual_id: string | null
  credential_id: string | null
  credential_number: string | null
  access_control_system_id: string | null
  command_id: string | null
  direction: 'in' | 'out' | null
  occurred_at: string
  received_at: string
  verdict: Verdict | null
  verdict_reason: string | null
}

const names = [
  'id',
  'sequence',
  'source_id',
  'type',
  'result',
  'reason',
  'access_point_id',
  'building_id',
  'individual_id',
  'credential_id',
  'credential_number',
  'access_control_system_id',
  'command_id',
  'direction',
  'occurred_at',
  'received_at',
  'verdict',
  'verdict_reason',
] as const satisfies ReadonlyArray<keyof ShownEvent>

export const eventColumns = names.map((name) => `t.${name}`).join(', ')

/** As it would be read. */
export const shownEvent = (event: StoredEvent): ShownEvent =>
  Object.fromEntries(names.map((name) => [name, event[name]])) as unknown as ShownEvent

/** An event happened where its door was, or, without one, where its system stands. */
export const isSeenFrom = (places: PlacesSql): Sql =>
  sql`(${places.inBuildings(`${places.row}.building_id`)} or (${raw(places.row)}.access_point_id is null and
    ${inSelected(`${places.row}.access_control_system_id`, systemsStandingThere(places))}))`

/** A set that hardly changes, to be kept: to find it is to look at all doors of systems without a place. */
export const systemsStandingThere = (places: PlacesSql): Sql =>
  sql`select es.id from access_control_systems es where es.org = :org
    and (${systemStandsThere({ ...places, row: 'es' })})`
