/**
 * What is kept of a row whenever something that decides who may open what changes or goes: these columns, as they were,
 * and until when. Triggers write it, inside the transaction of the change, so no way of changing a row gets past it. A
 * row that never changed has no history: it has been as it is since it was created.
 */
export const historyColumns = {
  organizations: ['id', 'time_zone'],
  locations: ['id', 'parent_id', 'name', 'time_zone'],
  buildings: ['id', 'location_id', 'parent_id', 'name', 'time_zone'],
  spaces: ['id', 'building_id', 'name', 'occupancy_limit', 'passback', 'passback_minutes'],
  access_points: [
    'id',
    'space_id',
    'name',
    'label',
    'access_control_system_id',
    'emergency_exit',
    'direction',
    'unlock_schedule_id',
    'first_person_in',
  ],
  individuals: ['id', 'display_name', 'kind', 'status', 'valid_from', 'valid_until'],
  credentials: [
    'id',
    'individual_id',
    'access_control_system_id',
    'type',
    'label',
    'number',
    'facility_code',
    'valid_from',
    'valid_until',
    'max_uses',
    'status_reason',
  ],
  access_groups: ['id', 'name'],
  access_group_members: ['id', 'access_group_id', 'individual_id', 'valid_from', 'valid_until'],
  access_grants: [
    'id',
    'individual_id',
    'access_group_id',
    'access_point_id',
    'space_id',
    'building_id',
    'location_id',
    'schedule_id',
    'valid_from',
    'valid_until',
    'effect',
    'requires_pin',
    'requires_second_person',
    'during_lockdown',
    'revoked_at',
  ],
  schedules: ['id', 'name', 'time_zone', 'windows', 'calendar_id', 'on_holiday', 'holiday_windows'],
  calendars: ['id', 'name', 'days'],
  lockdowns: [
    'id',
    'kind',
    'location_id',
    'building_id',
    'space_id',
    'access_point_id',
    'reason',
    'expires_at',
    'released_at',
  ],
  cylinders: ['id', 'number', 'access_point_id', 'status'],
  key_types: ['id', 'code'],
  plan_cells: ['key_type_id', 'cylinder_id'],
  keys: ['id', 'key_type_id', 'number', 'status', 'individual_id'],
} as const

/** Columns of a table's rows; undefined: rows come or go, or any. */
interface Written {
  readonly table: string
  readonly columns?: readonly string[] | undefined
}

/**
 * Whether the settings of before may be others by it: the organization's row says when that was. By it triggers date
 * what a row was, and who asks about a moment knows whether the settings of now are those of then, which a row that
 * came since makes others too.
 */
export function changesSettings({ table, columns }: Written): boolean {
  if (!(table in historyColumns)) return false
  const kept: readonly string[] = historyColumns[table as keyof typeof historyColumns]
  return columns === undefined || columns.some((column) => kept.includes(column))
}

/** Whose rows say of which organization they are. */
export type HistoryTable = Exclude<keyof typeof historyColumns, 'organizations'>
