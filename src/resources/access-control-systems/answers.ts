import { credentialStatuses } from '../../core/cards/credential-state.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import { LimitedTo } from '../../http/schemas.ts'
import { systemStatuses } from './schema.ts'

const count = () => Type.Integer({ minimum: 0 })
/** Null when the caller may not read that family. */
const countOrNull = () => Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })
const counts = <T extends TSchema>(names: readonly string[], one: () => T, options: { description?: string } = {}) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, one()])), { additionalProperties: false, ...options })

const byStatusType = counts(credentialStatuses, count)

export const SystemsOverview = Type.Object(
  {
    total: count(),
    by_status: counts(systemStatuses, count),
    by_kind: Type.Record(Type.String(), count(), { description: 'Only kinds that occur.' }),
    access_points: counts(['total', 'online', 'offline', 'in_alarm'], countOrNull, {
      description: 'The access points that they drive. Null when you may not read access points.',
    }),
    credentials: Type.Object(
      { total: countOrNull(), by_status_type: Type.Unsafe({ ...byStatusType, type: ['object', 'null'] }) },
      { additionalProperties: false, description: 'Credentials. Null when you may not read credentials.' },
    ),
    individuals: counts(['total', 'active'], countOrNull, {
      description: 'People. Null when you may not read individuals.',
    }),
    events: counts(['last_24_hours', 'denied_last_24_hours'], countOrNull, {
      description: 'What happened at the access points. Null when you may not read access events.',
    }),
    limited_to: LimitedTo,
  },
  { additionalProperties: false },
)

export const overviewExample = {
  total: 3,
  by_status: { pending_setup: 0, connected: 2, degraded: 1, disconnected: 0, disabled: 0 },
  by_kind: { mqtt: 1, uhppote: 2 },
  access_points: { total: 42, online: 38, offline: 1, in_alarm: 1 },
  credentials: { total: 310, by_status_type: { pending: 12, active: 270, suspended: 4, expired: 9, terminated: 15 } },
  individuals: { total: 240, active: 231 },
  events: { last_24_hours: 1830, denied_last_24_hours: 17 },
}
