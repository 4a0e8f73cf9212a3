import { terminating } from '../core/cards/credential-state.ts'
import type { ChangeVerb } from '../core/change-verbs.ts'
import { historyColumns } from './along/history.ts'

/** What cannot be seen from a statement that names a table. */
interface Table {
  /**
   * Moments after which a row means something else, though nobody has changed it, each with the verb that tells of it.
   */
  readonly windows?: Readonly<Record<string, ChangeVerb>>
  /** A condition on `t`: nothing begins or ends with these moments any more. */
  readonly isOver?: string
  /** Whose rows take these along when they are deleted: the database does that, no statement says so. */
  readonly removedWith?: readonly string[]
  /**
   * Written past `change()` by what happens at the doors. Nothing that was read from it is kept, unless it has a
   * version of its own.
   */
  readonly isLive?: true
  /** How many rows there are is kept, and how many of each value of these columns (tallies.ts). */
  readonly counted?: readonly string[]
  readonly isVersioned?: true
  /** What triggers write when one of these columns is written, as `table.column`: no statement says so. */
  readonly carries?: Readonly<Record<string, readonly string[]>>
  /** What a column that we work out is made of: a caller knows those, and is told of them when it must be unique. */
  readonly madeOf?: Readonly<Record<string, readonly string[]>>
  /** Of which rows a unique index speaks, where not of all: as in its `where`, of `t`. */
  readonly uniqueAmong?: string
}

/**
 * Every table whose rows belong to an organization. A statement that names one must bind `org` for it (statement.ts); a
 * change of one moves what was made from it (versions.ts), and nothing else.
 */
export const tables: Readonly<Record<string, Table>> = {
  access_control_systems: { counted: ['status', 'kind'] },
  access_control_system_states: { isLive: true, isVersioned: true, removedWith: ['access_control_systems'] },
  access_events: { isLive: true },
  access_grants: {
    windows: { valid_from: 'begun', valid_until: 'ended' },
    isOver: 't.revoked_at is not null',
    counted: [],
  },
  access_group_members: {
    windows: { valid_from: 'begun', valid_until: 'ended' },
    removedWith: ['access_groups'],
    counted: [],
  },
  access_groups: { counted: [] },
  access_point_states: { isLive: true, isVersioned: true, removedWith: ['access_points'] },
  access_points: { counted: ['kind'], carries: { space_id: ['access_points.building_id'] } },
  access_requests: { counted: ['status'] },
  access_review_lines: { removedWith: ['access_reviews'], counted: [] },
  access_reviews: { counted: ['status'] },
  alarms: { isLive: true, isVersioned: true },
  audit_anchors: {},
  audit_checkpoints: {},
  audit_log: { counted: [] },
  buildings: { counted: [] },
  calendars: { counted: [] },
  commands: { isLive: true },
  credential_uses: { isLive: true, isVersioned: true, removedWith: ['credentials'] },
  credentials: {
    counted: ['type'],
    windows: { valid_from: 'begun', valid_until: 'expired' },
    isOver: `t.status_reason in (${terminating.map((reason) => `'${reason}'`).join(', ')})`,
    madeOf: { match_key: ['type', 'facility_code', 'number'] },
    uniqueAmong: `t.status_reason not in ('lost', 'stolen', 'damaged', 'returned', 'revoked')`,
  },
  cylinders: { counted: ['status'] },
  device_entries: { isLive: true, removedWith: ['access_control_systems'] },
  device_removals: { isLive: true, removedWith: ['access_control_systems', 'access_grants'] },
  door_overrides: { isLive: true, isVersioned: true, removedWith: ['access_points'] },
  event_stretches: { isLive: true },
  external_identities: { removedWith: ['users', 'service_users'], counted: [] },
  floor_plan_images: { removedWith: ['floor_plans'] },
  floor_plan_positions: { removedWith: ['floor_plans', 'access_points'], counted: [] },
  floor_plans: { removedWith: ['buildings'], counted: [] },
  idempotency_keys: {},
  import_mappings: {},
  import_rows: { removedWith: ['imports'] },
  imports: { counted: [] },
  individuals: {
    windows: { valid_from: 'begun', valid_until: 'ended' },
    isOver: `t.status in ('offboarded', 'anonymised')`,
    counted: ['status', 'kind'],
  },
  key_handovers: { counted: [] },
  key_types: { counted: [] },
  keys: { counted: ['status'] },
  live_heads: { isLive: true },
  live_versions: {},
  locations: { counted: [] },
  lockdowns: { windows: { expires_at: 'expired' }, isOver: 't.released_at is not null', counted: [] },
  locking_systems: { counted: ['status'] },
  mails: { removedWith: ['users'] },
  oauth_applications: { counted: [] },
  oauth_grants: { removedWith: ['users', 'oauth_applications'] },
  passkeys: { removedWith: ['users'], counted: [] },
  plan_cells: { removedWith: ['key_types', 'cylinders'] },
  presence: { isLive: true, removedWith: ['individuals'] },
  rate_counters: {},
  recovery_codes: { removedWith: ['users'] },
  role_assignments: { removedWith: ['users', 'service_users'], counted: [] },
  roles: { counted: [] },
  schedules: { counted: [] },
  scim_logins: { removedWith: ['individuals', 'users'] },
  scim_groups: { removedWith: ['access_groups'] },
  scim_users: { removedWith: ['individuals'] },
  service_users: {},
  sessions: { removedWith: ['users'] },
  simulator_doors: { isLive: true, removedWith: ['access_control_systems'] },
  simulator_entries: { isLive: true, removedWith: ['access_control_systems'] },
  simulator_events: { isLive: true, removedWith: ['access_control_systems'] },
  simulators: { isLive: true, removedWith: ['access_control_systems'] },
  spaces: { counted: [], carries: { building_id: ['access_points.building_id'] } },
  system_links: { isLive: true, removedWith: ['access_control_systems'] },
  table_versions: {},
  tallies: {},
  tokens: { removedWith: ['service_users'] },
  user_identities: { removedWith: ['users'], counted: [] },
  user_links: { removedWith: ['users'] },
  users: { counted: [] },
  webhook_deliveries: { isLive: true, removedWith: ['webhooks'] },
  webhook_states: { isLive: true, removedWith: ['webhooks'] },
  webhooks: { removedWith: ['users', 'service_users'] },
  visit_places: { removedWith: ['visits'] },
  visits: {
    windows: { valid_from: 'begun', valid_until: 'expired' },
    isOver: 't.left_at is not null or t.cancelled_at is not null',
    counted: [],
  },
}

/** Those and what some of them once held. */
export const tenantTables: ReadonlySet<string> = new Set([
  ...Object.keys(tables),
  ...Object.keys(historyColumns).map((table) => `${table}_history`),
])

/** Whether who may open what is decided by it; places inherit the organization's time zone. */
export const decidesAccess = (table: string): boolean => table in historyColumns

/** The table itself and every one that loses rows with it. */
export function emptiedWith(table: string): ReadonlySet<string> {
  const found = new Set([table])
  for (const above of found)
    for (const [name, { removedWith }] of Object.entries(tables)) if (removedWith?.includes(above)) found.add(name)
  return found
}
