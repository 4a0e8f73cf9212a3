import { type TSchema, Type } from '../../core/schema.ts'
import { LimitedTo } from '../../http/schemas.ts'
import { type Family, families, valuesOf } from './families.ts'

const count = () => Type.Integer({ minimum: 0 })
const object = (properties: Record<string, TSchema>, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

function familySchema(family: Family): TSchema {
  const { by, also = {}, resource } = family
  const byValue =
    by === undefined
      ? {}
      : { [`by_${by}`]: object(Object.fromEntries(valuesOf(family).map((value) => [value, count()]))) }
  const others = Object.fromEntries(Object.keys(also).map((name) => [name, count()]))
  const schema = object({ total: count(), ...byValue, ...others, limited_to: LimitedTo })
  return Type.Unsafe({
    ...schema,
    type: ['object', 'null'],
    description: `Null when you may not read ${resource.plural}.`,
  })
}

export const Overview = object(
  Object.fromEntries(Object.entries(families).map(([name, family]) => [name, familySchema(family)])),
)

export const overviewExample = {
  locations: { total: 4 },
  buildings: { total: 14 },
  spaces: { total: 400 },
  access_points: {
    total: 504,
    by_connectivity: { online: 255, offline: 6, never_connected: 4, unsupervised: 239 },
    in_alarm: 3,
    needs_service: 1,
  },
  access_control_systems: {
    total: 8,
    by_status: { pending_setup: 1, connected: 5, degraded: 1, disconnected: 1, disabled: 0 },
  },
  individuals: { total: 400, by_status: { invited: 6, active: 371, suspended: 9, offboarded: 12, anonymised: 2 } },
  credentials: { total: 621, by_status_type: { pending: 29, active: 495, suspended: 28, expired: 27, terminated: 42 } },
  access_groups: { total: 12 },
  access_grants: { total: 397, by_status: { scheduled: 3, active: 371, expired: 20, revoked: 3 } },
  locking_systems: {
    total: 5,
    by_status: { planned: 1, active: 4, retired: 0 },
    security_cards_expired: 0,
    security_cards_expiring_within_90_days: 1,
  },
  cylinders: { total: 240, by_status: { ordered: 2, in_stock: 9, installed: 222, defective: 5, retired: 2 } },
  keys: {
    total: 538,
    by_status: {
      ordered: 4,
      in_stock: 251,
      issued: 226,
      lost: 22,
      stolen: 5,
      defective: 9,
      written_off: 12,
      destroyed: 9,
    },
    overdue: 10,
  },
}
