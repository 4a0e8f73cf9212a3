// Made from docs/openapi.json by packages/client/generate.ts; not to be edited.

export type AccessControlSystem = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  name: string
  kind: string
  vendor: string | null
  model: string | null
  location_id: string | null
  time_zone?: string | null
  status: 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled'
  last_seen_at: string | null
  connectivity: 'online' | 'offline' | 'never_connected'
  clock_offset_ms?: number | null
  last_sync_at: string | null
  errors?: Array<{
    code: string
    message: string
    since: string
  }>
  warnings?: Array<{
    code: string
    message: string
    since: string
  }>
  description?: string | null
  access_point_count?: number | null
  credential_count?: number | null
  settings?: Record<string, unknown>
}

export type AccessControlSystemBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessControlSystemPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessControlSystemBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessControlSystem
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessControlSystemCounts = Array<{
  location_id?: string | null
  status?: 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled' | null
  connectivity?: 'online' | 'offline' | 'never_connected' | null
  count: number
}>

export type AccessControlSystemCreate = {
  name: string
  kind?: string
  vendor?: string | null
  model?: string | null
  location_id?: string | null
  time_zone?: string | null
  status?: 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled'
  description?: string | null
  settings?: Record<string, unknown>
  external_id?: string | null
}

export type AccessControlSystemPatch = {
  name?: string
  kind?: string
  vendor?: string | null
  model?: string | null
  location_id?: string | null
  time_zone?: string | null
  status?: 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled'
  description?: string | null
  settings?: Record<string, unknown>
  external_id?: string | null
}

export type AccessControlSystemPut = {
  name?: string
  kind?: string
  vendor?: string | null
  model?: string | null
  location_id?: string | null
  time_zone?: string | null
  status?: 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled'
  description?: string | null
  settings?: Record<string, unknown>
  external_id?: string | null
}

export type AccessControlSystemSync = {
  state: 'in_sync' | 'pending' | 'failed' | 'unknown'
  since: string
  error: {
    code: string
    message: string
  } | null
  contact: 'online' | 'offline' | null
  contact_since: string | null
  clock_offset_ms: number | null
  compiled_at: string | null
  synced_at: string | null
  read_at: string | null
  pending: number | null
  failed: number | null
  unknown: number | null
  removals: number | null
  asks_first: boolean
  inexpressible: Array<{
    key: string
    code: string
    message: string
  }> | null
}

export type AccessControlSystemsOverview = {
  total: number
  by_status: {
    pending_setup: number
    connected: number
    degraded: number
    disconnected: number
    disabled: number
  }
  by_kind: Record<string, number>
  access_points: {
    total: number | null
    online: number | null
    offline: number | null
    in_alarm: number | null
  }
  credentials: {
    total: number | null
    by_status_type: {
      pending: number
      active: number
      suspended: number
      expired: number
      terminated: number
    } | null
  }
  individuals: {
    total: number | null
    active: number | null
  }
  events: {
    last_24_hours: number | null
    denied_last_24_hours: number | null
  }
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
}

export type AccessDecision = {
  decision: 'granted' | 'denied'
  reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  reasons: Array<'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'>
  explanation: Array<string>
  access_point_id: string
  individual_id: string | null
  credential_id: string | null
  means: {
    type: 'key' | 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    id: string | null
    name: string | null
  } | null
  grant_id: string | null
  path: Array<{
    type: 'individual' | 'access_group' | 'key' | 'location' | 'building' | 'space' | 'access_point'
    id: string
    name: string
  }>
  schedule_state: {
    schedule_id: string
    name: string
    time_zone: string
    open: boolean
    from: string | null
    until: string | null
    next: string | null
    holiday: string | null
  } | null
  conditions_missing: Array<'pin' | 'second_person' | 'escort'>
  holds_until: string | null
  next_allowed_at: string | null
  evaluated_at: string
}

export type AccessDecisions = {
  decisions: Array<{
    decision: 'granted' | 'denied'
    reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
    reasons: Array<'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'>
    explanation: Array<string>
    access_point_id: string
    individual_id: string | null
    credential_id: string | null
    means: {
      type: 'key' | 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
      id: string | null
      name: string | null
    } | null
    grant_id: string | null
    path: Array<{
      type: 'individual' | 'access_group' | 'key' | 'location' | 'building' | 'space' | 'access_point'
      id: string
      name: string
    }>
    schedule_state: {
      schedule_id: string
      name: string
      time_zone: string
      open: boolean
      from: string | null
      until: string | null
      next: string | null
      holiday: string | null
    } | null
    conditions_missing: Array<'pin' | 'second_person' | 'escort'>
    holds_until: string | null
    next_allowed_at: string | null
    evaluated_at: string
  } | {
    error: {
      msg: string
      reason: string | null
    }
  }>
}

export type AccessEvent = {
  id: string
  sequence: number
  source_id: string | null
  type: 'access.granted' | 'access.denied' | 'access.taken' | 'access.not_taken' | 'access.duress' | 'door.opened' | 'door.closed' | 'door.forced' | 'door.held_open' | 'door.exit_requested' | 'door.blocked' | 'door.released' | 'door.tampered' | 'door.tamper_ended' | 'door.battery_low' | 'door.battery_ok' | 'door.fault' | 'door.fault_ended' | 'door.online' | 'door.offline' | 'lock.locked' | 'lock.unlocked' | 'lock.jammed' | 'system.online' | 'system.offline' | 'system.tampered' | 'system.tamper_ended' | 'system.power_lost' | 'system.power_restored' | 'system.restarted' | 'system.clock_set' | 'alarm.raised'
  result: 'granted' | 'denied' | null
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
  verdict: 'agreed' | 'unexpected_grant' | 'unexpected_denial' | 'unknown'
  verdict_reason: string | null
}

export type AccessEventBatch = {
  events: Array<{
    type: 'access.granted' | 'access.denied' | 'access.taken' | 'access.not_taken' | 'access.duress' | 'door.opened' | 'door.closed' | 'door.forced' | 'door.held_open' | 'door.exit_requested' | 'door.blocked' | 'door.released' | 'door.tampered' | 'door.tamper_ended' | 'door.battery_low' | 'door.battery_ok' | 'door.fault' | 'door.fault_ended' | 'door.online' | 'door.offline' | 'lock.locked' | 'lock.unlocked' | 'lock.jammed' | 'system.online' | 'system.offline' | 'system.tampered' | 'system.tamper_ended' | 'system.power_lost' | 'system.power_restored' | 'system.restarted' | 'system.clock_set'
    source_id?: string | null
    result?: 'granted' | 'denied' | null
    reason?: string | null
    access_point_id?: string | null
    individual_id?: string | null
    credential_id?: string | null
    credential_number?: string | null
    credential_type?: string
    facility_code?: string | null
    access_control_system_id?: string | null
    command_id?: string | null
    direction?: 'in' | 'out' | null
    occurred_at?: string | null
  }>
}

export type AccessEventCounts = Array<{
  type?: 'access.granted' | 'access.denied' | 'access.taken' | 'access.not_taken' | 'access.duress' | 'door.opened' | 'door.closed' | 'door.forced' | 'door.held_open' | 'door.exit_requested' | 'door.blocked' | 'door.released' | 'door.tampered' | 'door.tamper_ended' | 'door.battery_low' | 'door.battery_ok' | 'door.fault' | 'door.fault_ended' | 'door.online' | 'door.offline' | 'lock.locked' | 'lock.unlocked' | 'lock.jammed' | 'system.online' | 'system.offline' | 'system.tampered' | 'system.tamper_ended' | 'system.power_lost' | 'system.power_restored' | 'system.restarted' | 'system.clock_set' | 'alarm.raised' | null
  result?: 'granted' | 'denied' | null
  access_point_id?: string | null
  building_id?: string | null
  individual_id?: string | null
  credential_id?: string | null
  access_control_system_id?: string | null
  command_id?: string | null
  direction?: 'in' | 'out' | null
  verdict?: 'agreed' | 'unexpected_grant' | 'unexpected_denial' | 'unknown' | null
  count: number
}>

export type AccessEventCreate = {
  type: 'access.granted' | 'access.denied' | 'access.taken' | 'access.not_taken' | 'access.duress' | 'door.opened' | 'door.closed' | 'door.forced' | 'door.held_open' | 'door.exit_requested' | 'door.blocked' | 'door.released' | 'door.tampered' | 'door.tamper_ended' | 'door.battery_low' | 'door.battery_ok' | 'door.fault' | 'door.fault_ended' | 'door.online' | 'door.offline' | 'lock.locked' | 'lock.unlocked' | 'lock.jammed' | 'system.online' | 'system.offline' | 'system.tampered' | 'system.tamper_ended' | 'system.power_lost' | 'system.power_restored' | 'system.restarted' | 'system.clock_set'
  source_id?: string | null
  result?: 'granted' | 'denied' | null
  reason?: string | null
  access_point_id?: string | null
  individual_id?: string | null
  credential_id?: string | null
  credential_number?: string | null
  credential_type?: string
  facility_code?: string | null
  access_control_system_id?: string | null
  command_id?: string | null
  direction?: 'in' | 'out' | null
  occurred_at?: string | null
}

export type AccessEventResults = {
  results: Array<{
    status: 'stored' | 'duplicate' | 'refused'
    id?: string
    sequence?: number
    fault?: {
      path: string
      rule: string
      message: string
    }
  }>
  stored: number
  duplicates: number
  refused: number
}

export type AccessGrant = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  individual_id: string | null
  access_group_id: string | null
  access_point_id: string | null
  space_id: string | null
  building_id: string | null
  location_id: string | null
  schedule_id: string | null
  valid_from: string | null
  valid_until: string | null
  effect: 'allow' | 'deny'
  requires_pin: boolean
  requires_second_person: boolean
  during_lockdown: boolean
  reason: string | null
  revoked_at: string | null
  status: 'scheduled' | 'active' | 'expired' | 'revoked'
}

export type AccessGrantBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessGrantPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessGrantBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessGrant
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessGrantCounts = Array<{
  individual_id?: string | null
  access_group_id?: string | null
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  effect?: 'allow' | 'deny' | null
  requires_pin?: boolean | null
  requires_second_person?: boolean | null
  during_lockdown?: boolean | null
  status?: 'scheduled' | 'active' | 'expired' | 'revoked' | null
  count: number
}>

export type AccessGrantCreate = {
  individual_id?: string | null
  access_group_id?: string | null
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  effect?: 'allow' | 'deny'
  requires_pin?: boolean
  requires_second_person?: boolean
  during_lockdown?: boolean
  reason?: string | null
  external_id?: string | null
}

export type AccessGrantPatch = {
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  effect?: 'allow' | 'deny'
  requires_pin?: boolean
  requires_second_person?: boolean
  during_lockdown?: boolean
  reason?: string | null
  external_id?: string | null
}

export type AccessGrantPut = {
  individual_id?: string | null
  access_group_id?: string | null
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  effect?: 'allow' | 'deny'
  requires_pin?: boolean
  requires_second_person?: boolean
  during_lockdown?: boolean
  reason?: string | null
  external_id?: string | null
}

export type AccessGrantSync = {
  state: 'in_sync' | 'pending' | 'failed' | 'unknown'
  since: string
  error: {
    code: string
    message: string
  } | null
  systems: Array<{
    access_control_system_id: string
    state: 'in_sync' | 'pending' | 'failed' | 'unknown'
    since: string
    error: {
      code: string
      message: string
    } | null
  }> | null
  still_opens: Array<{
    access_point_id: string
    name: string
    until: string | null
  }> | null
}

export type AccessGroup = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  name: string
  description?: string | null
  location_id?: string | null
  building_id?: string | null
  member_count?: number
}

export type AccessGroupBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessGroupPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessGroupBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessGroup
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessGroupCounts = Array<{
  location_id?: string | null
  building_id?: string | null
  count: number
}>

export type AccessGroupCreate = {
  name: string
  description?: string | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type AccessGroupMember = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  access_group_id: string
  individual_id: string
  valid_from: string | null
  valid_until: string | null
}

export type AccessGroupMemberBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessGroupMemberPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessGroupMemberBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessGroupMember
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessGroupMemberCounts = Array<{
  access_group_id?: string | null
  individual_id?: string | null
  count: number
}>

export type AccessGroupMemberCreate = {
  individual_id: string
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type AccessGroupMemberPatch = {
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type AccessGroupMemberPut = {
  individual_id?: string
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type AccessGroupMemberSet = {
  members: Array<{
    individual_id: string
    valid_from?: string | null
    valid_until?: string | null
  }>
}

export type AccessGroupMembersAdded = {
  members: Array<{
    individual_id: string
    valid_from?: string | null
    valid_until?: string | null
  }>
}

export type AccessGroupMembersChanged = {
  added: number
  changed: number
  removed: number
  unchanged: number
}

export type AccessGroupMembersRemoved = {
  individual_ids: Array<string>
}

export type AccessGroupPatch = {
  name?: string
  description?: string | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type AccessGroupPut = {
  name?: string
  description?: string | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type AccessPoint = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  space_id: string
  from_space_id: string | null
  name: string
  description: string
  label: string
  kind: 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'locker' | 'cabinet' | 'window'
  floor: number | null
  manufacturer: string | null
  model: string | null
  access_control_system_id: string | null
  direction: 'in' | 'out' | 'both'
  emergency_exit: boolean
  unlock_seconds: number | null
  held_open_seconds: number | null
  unlock_schedule_id: string | null
  first_person_in: boolean
  building_id: string
  mode: 'locked' | 'unlocked' | 'unlocked_timed' | 'blocked' | 'locked_down' | 'held_open' | 'evacuation'
  lock_state: 'locked' | 'unlocked' | 'fault' | 'unknown'
  position: 'open' | 'closed' | 'fault' | 'unknown'
  connectivity: 'online' | 'offline' | 'never_connected' | 'unsupervised'
  in_alarm: boolean
  needs_service: boolean
  state_changed_at: string
  state: {
    mode: {
      value: 'locked' | 'unlocked' | 'unlocked_timed' | 'blocked' | 'locked_down' | 'held_open' | 'evacuation'
      since: string
    }
    lock_state: {
      value: 'locked' | 'unlocked' | 'fault' | 'unknown'
      since: string
    }
    position: {
      value: 'open' | 'closed' | 'fault' | 'unknown'
      since: string
    }
    alarms: {
      value: Array<'forced_open' | 'held_open_too_long' | 'tamper' | 'duress' | 'low_battery' | 'fault'>
      since: string
    }
    connectivity: {
      value: 'online' | 'offline' | 'never_connected' | 'unsupervised'
      since: string
    }
  }
}

export type AccessPointBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessPointPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessPointBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessPoint
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessPointCounts = Array<{
  space_id?: string | null
  from_space_id?: string | null
  kind?: 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'locker' | 'cabinet' | 'window' | null
  access_control_system_id?: string | null
  direction?: 'in' | 'out' | 'both' | null
  emergency_exit?: boolean | null
  unlock_schedule_id?: string | null
  first_person_in?: boolean | null
  building_id?: string | null
  mode?: 'locked' | 'unlocked' | 'unlocked_timed' | 'blocked' | 'locked_down' | 'held_open' | 'evacuation' | null
  lock_state?: 'locked' | 'unlocked' | 'fault' | 'unknown' | null
  position?: 'open' | 'closed' | 'fault' | 'unknown' | null
  connectivity?: 'online' | 'offline' | 'never_connected' | 'unsupervised' | null
  in_alarm?: boolean | null
  needs_service?: boolean | null
  count: number
}>

export type AccessPointCreate = {
  space_id: string
  name: string
  from_space_id?: string | null
  description?: string
  label?: string
  kind?: 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'locker' | 'cabinet' | 'window'
  floor?: number | null
  manufacturer?: string | null
  model?: string | null
  access_control_system_id?: string | null
  direction?: 'in' | 'out' | 'both'
  emergency_exit?: boolean
  unlock_seconds?: number | null
  held_open_seconds?: number | null
  unlock_schedule_id?: string | null
  first_person_in?: boolean
  external_id?: string | null
}

export type AccessPointPatch = {
  space_id?: string
  from_space_id?: string | null
  name?: string
  description?: string
  label?: string
  kind?: 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'locker' | 'cabinet' | 'window'
  floor?: number | null
  manufacturer?: string | null
  model?: string | null
  access_control_system_id?: string | null
  direction?: 'in' | 'out' | 'both'
  emergency_exit?: boolean
  unlock_seconds?: number | null
  held_open_seconds?: number | null
  unlock_schedule_id?: string | null
  first_person_in?: boolean
  external_id?: string | null
}

export type AccessPointPut = {
  space_id?: string
  from_space_id?: string | null
  name?: string
  description?: string
  label?: string
  kind?: 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'locker' | 'cabinet' | 'window'
  floor?: number | null
  manufacturer?: string | null
  model?: string | null
  access_control_system_id?: string | null
  direction?: 'in' | 'out' | 'both'
  emergency_exit?: boolean
  unlock_seconds?: number | null
  held_open_seconds?: number | null
  unlock_schedule_id?: string | null
  first_person_in?: boolean
  external_id?: string | null
}

export type AccessPointSync = {
  state: 'in_sync' | 'pending' | 'failed' | 'unknown'
  since: string
  error: {
    code: string
    message: string
  } | null
}

export type AccessQuestion = {
  access_point_id: string
  individual_id?: string
  credential_id?: string
  credential?: {
    type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    facility_code?: string | null
    number?: string | null
    pin?: string | null
  }
  at?: string
  as_of?: string
  direction?: 'in' | 'out'
  with?: Array<string>
  assume?: Array<{
    individual_id?: string
    access_group_id?: string
    access_point_id?: string
    space_id?: string
    building_id?: string
    location_id?: string
    schedule_id?: string | null
    valid_from?: string | null
    valid_until?: string | null
    effect?: 'allow' | 'deny'
    requires_pin?: boolean
    requires_second_person?: boolean
    during_lockdown?: boolean
  }>
}

export type AccessQuestions = {
  questions: Array<{
    individual_id?: string
    credential_id?: string
    credential?: {
      type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
      facility_code?: string | null
      number?: string | null
      pin?: string | null
    }
    access_point_id: string
    at?: string
    as_of?: string
    direction?: 'in' | 'out'
    with?: Array<string>
    assume?: Array<{
      individual_id?: string
      access_group_id?: string
      access_point_id?: string
      space_id?: string
      building_id?: string
      location_id?: string
      schedule_id?: string | null
      valid_from?: string | null
      valid_until?: string | null
      effect?: 'allow' | 'deny'
      requires_pin?: boolean
      requires_second_person?: boolean
      during_lockdown?: boolean
    }>
  }>
}

export type AccessRequest = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  individual_id: string
  access_point_id: string | null
  space_id: string | null
  building_id: string | null
  location_id: string | null
  schedule_id: string | null
  valid_from: string | null
  valid_until: string | null
  reason: string
  requested_by: string
  requester_id: string | null
  status: 'open' | 'approved' | 'denied' | 'withdrawn'
  decided_at: string | null
  decided_by: string | null
  decision_note: string | null
  access_grant_id: string | null
}

export type AccessRequestBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessRequestPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessRequestBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessRequest
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessRequestCounts = Array<{
  individual_id?: string | null
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  status?: 'open' | 'approved' | 'denied' | 'withdrawn' | null
  access_grant_id?: string | null
  count: number
}>

export type AccessRequestCreate = {
  individual_id: string
  reason: string
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type AccessRequestPatch = {
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  reason?: string
  external_id?: string | null
}

export type AccessRequestPut = {
  individual_id?: string
  access_point_id?: string | null
  space_id?: string | null
  building_id?: string | null
  location_id?: string | null
  schedule_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  reason?: string
  external_id?: string | null
}

export type AccessRequestStep = {
  note?: string
}

export type AccessReview = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  building_id: string | null
  location_id: string | null
  due_on: string
  reviewer: string | null
  status: 'draft' | 'running' | 'closed' | 'cancelled'
  line_count: number
  open_count: number
  confirmed_count: number
  revoked_count: number
  started_at: string | null
  started_by: string | null
  closed_at: string | null
  closed_by: string | null
}

export type AccessReviewBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: AccessReviewPut
    if_match?: string
  }>
  atomic?: boolean
}

export type AccessReviewBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: AccessReview
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type AccessReviewCounts = Array<{
  building_id?: string | null
  location_id?: string | null
  status?: 'draft' | 'running' | 'closed' | 'cancelled' | null
  count: number
}>

export type AccessReviewCreate = {
  name: string
  due_on: string
  building_id?: string | null
  location_id?: string | null
  reviewer?: string | null
  external_id?: string | null
}

export type AccessReviewLine = {
  id: string
  created_at: string
  updated_at: string
  version: number
  access_review_id: string
  individual_id: string
  display_name: string
  means: 'grant' | 'group' | 'key'
  what: string
  access_grant_id: string | null
  access_group_id: string | null
  access_group_member_id: string | null
  key_id: string | null
  doors: number
  decision: 'open' | 'confirmed' | 'revoked'
  decided_at: string | null
  decided_by: string | null
  note: string | null
  is_ended: boolean
  may_revoke: boolean
}

export type AccessReviewLineCounts = Array<{
  access_review_id?: string | null
  individual_id?: string | null
  means?: 'grant' | 'group' | 'key' | null
  access_grant_id?: string | null
  decision?: 'open' | 'confirmed' | 'revoked' | null
  is_ended?: boolean | null
  count: number
}>

export type AccessReviewPatch = {
  name?: string
  due_on?: string
  reviewer?: string | null
  external_id?: string | null
}

export type AccessReviewPut = {
  name?: string
  building_id?: string | null
  location_id?: string | null
  due_on?: string
  reviewer?: string | null
  external_id?: string | null
}

export type AccessReviewReport = {
  format: string
  review: {
    organization_id: string
    organization: string
    id: string
    name: string
    place: string
    due_on: string
    reviewer: string | null
    started_at: string
    started_by: string
    closed_at: string
    closed_by: string
  }
  lines: Array<{
    hash: string
    is_erased?: boolean
    salt?: string
    display_name?: string
    means?: string
    what?: string
    doors?: number
    decision?: string
    decided_at?: string | null
    decided_by?: string | null
    note?: string | null
    is_ended?: boolean
  }>
  signature: {
    signed_at: string
    key_id: string
    signature: string
  }
}

export type AccessReviewStep = {
  note?: string
}

export type Alarm = {
  id: string
  created_at: string
  updated_at: string
  version: number
  kind: 'forced_open' | 'held_open_too_long' | 'tamper' | 'duress' | 'unexpected_grant' | 'system_offline'
  status: 'open' | 'acknowledged' | 'closed'
  access_point_id: string | null
  building_id: string | null
  access_control_system_id: string | null
  individual_id: string | null
  event_id: string
  event_count: number
  raised_at: string
  last_raised_at: string
  ended_at: string | null
  acknowledged_at: string | null
  acknowledged_by: string | null
  note: string | null
  closed_at: string | null
  closed_by: string | null
}

export type AlarmCounts = Array<{
  kind?: 'forced_open' | 'held_open_too_long' | 'tamper' | 'duress' | 'unexpected_grant' | 'system_offline' | null
  status?: 'open' | 'acknowledged' | 'closed' | null
  access_point_id?: string | null
  building_id?: string | null
  access_control_system_id?: string | null
  individual_id?: string | null
  event_id?: string | null
  count: number
}>

export type AlarmNote = {
  note?: string | null
}

export type AuditEntry = {
  id: string
  sequence: number
  occurred_at: string
  action: string
  resource: string
  resource_id: string | null
  actor_kind: 'user' | 'service_user' | 'command_line' | 'system'
  actor_id: string | null
  actor_name: string
  address: string | null
  req_id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export type AuditEntryCounts = Array<{
  actor_kind?: 'user' | 'service_user' | 'command_line' | 'system' | null
  count: number
}>

export type Building = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  location_id: string
  parent_id: string | null
  name: string
  slug: string
  address: string | null
  time_zone: string | null
}

export type BuildingBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: BuildingPut
    if_match?: string
  }>
  atomic?: boolean
}

export type BuildingBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Building
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type BuildingCounts = Array<{
  location_id?: string | null
  parent_id?: string | null
  count: number
}>

export type BuildingCreate = {
  location_id: string
  name: string
  parent_id?: string | null
  slug?: string
  address?: string | null
  time_zone?: string | null
  external_id?: string | null
}

export type BuildingPatch = {
  location_id?: string
  parent_id?: string | null
  name?: string
  slug?: string
  address?: string | null
  time_zone?: string | null
  external_id?: string | null
}

export type BuildingPut = {
  location_id?: string
  parent_id?: string | null
  name?: string
  slug?: string
  address?: string | null
  time_zone?: string | null
  external_id?: string | null
}

export type Calendar = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  description: string | null
  region: string | null
  days: Array<{
    date: string
    name: string
  }>
  day_count: number
  last_day: string | null
}

export type CalendarBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: CalendarPut
    if_match?: string
  }>
  atomic?: boolean
}

export type CalendarBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Calendar
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type CalendarCounts = Array<{
  count: number
}>

export type CalendarCreate = {
  name: string
  description?: string | null
  region?: string | null
  days?: Array<{
    date: string
    name: string
  }>
  external_id?: string | null
}

export type CalendarFill = {
  from_year: number
  to_year: number
  region?: string
  language?: string
  dry_run?: boolean
}

export type CalendarFilling = {
  dry_run: boolean
  added: Array<{
    date: string
    name: string
  }>
  changed: Array<{
    date: string
    name: string
    before: string
  }>
  kept: Array<{
    date: string
    name: string
  }>
  left_out: Array<{
    date: string
    name: string
  }>
  unread: Array<{
    what: string
    why: string
  }>
  calendar: {
    id: string
    external_id: string | null
    created_at: string
    updated_at: string
    version: number
    name: string
    description: string | null
    region: string | null
    days: Array<{
      date: string
      name: string
    }>
    day_count: number
    last_day: string | null
  }
}

export type CalendarPatch = {
  name?: string
  description?: string | null
  region?: string | null
  days?: Array<{
    date: string
    name: string
  }>
  external_id?: string | null
}

export type CalendarPut = {
  name?: string
  description?: string | null
  region?: string | null
  days?: Array<{
    date: string
    name: string
  }>
  external_id?: string | null
}

export type CalendarRegions = Array<{
  code: string
  name: string
  parent: string | null
}>

export type CardNumberText = {
  text: string
}

export type CodeConfirm = {
  code: string
}

export type Command = {
  id: string
  created_at: string
  updated_at: string
  version: number
  action: 'unlock' | 'lock' | 'block' | 'release'
  access_point_id: string
  building_id: string | null
  access_control_system_id: string
  seconds: number | null
  reason: string | null
  requested_by: string
  expires_at: string
  status: 'queued' | 'sent' | 'confirmed' | 'failed' | 'timed_out'
  sent_at: string | null
  ended_at: string | null
  error_code: string | null
  error_message: string | null
}

export type CommandCounts = Array<{
  action?: 'unlock' | 'lock' | 'block' | 'release' | null
  access_point_id?: string | null
  building_id?: string | null
  access_control_system_id?: string | null
  status?: 'queued' | 'sent' | 'confirmed' | 'failed' | 'timed_out' | null
  count: number
}>

export type CommandsCreate = {
  action: 'unlock' | 'lock' | 'block' | 'release'
  access_point_ids: Array<string>
  seconds?: number
  until_released?: boolean
  reason?: string | null
  expires_in_seconds?: number
}

export type CommandsMade = {
  queued: number
  results: Array<{
    access_point_id: string
    status: number
    command: {
      id: string
      created_at: string
      updated_at: string
      version: number
      action: 'unlock' | 'lock' | 'block' | 'release'
      access_point_id: string
      building_id: string | null
      access_control_system_id: string
      seconds: number | null
      reason: string | null
      requested_by: string
      expires_at: string
      status: 'queued' | 'sent' | 'confirmed' | 'failed' | 'timed_out'
      sent_at: string | null
      ended_at: string | null
      error_code: string | null
      error_message: string | null
    } | null
    error: {
      code: string
      reason: string | null
      msg: string
    } | null
  }>
}

export type CountsMeta = {
  filters: Array<{
    field: string
    operator: string
    value: string
  }>
  group_by: Array<string>
  groups: number
  total: number
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
  missing_permissions?: Array<Permission>
}

export type Credential = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  individual_id: string | null
  access_control_system_id: string | null
  type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
  label: string | null
  number: string | null
  facility_code: string | null
  format: string | null
  match_key: string | null
  has_pin: boolean
  valid_from: string | null
  valid_until: string | null
  max_uses: number | null
  use_count: number
  last_used_at: string | null
  status_reason: 'none' | 'not_collected' | 'forgotten' | 'lost' | 'stolen' | 'damaged' | 'returned' | 'revoked' | 'inactivity' | 'locked_out'
  status_type: 'pending' | 'active' | 'suspended' | 'expired' | 'terminated'
}

export type CredentialBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: CredentialPut
    if_match?: string
  }>
  atomic?: boolean
}

export type CredentialBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Credential
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type CredentialCounts = Array<{
  individual_id?: string | null
  access_control_system_id?: string | null
  type?: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric' | null
  has_pin?: boolean | null
  status_reason?: 'none' | 'not_collected' | 'forgotten' | 'lost' | 'stolen' | 'damaged' | 'returned' | 'revoked' | 'inactivity' | 'locked_out' | null
  status_type?: 'pending' | 'active' | 'suspended' | 'expired' | 'terminated' | null
  count: number
}>

export type CredentialCreate = {
  type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
  individual_id?: string | null
  access_control_system_id?: string | null
  label?: string | null
  number?: string | null
  facility_code?: string | null
  format?: string | null
  pin?: string | null
  valid_from?: string | null
  valid_until?: string | null
  max_uses?: number | null
  status_reason?: 'none' | 'not_collected' | 'forgotten' | 'lost' | 'stolen' | 'damaged' | 'returned' | 'revoked' | 'inactivity' | 'locked_out'
  external_id?: string | null
}

export type CredentialPatch = {
  individual_id?: string | null
  access_control_system_id?: string | null
  label?: string | null
  number?: string | null
  facility_code?: string | null
  format?: string | null
  pin?: string | null
  valid_from?: string | null
  valid_until?: string | null
  max_uses?: number | null
  status_reason?: 'none' | 'not_collected' | 'forgotten' | 'lost' | 'stolen' | 'damaged' | 'returned' | 'revoked' | 'inactivity' | 'locked_out'
  external_id?: string | null
}

export type CredentialPut = {
  individual_id?: string | null
  access_control_system_id?: string | null
  type?: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
  label?: string | null
  number?: string | null
  facility_code?: string | null
  format?: string | null
  pin?: string | null
  valid_from?: string | null
  valid_until?: string | null
  max_uses?: number | null
  status_reason?: 'none' | 'not_collected' | 'forgotten' | 'lost' | 'stolen' | 'damaged' | 'returned' | 'revoked' | 'inactivity' | 'locked_out'
  external_id?: string | null
}

export type Cylinder = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version?: number
  locking_system_id: string
  number: string
  label: string | null
  type: 'double' | 'half' | 'knob' | 'padlock' | 'cam' | 'furniture'
  outside_mm: number | null
  inside_mm: number | null
  access_point_id: string | null
  installed_at: string | null
  status: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired'
}

export type CylinderBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: CylinderPut
    if_match?: string
  }>
  atomic?: boolean
}

export type CylinderBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Cylinder
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type CylinderCounts = Array<{
  locking_system_id?: string | null
  type?: 'double' | 'half' | 'knob' | 'padlock' | 'cam' | 'furniture' | null
  access_point_id?: string | null
  status?: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired' | null
  count: number
}>

export type CylinderCreate = {
  locking_system_id: string
  number: string
  label?: string | null
  type?: 'double' | 'half' | 'knob' | 'padlock' | 'cam' | 'furniture'
  outside_mm?: number | null
  inside_mm?: number | null
  access_point_id?: string | null
  installed_at?: string | null
  status?: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired'
  external_id?: string | null
}

export type CylinderPatch = {
  number?: string
  label?: string | null
  type?: 'double' | 'half' | 'knob' | 'padlock' | 'cam' | 'furniture'
  outside_mm?: number | null
  inside_mm?: number | null
  access_point_id?: string | null
  installed_at?: string | null
  status?: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired'
  external_id?: string | null
}

export type CylinderPut = {
  locking_system_id?: string
  number?: string
  label?: string | null
  type?: 'double' | 'half' | 'knob' | 'padlock' | 'cam' | 'furniture'
  outside_mm?: number | null
  inside_mm?: number | null
  access_point_id?: string | null
  installed_at?: string | null
  status?: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired'
  external_id?: string | null
}

export type DecodedCardNumber = {
  readings: Array<{
    form: 'printed' | 'decimal' | 'hexadecimal' | 'binary'
    facility_code: string | null
    number: string
    formats: Array<'wiegand-26' | 'wiegand-34' | 'wiegand-37' | 'wiegand-37-plain' | 'corporate-1000'>
    is_reversed: boolean
    parity: 'right' | 'wrong' | null
    credentials: Array<{
      id: string
      individual_id: string | null
      type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
      label: string | null
      number: string | null
      facility_code: string | null
      match_key: string | null
      status_type: 'pending' | 'active' | 'suspended' | 'expired' | 'terminated'
    }>
  }>
  credentials: Array<{
    id: string
    individual_id: string | null
    type: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    label: string | null
    number: string | null
    facility_code: string | null
    match_key: string | null
    status_type: 'pending' | 'active' | 'suspended' | 'expired' | 'terminated'
  }>
}

export type DoorOrder = {
  reason?: string | null
  expires_in_seconds?: number
}

export type DoorUnlocking = {
  seconds?: number
  until_released?: boolean
  reason?: string | null
  expires_in_seconds?: number
}

export type DryRunMeta = {
  dry_run: boolean
  access?: {
    at: string | null
    gained: {
      people: number
      doors: number
      pairs: number
      first: Array<{
        individual_id: string | null
        display_name: string
        access_point_id: string
        name: string
      }>
    }
    lost: {
      people: number
      doors: number
      pairs: number
      first: Array<{
        individual_id: string | null
        display_name: string
        access_point_id: string
        name: string
      }>
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
}

export type Entrant = {
  individual_id: string | null
  display_name: string
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  access_point_id: string
  allowed: boolean
  reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  next_allowed_at: string | null
  holds_until: string | null
  grant_id: string | null
  means: Array<{
    type: 'key' | 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    id: string | null
    name: string | null
    ignores_rules: boolean
  }>
  path: Array<{
    type: 'individual' | 'access_group' | 'key' | 'location' | 'building' | 'space' | 'access_point'
    id: string
    name: string
  }> | null
}

export type EntrantChange = {
  individual_id: string | null
  display_name: string
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  change: 'gained' | 'lost'
  allowed_before: boolean
  allowed_after: boolean
  reason_before: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  reason_after: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
}

export type Error = {
  msg: string
  error: {
    code: ErrorCode
    docs: string
    req_id: string
    reason?: string
    details?: Array<ErrorDetail>
  }
}

export type ErrorCode = 'MALFORMED_REQUEST' | 'VALIDATION_ERROR' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'NOT_ACCEPTABLE' | 'REQUEST_TIMEOUT' | 'CONFLICT' | 'INVALID_STATE' | 'RESOURCE_IN_USE' | 'IDEMPOTENCY_IN_PROGRESS' | 'VERSION_CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'URI_TOO_LONG' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'INTERNAL' | 'SYSTEM_UNREACHABLE' | 'SERVICE_UNAVAILABLE' | 'SYSTEM_TIMEOUT'

export type ErrorDetail = {
  path: string
  rule: string
  message: string
  id?: string
  name?: string
}

export type EvacuationCreate = {
  location_id?: string | null
  building_id?: string | null
  space_id?: string | null
  access_point_id?: string | null
  reason?: string | null
  expires_at?: string | null
}

export type EvacuationInForce = {
  id: string
  external_id?: string | null
  created_at: string
  updated_at: string
  version?: number
  kind: 'lockdown' | 'evacuation' | 'drill'
  location_id: string | null
  building_id: string | null
  space_id: string | null
  access_point_id: string | null
  reason?: string | null
  expires_at: string | null
  started_by?: string
  released_at: string | null
  released_by: string | null
  status: 'active' | 'expired' | 'released'
  present_at_start: number | null
  present_at_end: number | null
  duration_seconds: number | null
}

export type ExternalIdentity = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  issuer: string
  subject: string
  user_id: string | null
  service_user_id: string | null
  permissions: Array<Permission> | null
}

export type ExternalIdentityBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: ExternalIdentityPut
    if_match?: string
  }>
  atomic?: boolean
}

export type ExternalIdentityBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: ExternalIdentity
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type ExternalIdentityCounts = Array<{
  user_id?: string | null
  service_user_id?: string | null
  count: number
}>

export type ExternalIdentityCreate = {
  issuer: string
  subject: string
  user_id?: string | null
  service_user_id?: string | null
  permissions?: Array<Permission> | null
  external_id?: string | null
}

export type ExternalIdentityPatch = {
  permissions?: Array<Permission> | null
  external_id?: string | null
}

export type ExternalIdentityPut = {
  issuer?: string
  subject?: string
  user_id?: string | null
  service_user_id?: string | null
  permissions?: Array<Permission> | null
  external_id?: string | null
}

export type FeedMeta = {
  after: number
  last: number
  has_more: boolean
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
  missing_permissions?: Array<Permission>
}

export type FloorPlan = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  building_id: string
  floor: number
  name: string | null
  image_type: 'image/svg+xml' | 'image/png' | null
  image_size: number | null
  image_hash: string | null
  width: number | null
  height: number | null
}

export type FloorPlanBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: FloorPlanPut
    if_match?: string
  }>
  atomic?: boolean
}

export type FloorPlanBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: FloorPlan
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type FloorPlanCounts = Array<{
  building_id?: string | null
  image_type?: 'image/svg+xml' | 'image/png' | null
  count: number
}>

export type FloorPlanCreate = {
  building_id: string
  floor: number
  name?: string | null
  external_id?: string | null
}

export type FloorPlanDrawn = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  building_id: string
  floor: number
  name: string | null
  image_type: 'image/svg+xml' | 'image/png' | null
  image_size: number | null
  image_hash: string | null
  width: number | null
  height: number | null
  left_out: Array<string>
}

export type FloorPlanPatch = {
  floor?: number
  name?: string | null
  external_id?: string | null
}

export type FloorPlanPosition = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  floor_plan_id: string
  access_point_id: string
  x: number
  y: number
  is_elsewhere: boolean
}

export type FloorPlanPositionBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: FloorPlanPositionPut
    if_match?: string
  }>
  atomic?: boolean
}

export type FloorPlanPositionBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: FloorPlanPosition
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type FloorPlanPositionCounts = Array<{
  floor_plan_id?: string | null
  access_point_id?: string | null
  count: number
}>

export type FloorPlanPositionCreate = {
  access_point_id: string
  x: number
  y: number
  external_id?: string | null
}

export type FloorPlanPositionPatch = {
  x?: number
  y?: number
  external_id?: string | null
}

export type FloorPlanPositionPut = {
  access_point_id?: string
  x?: number
  y?: number
  external_id?: string | null
}

export type FloorPlanPut = {
  building_id?: string
  floor?: number
  name?: string | null
  external_id?: string | null
}

export type ForgotPassword = {
  email: string
}

export type HandedOverKeys = {
  keys: Array<{
    id: string
    external_id: string | null
    created_at: string
    updated_at: string
    version?: number
    key_type_id: string
    key_type_code: string
    number: string
    status: 'ordered' | 'in_stock' | 'issued' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed'
    individual_id: string | null
    storage: string | null
    due_back_on: string | null
    status_since: string
    status_note: string | null
    locking_system_id: string
  }>
  handovers: Array<{
    id: string
    external_id: string | null
    created_at: string
    updated_at: string
    version: number
    key_id: string
    individual_id: string
    issued_at: string
    due_back_on: string | null
    returned_at: string | null
    purpose: string | null
    deposit_amount: number | null
    condition: string | null
    issued_by: string
    outcome: 'held' | 'returned' | 'lost' | 'stolen' | 'defective'
    ended_at: string | null
    return_condition: string | null
    received_by: string | null
    receipt_id: string
  }>
}

export type Identity = {
  id: string
  created_at: string
  version: number
  provider: string
  provider_name: string
  issuer: string
  email: string | null
  last_used_at: string | null
}

export type IdentityConnect = {
  provider: string
  return_to?: string
}

export type IdentityCounts = Array<{
  count: number
}>

export type Import = {
  id: string
  created_at: string
  updated_at: string
  version: number
  resource: string
  file_name: string | null
  status: 'reading' | 'checking' | 'checked' | 'running' | 'done' | 'cancelled' | 'refused' | 'interrupted'
  dry_run: boolean
  columns: Array<string>
  mapping: Record<string, string | null>
  rows: number
  row_done: number
  created: number
  changed: number
  unchanged: number
  failed: number
  errors: Array<{
    row: number
    cell: string | null
    column: string | null
    path: string
    rule: string
    message: string
  }>
}

export type ImportCounts = Array<{
  status?: 'reading' | 'checking' | 'checked' | 'running' | 'done' | 'cancelled' | 'refused' | 'interrupted' | null
  dry_run?: boolean | null
  count: number
}>

export type ImportCreate = {
  resource: string
  rows: Array<Array<string>>
  mapping?: Record<string, string | null>
  dry_run?: boolean
}

export type Individual = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  given_name?: string
  family_name?: string
  display_name: string
  email?: string | null
  phone?: string | null
  personnel_number?: string | null
  company: string | null
  department?: string | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status: 'invited' | 'active' | 'suspended' | 'offboarded' | 'anonymised'
  valid_from?: string | null
  valid_until?: string | null
  offboard_at?: string | null
  valid_until_before?: string | null
  means?: Array<'grant' | 'group' | 'key'>
}

export type IndividualBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: IndividualPut
    if_match?: string
  }>
  atomic?: boolean
}

export type IndividualBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Individual
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type IndividualCounts = Array<{
  kind?: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service' | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status?: 'invited' | 'active' | 'suspended' | 'offboarded' | 'anonymised' | null
  count: number
}>

export type IndividualCreate = {
  kind?: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  given_name?: string
  family_name?: string
  display_name?: string
  email?: string | null
  phone?: string | null
  personnel_number?: string | null
  company?: string | null
  department?: string | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status?: 'invited' | 'active'
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type IndividualPatch = {
  kind?: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  given_name?: string
  family_name?: string
  display_name?: string
  email?: string | null
  phone?: string | null
  personnel_number?: string | null
  company?: string | null
  department?: string | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type IndividualPut = {
  kind?: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  given_name?: string
  family_name?: string
  display_name?: string
  email?: string | null
  phone?: string | null
  personnel_number?: string | null
  company?: string | null
  department?: string | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status?: 'invited' | 'active' | 'suspended' | 'offboarded' | 'anonymised'
  valid_from?: string | null
  valid_until?: string | null
  external_id?: string | null
}

export type InvitationAccept = {
  token: string
  password: string
  name?: string
}

export type Key = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version?: number
  key_type_id: string
  key_type_code: string
  number: string
  status: 'ordered' | 'in_stock' | 'issued' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed'
  individual_id: string | null
  storage: string | null
  due_back_on: string | null
  status_since: string
  status_note: string | null
  locking_system_id: string
}

export type KeyBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: KeyPut
    if_match?: string
  }>
  atomic?: boolean
}

export type KeyBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Key
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type KeyCounts = Array<{
  key_type_id?: string | null
  status?: 'ordered' | 'in_stock' | 'issued' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed' | null
  individual_id?: string | null
  locking_system_id?: string | null
  count: number
}>

export type KeyCreate = {
  key_type_id: string
  number: string
  status?: 'ordered' | 'in_stock'
  storage?: string | null
  due_back_on?: string | null
  external_id?: string | null
}

export type KeyHandover = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  key_id: string
  individual_id: string
  issued_at: string
  due_back_on: string | null
  returned_at: string | null
  purpose: string | null
  deposit_amount: number | null
  condition: string | null
  issued_by: string
  outcome: 'held' | 'returned' | 'lost' | 'stolen' | 'defective'
  ended_at: string | null
  return_condition: string | null
  received_by: string | null
  receipt_id: string
}

export type KeyHandoverBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: KeyHandoverPut
    if_match?: string
  }>
  atomic?: boolean
}

export type KeyHandoverBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: KeyHandover
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type KeyHandoverCounts = Array<{
  key_id?: string | null
  individual_id?: string | null
  outcome?: 'held' | 'returned' | 'lost' | 'stolen' | 'defective' | null
  count: number
}>

export type KeyHandoverCreate = {
  key_id: string
  individual_id: string
  issued_at?: string
  due_back_on?: string | null
  purpose?: string | null
  deposit_amount?: number | null
  condition?: string | null
  external_id?: string | null
}

export type KeyHandoverPut = {
  key_id?: string
  individual_id?: string
  issued_at?: string
  due_back_on?: string | null
  purpose?: string | null
  deposit_amount?: number | null
  condition?: string | null
  external_id?: string | null
}

export type KeyIssue = {
  individual_id: string
  issued_at?: string
  due_back_on?: string | null
  purpose?: string | null
  deposit_amount?: number | null
  condition?: string | null
  external_id?: string | null
}

export type KeyLoss = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version?: number
  key_type_id: string
  key_type_code: string
  number: string
  status: 'ordered' | 'in_stock' | 'issued' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed'
  individual_id: string | null
  storage: string | null
  due_back_on: string | null
  status_since: string
  status_note: string | null
  locking_system_id: string
  opens: {
    cylinders: Array<{
      id: string
      number: string
      label: string | null
    }> | null
    access_points: Array<{
      id: string
      name: string
    }> | null
    spaces: Array<{
      id: string
      name: string
    }> | null
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  }
  holders_of_same_type: number
}

export type KeyPatch = {
  key_type_id?: string
  number?: string
  storage?: string | null
  due_back_on?: string | null
  external_id?: string | null
}

export type KeyPut = {
  key_type_id?: string
  number?: string
  status?: 'ordered' | 'in_stock' | 'issued' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed'
  storage?: string | null
  due_back_on?: string | null
  external_id?: string | null
}

export type KeyReach = {
  opens: {
    cylinders: Array<{
      id: string
      number: string
      label: string | null
    }> | null
    access_points: Array<{
      id: string
      name: string
    }> | null
    spaces: Array<{
      id: string
      name: string
    }> | null
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  }
  holders_of_same_type: number
}

export type KeyReturn = {
  note?: string | null
  storage?: string | null
  return_condition?: string | null
  returned_at?: string
}

export type KeyStep = {
  note?: string | null
}

export type KeyStored = {
  note?: string | null
  storage?: string | null
}

export type KeyType = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  locking_system_id: string
  code: string
  name: string | null
  parent_id?: string | null
  key_count: number
  keys_issued_count: number
}

export type KeyTypeBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: KeyTypePut
    if_match?: string
  }>
  atomic?: boolean
}

export type KeyTypeBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: KeyType
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type KeyTypeCounts = Array<{
  locking_system_id?: string | null
  parent_id?: string | null
  count: number
}>

export type KeyTypeCreate = {
  locking_system_id: string
  code: string
  name?: string | null
  parent_id?: string | null
  external_id?: string | null
}

export type KeyTypePatch = {
  code?: string
  name?: string | null
  parent_id?: string | null
  external_id?: string | null
}

export type KeyTypePut = {
  locking_system_id?: string
  code?: string
  name?: string | null
  parent_id?: string | null
  external_id?: string | null
}

export type KeysIssue = {
  key_ids: Array<string>
  individual_id: string
  issued_at?: string
  due_back_on?: string | null
  purpose?: string | null
  deposit_amount?: number | null
  condition?: string | null
}

export type KeysReturn = {
  key_ids: Array<string>
  note?: string | null
  storage?: string | null
  return_condition?: string | null
  returned_at?: string
}

export type LeakReport = {
  token?: string
  tokens?: Array<string>
}

export type LinkAnswer = {
  kind: 'invitation' | 'reset' | 'setup'
  organization: string | null
  name: string | null
  email: string | null
  expires_at: string
}

export type LinkQuestion = {
  kind: 'invitation' | 'reset' | 'setup'
  token: string
}

export type ListMeta = {
  filters: Array<{
    field: string
    operator: string
    value: string
  }>
  order: Array<{
    field: string
    direction: 'asc' | 'desc'
    nulls: 'first' | 'last'
  }>
  pagination: {
    limit: number
    page?: number
    pages?: number
    total?: number
    next_cursor?: string | null
  }
  select: Array<string>
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
  missing_permissions?: Array<Permission>
  unaccounted_keys?: number | null
  unaccounted?: Array<{
    key_id: string
    number: string
    key_type_code: string
    status: 'lost' | 'stolen'
    access_point_id: string
  }> | null
}

export type Location = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  parent_id: string | null
  name: string
  slug: string
  address: string | null
  time_zone: string | null
  latitude: number | null
  longitude: number | null
}

export type LocationBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: LocationPut
    if_match?: string
  }>
  atomic?: boolean
}

export type LocationBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Location
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type LocationCounts = Array<{
  parent_id?: string | null
  count: number
}>

export type LocationCreate = {
  name: string
  parent_id?: string | null
  slug?: string
  address?: string | null
  time_zone?: string | null
  latitude?: number | null
  longitude?: number | null
  external_id?: string | null
}

export type LocationPatch = {
  parent_id?: string | null
  name?: string
  slug?: string
  address?: string | null
  time_zone?: string | null
  latitude?: number | null
  longitude?: number | null
  external_id?: string | null
}

export type LocationPut = {
  parent_id?: string | null
  name?: string
  slug?: string
  address?: string | null
  time_zone?: string | null
  latitude?: number | null
  longitude?: number | null
  external_id?: string | null
}

export type Lockdown = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version?: number
  kind: 'lockdown' | 'evacuation' | 'drill'
  location_id: string | null
  building_id: string | null
  space_id: string | null
  access_point_id: string | null
  reason: string | null
  expires_at: string | null
  started_by: string
  released_at: string | null
  released_by: string | null
  status: 'active' | 'expired' | 'released'
  present_at_start: number | null
  present_at_end: number | null
  duration_seconds: number | null
}

export type LockdownBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: LockdownPut
    if_match?: string
  }>
  atomic?: boolean
}

export type LockdownBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Lockdown
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type LockdownCounts = Array<{
  kind?: 'lockdown' | 'evacuation' | 'drill' | null
  location_id?: string | null
  building_id?: string | null
  space_id?: string | null
  access_point_id?: string | null
  status?: 'active' | 'expired' | 'released' | null
  count: number
}>

export type LockdownCreate = {
  kind?: 'lockdown' | 'evacuation' | 'drill'
  location_id?: string | null
  building_id?: string | null
  space_id?: string | null
  access_point_id?: string | null
  reason?: string | null
  expires_at?: string | null
  external_id?: string | null
}

export type LockdownPatch = {
  reason?: string | null
  expires_at?: string | null
  external_id?: string | null
}

export type LockdownPut = {
  kind?: 'lockdown' | 'evacuation' | 'drill'
  location_id?: string | null
  building_id?: string | null
  space_id?: string | null
  access_point_id?: string | null
  reason?: string | null
  expires_at?: string | null
  external_id?: string | null
}

export type LockingPlan = {
  locking_system_id: string
  key_types: Array<{
    id: string
    code: string
    name: string | null
    parent_id: string | null
  }>
  cylinders: Array<{
    id: string
    number: string
    label: string | null
    status: 'ordered' | 'in_stock' | 'installed' | 'defective' | 'retired'
    access_point_id: string | null
  }>
  cells: Array<{
    key_type_id: string
    cylinder_id: string
  }>
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
}

export type LockingPlanChange = {
  set?: Array<{
    key_type_id: string
    cylinder_id: string
  }>
  clear?: Array<{
    key_type_id: string
    cylinder_id: string
  }>
}

export type LockingPlanChanged = {
  set: number
  cleared: number
}

export type LockingPlanRows = {
  rows: Array<Array<string>>
}

export type LockingSystem = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  name: string
  number: string | null
  manufacturer: string | null
  product: string | null
  kind: 'mechanical' | 'mechatronic' | 'electronic' | 'mixed'
  hierarchy: 'single' | 'central' | 'master' | 'combined' | 'general_master'
  status: 'planned' | 'active' | 'retired'
  location_id?: string | null
  building_id?: string | null
  security_card_number?: string | null
  security_card_expires_on?: string | null
  installed_on?: string | null
  description?: string | null
  cylinder_count?: number
  key_count?: number
  keys_issued_count?: number
  keys_lost_count?: number
}

export type LockingSystemBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: LockingSystemPut
    if_match?: string
  }>
  atomic?: boolean
}

export type LockingSystemBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: LockingSystem
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type LockingSystemCounts = Array<{
  kind?: 'mechanical' | 'mechatronic' | 'electronic' | 'mixed' | null
  hierarchy?: 'single' | 'central' | 'master' | 'combined' | 'general_master' | null
  status?: 'planned' | 'active' | 'retired' | null
  location_id?: string | null
  building_id?: string | null
  count: number
}>

export type LockingSystemCreate = {
  name: string
  number?: string | null
  manufacturer?: string | null
  product?: string | null
  kind?: 'mechanical' | 'mechatronic' | 'electronic' | 'mixed'
  hierarchy?: 'single' | 'central' | 'master' | 'combined' | 'general_master'
  status?: 'planned' | 'active' | 'retired'
  location_id?: string | null
  building_id?: string | null
  security_card_number?: string | null
  security_card_expires_on?: string | null
  installed_on?: string | null
  description?: string | null
  external_id?: string | null
}

export type LockingSystemListMeta = {
  pagination: {
    total: number
    count: number
    per_page: number
    current_page: number
    total_pages: number
  }
}

export type LockingSystemOverview = {
  total: number
  by_kind: {
    mechanical: number
    mechatronic: number
    electronic: number
    mixed: number
  }
  by_status: {
    planned: number
    active: number
    retired: number
  }
  by_manufacturer: Record<string, number>
  cylinders: {
    total: number | null
    installed: number | null
    in_stock: number | null
    defective: number | null
  }
  keys: {
    total: number | null
    in_stock: number | null
    issued: number | null
    overdue: number | null
    lost: number | null
  }
  access_points: {
    total: number | null
    with_cylinder: number | null
  }
  security_cards: {
    expiring_within_90_days: number
  }
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
}

export type LockingSystemPatch = {
  name?: string
  number?: string | null
  manufacturer?: string | null
  product?: string | null
  kind?: 'mechanical' | 'mechatronic' | 'electronic' | 'mixed'
  hierarchy?: 'single' | 'central' | 'master' | 'combined' | 'general_master'
  status?: 'planned' | 'active' | 'retired'
  location_id?: string | null
  building_id?: string | null
  security_card_number?: string | null
  security_card_expires_on?: string | null
  installed_on?: string | null
  description?: string | null
  external_id?: string | null
}

export type LockingSystemPut = {
  name?: string
  number?: string | null
  manufacturer?: string | null
  product?: string | null
  kind?: 'mechanical' | 'mechatronic' | 'electronic' | 'mixed'
  hierarchy?: 'single' | 'central' | 'master' | 'combined' | 'general_master'
  status?: 'planned' | 'active' | 'retired'
  location_id?: string | null
  building_id?: string | null
  security_card_number?: string | null
  security_card_expires_on?: string | null
  installed_on?: string | null
  description?: string | null
  external_id?: string | null
}

export type Login = {
  email: string
  password: string
  code?: string
  organization?: string
}

export type LoginAnswer = {
  organization: {
    id: string
    name: string
    time_zone: string
  }
  user: {
    id: string
    email: string
    name: string
  }
  session: {
    id: string
    expires_at: string
    awaited_factor: 'set_up' | 'confirm' | null
  }
}

export type LoginWays = {
  providers: Array<{
    id: string
    name: string
  }>
  passkeys: boolean
  password_reset: boolean
}

export type Me = {
  kind: 'user' | 'service_user'
  id: string
  name: string
  organization: {
    id: string
    name: string
    time_zone: string
    language: string
  }
  token: {
    id?: string
    name?: string
    prefix?: string
    last_four?: string
    expires_at?: string
  } | null
  user: {
    email: string
    language: 'en' | 'de' | null
    mfa: boolean
    second_factor_required: boolean
    recovery_codes_left: number
    last_login_at: string
    has_password: boolean
    passkeys: number
    identities: number
  } | null
  session: {
    id: string
    expires_at: string
    confirmed_at: string
    awaited_factor: 'set_up' | 'confirm' | null
  } | null
  application: {
    id: string
    name: string
  } | null
  roles: Array<{
    role_assignment_id: string
    role_id: string
    name: string
    location_id: string | null
    building_id: string | null
  }>
  permissions: Array<{
    permission: Permission
    scope: 'organization' | 'places'
    location_ids: Array<string>
    building_ids: Array<string>
  }>
}

export type MePatch = {
  name?: string
  language?: 'en' | 'de' | null
}

export type Muster = {
  building_id: string
  begins_at: string
  unaccounted: number
  accounted: number
  people: Array<{
    individual_id: string
    display_name: string
    kind: string
    company: string | null
    phone?: string | null
    status: 'unaccounted' | 'accounted'
    space_id: string | null
    space: string | null
    since: string
  }>
}

export type OAuthApplication = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  description: string | null
  kind: 'confidential' | 'public'
  redirect_uris: Array<string>
  permissions: Array<Permission>
  service_user_id: string | null
  status: 'active' | 'suspended'
  secret_last_four: string | null
  secret_created_at: string | null
  previous_secret_expires_at: string | null
}

export type OAuthApplicationBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: OAuthApplicationPut
    if_match?: string
  }>
  atomic?: boolean
}

export type OAuthApplicationBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: OAuthApplicationWithSecret
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type OAuthApplicationCounts = Array<{
  kind?: 'confidential' | 'public' | null
  service_user_id?: string | null
  status?: 'active' | 'suspended' | null
  count: number
}>

export type OAuthApplicationCreate = {
  name: string
  description?: string | null
  kind?: 'confidential' | 'public'
  redirect_uris?: Array<string>
  permissions?: Array<Permission>
  service_user_id?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type OAuthApplicationPatch = {
  name?: string
  description?: string | null
  redirect_uris?: Array<string>
  permissions?: Array<Permission>
  service_user_id?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type OAuthApplicationPut = {
  name?: string
  description?: string | null
  kind?: 'confidential' | 'public'
  redirect_uris?: Array<string>
  permissions?: Array<Permission>
  service_user_id?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type OAuthApplicationSecretRotate = {
  grace_seconds?: number
}

export type OAuthApplicationWithSecret = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  description: string | null
  kind: 'confidential' | 'public'
  redirect_uris: Array<string>
  permissions: Array<Permission>
  service_user_id: string | null
  status: 'active' | 'suspended'
  secret_last_four: string | null
  secret_created_at: string | null
  previous_secret_expires_at: string | null
  client_secret?: string
}

export type OAuthConfirm = {
  permissions?: Array<Permission>
}

export type OAuthConsent = {
  uid: string
  expires_at: string
  application: {
    id: string
    name: string
    description: string | null
    kind: 'confidential' | 'public'
  }
  redirect_uri: string
  user: {
    id: string
    name: string
    email: string
  }
  identity: Array<{
    scope: string
    description: string
  }>
  permissions: Array<{
    name: Permission
    description: string
    is_held: boolean
  }>
}

export type OAuthGrant = {
  id: string
  created_at: string
  application_id: string
  application_name: string
  permissions: Array<Permission>
  expires_at: string
  last_used_at: string | null
}

export type OAuthGrantCounts = Array<{
  application_id?: string | null
  count: number
}>

export type OAuthNext = {
  next: string
}

export type Occupant = {
  individual_id: string
  display_name: string
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  company: string | null
  space_id: string
  access_point_id: string | null
  since: string
}

export type OccupantCounts = Array<{
  individual_id?: string | null
  kind?: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service' | null
  space_id?: string | null
  access_point_id?: string | null
  count: number
}>

export type OffboardStep = {
  on?: unknown | unknown
}

export type OffboardedIndividual = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  given_name?: string
  family_name?: string
  display_name: string
  email?: string | null
  phone?: string | null
  personnel_number?: string | null
  company: string | null
  department?: string | null
  manager_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status: 'invited' | 'active' | 'suspended' | 'offboarded' | 'anonymised'
  valid_from?: string | null
  valid_until?: string | null
  offboard_at?: string | null
  valid_until_before?: string | null
  means?: Array<'grant' | 'group' | 'key'>
  credentials: Array<{
    id: string
    type: string
    label: string | null
    number: string | null
  }> | null
  access_grants: Array<{
    id: string
    effect: string
    target_name: string
    valid_until: string | null
  }> | null
  memberships: Array<{
    id: string
    access_group_id: string
    access_group_name: string
  }> | null
  keys_to_recover: Array<{
    id: string
    number: string
    key_type_code: string
    locking_system_name: string
    due_back_on: string | null
  }> | null
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
}

export type OpenableAccessPoint = {
  access_point_id: string
  name: string
  label: string
  place: string
  allowed: boolean
  reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  next_allowed_at: string | null
  holds_until: string | null
  grant_id: string | null
  means: Array<{
    type: 'key' | 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    id: string | null
    name: string | null
    ignores_rules: boolean
  }>
  path: Array<{
    type: 'individual' | 'access_group' | 'key' | 'location' | 'building' | 'space' | 'access_point'
    id: string
    name: string
  }> | null
}

export type OpenableAccessPointChange = {
  access_point_id: string
  name: string
  label: string
  place: string
  change: 'gained' | 'lost'
  allowed_before: boolean
  allowed_after: boolean
  reason_before: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  reason_after: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
}

export type Opener = {
  individual_id: string | null
  display_name: string
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  allowed: boolean
  reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  next_allowed_at: string | null
  holds_until: string | null
  grant_id: string | null
  means: Array<{
    type: 'key' | 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
    id: string | null
    name: string | null
    ignores_rules: boolean
  }>
  path: Array<{
    type: 'individual' | 'access_group' | 'key' | 'location' | 'building' | 'space' | 'access_point'
    id: string
    name: string
  }> | null
}

export type OpenerChange = {
  individual_id: string | null
  display_name: string
  kind: 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
  change: 'gained' | 'lost'
  allowed_before: boolean
  allowed_after: boolean
  reason_before: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
  reason_after: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down'
}

export type Organization = {
  id: string
  name: string
  time_zone: string
  language: 'en' | 'de'
  max_token_days: number
  require_second_factor: boolean
  status: 'active' | 'suspended'
  created_at: string
  updated_at: string
  version: number
}

export type OrganizationEnvironment = {
  base_url: string
  mail: {
    is_sent: boolean
    from: string | null
  }
  single_sign_on: Array<{
    name: string
    issuer: string
    joins_as: string | null
  }>
  trusted_issuers: Array<string>
  scim_makes_logins: boolean
  session: {
    hours: number
    idle_minutes: number
  }
  requests_per_minute: number
  kept_days: {
    audit_log: number
    access_events: number
    door_events: number
    system_events: number
  }
}

export type OrganizationPatch = {
  name?: string
  time_zone?: string
  language?: 'en' | 'de'
  max_token_days?: number
  require_second_factor?: boolean
}

export type Overview = {
  locations: {
    total: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  buildings: {
    total: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  spaces: {
    total: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  access_points: {
    total: number
    by_connectivity: {
      online: number
      offline: number
      never_connected: number
      unsupervised: number
    }
    in_alarm: number
    needs_service: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  access_control_systems: {
    total: number
    by_status: {
      pending_setup: number
      connected: number
      degraded: number
      disconnected: number
      disabled: number
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  individuals: {
    total: number
    by_status: {
      invited: number
      active: number
      suspended: number
      offboarded: number
      anonymised: number
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  credentials: {
    total: number
    by_status_type: {
      pending: number
      active: number
      suspended: number
      expired: number
      terminated: number
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  access_groups: {
    total: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  access_grants: {
    total: number
    by_status: {
      scheduled: number
      active: number
      expired: number
      revoked: number
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  locking_systems: {
    total: number
    by_status: {
      planned: number
      active: number
      retired: number
    }
    security_cards_expired: number
    security_cards_expiring_within_90_days: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  cylinders: {
    total: number
    by_status: {
      ordered: number
      in_stock: number
      installed: number
      defective: number
      retired: number
    }
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
  keys: {
    total: number
    by_status: {
      ordered: number
      in_stock: number
      issued: number
      lost: number
      stolen: number
      defective: number
      written_off: number
      destroyed: number
    }
    overdue: number
    limited_to?: Array<{
      location_id: string | null
      building_id: string | null
      name: string
    }>
  } | null
}

export type Passkey = {
  id: string
  created_at: string
  updated_at: string
  version: number
  name: string
  last_used_at: string | null
  is_synced: boolean
}

export type PasskeyCounts = Array<{
  is_synced?: boolean | null
  count: number
}>

export type PasskeyCreate = {
  name: string
  response: {
    id: string
    rawId: string
    type: string
    response: Record<string, unknown>
  }
}

export type PasskeyLogin = {
  response: {
    id: string
    rawId: string
    type: string
    response: Record<string, unknown>
  }
}

export type PasskeyOptions = {
  options: Record<string, unknown>
}

export type PasskeyPatch = {
  name?: string
}

export type PasswordChange = {
  new_password: string
  current_password?: string
}

export type PasswordConfirm = {
  password: string
}

export type PasswordReset = {
  token: string
  password: string
}

export type Permission = 'access-control-systems:read' | 'access-control-systems:simulate' | 'access-control-systems:write' | 'access-decisions:check' | 'access-decisions:check-pin' | 'access-events:read' | 'access-events:write' | 'access-grants:read' | 'access-grants:write' | 'access-groups:read' | 'access-groups:write' | 'access-points:audience' | 'access-points:read' | 'access-points:unlock' | 'access-points:write' | 'access-requests:read' | 'access-requests:write' | 'access-reviews:read' | 'access-reviews:write' | 'alarms:acknowledge' | 'alarms:read' | 'audit-log:read' | 'buildings:read' | 'buildings:write' | 'calendars:read' | 'calendars:write' | 'changes:read' | 'commands:read' | 'credentials:read' | 'credentials:write' | 'cylinders:read' | 'cylinders:write' | 'external-identities:read' | 'external-identities:write' | 'floor-plans:read' | 'floor-plans:write' | 'imports:read' | 'imports:write' | 'individuals:read' | 'individuals:write' | 'key-types:read' | 'key-types:write' | 'keys:handover' | 'keys:read' | 'keys:write' | 'locations:read' | 'locations:write' | 'locking-system:read' | 'locking-system:write' | 'lockdowns:evacuate' | 'lockdowns:read' | 'lockdowns:write' | 'oauth-applications:read' | 'oauth-applications:write' | 'organization:read' | 'organization:write' | 'presence:forgive' | 'presence:read' | 'role-assignments:read' | 'role-assignments:write' | 'roles:read' | 'roles:write' | 'schedules:read' | 'schedules:write' | 'scim:write' | 'service-users:read' | 'service-users:write' | 'spaces:read' | 'spaces:write' | 'tokens:read' | 'tokens:write' | 'users:read' | 'users:write' | 'webhooks:read' | 'webhooks:write' | 'visits:read' | 'visits:receive' | 'visits:write'

export type Permissions = Array<{
  name: string
  description: string
}>

export type RecoveryCodes = {
  mfa: boolean
  recovery_codes?: Array<string>
}

export type RekeyingPlan = {
  unaccounted_keys: number
  steps: Array<{
    cylinder_id: string
    number: string
    access_point: {
      id: string
      name: string | null
    }
    still_open: Array<{
      id: string
      name: string | null
    }>
    key_types: Array<{
      id: string
      code: string
    }> | null
    holders: number
    copies: number
  }> | null
  key_types: Array<{
    id: string
    code: string
  }> | null
  holders: number | null
  copies: number | null
  cost: number | null
  limited_to?: Array<{
    location_id: string | null
    building_id: string | null
    name: string
  }>
}

export type RemovalConfirmation = {
  removals: number
}

export type RemovalConfirmed = {
  removals: number
}

export type ReportedAccessEvent = {
  id: string
  sequence: number
  source_id?: string | null
  type?: 'access.granted' | 'access.denied' | 'access.taken' | 'access.not_taken' | 'access.duress' | 'door.opened' | 'door.closed' | 'door.forced' | 'door.held_open' | 'door.exit_requested' | 'door.blocked' | 'door.released' | 'door.tampered' | 'door.tamper_ended' | 'door.battery_low' | 'door.battery_ok' | 'door.fault' | 'door.fault_ended' | 'door.online' | 'door.offline' | 'lock.locked' | 'lock.unlocked' | 'lock.jammed' | 'system.online' | 'system.offline' | 'system.tampered' | 'system.tamper_ended' | 'system.power_lost' | 'system.power_restored' | 'system.restarted' | 'system.clock_set' | 'alarm.raised'
  result?: 'granted' | 'denied' | null
  reason?: string | null
  access_point_id?: string | null
  building_id?: string | null
  individual_id?: string | null
  credential_id?: string | null
  credential_number?: string | null
  access_control_system_id?: string | null
  command_id?: string | null
  direction?: 'in' | 'out' | null
  occurred_at?: string
  received_at?: string
  verdict?: 'agreed' | 'unexpected_grant' | 'unexpected_denial' | 'unknown'
  verdict_reason?: string | null
}

export type Role = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  description: string | null
  permissions: Array<Permission>
  requires_second_factor: boolean
  is_built_in: boolean
}

export type RoleAssignment = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  role_id: string
  role_name: string
  user_id: string | null
  user_name: string | null
  service_user_id: string | null
  service_user_name: string | null
  location_id: string | null
  building_id: string | null
}

export type RoleAssignmentBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: RoleAssignmentPut
    if_match?: string
  }>
  atomic?: boolean
}

export type RoleAssignmentBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: RoleAssignment
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type RoleAssignmentCounts = Array<{
  role_id?: string | null
  user_id?: string | null
  service_user_id?: string | null
  location_id?: string | null
  building_id?: string | null
  count: number
}>

export type RoleAssignmentCreate = {
  role_id: string
  user_id?: string | null
  service_user_id?: string | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type RoleAssignmentPut = {
  role_id?: string
  user_id?: string | null
  service_user_id?: string | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type RoleBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: RolePut
    if_match?: string
  }>
  atomic?: boolean
}

export type RoleBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Role
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type RoleCounts = Array<{
  requires_second_factor?: boolean | null
  is_built_in?: boolean | null
  count: number
}>

export type RoleCreate = {
  name: string
  description?: string | null
  permissions?: Array<Permission>
  requires_second_factor?: boolean
  external_id?: string | null
}

export type RolePatch = {
  name?: string
  description?: string | null
  permissions?: Array<Permission>
  requires_second_factor?: boolean
  external_id?: string | null
}

export type RolePut = {
  name?: string
  description?: string | null
  permissions?: Array<Permission>
  requires_second_factor?: boolean
  external_id?: string | null
}

export type Schedule = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  name: string
  description: string | null
  time_zone: string | null
  windows: Array<{
    days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>
    start: string
    end: string
  }>
  calendar_id: string | null
  on_holiday: 'closed' | 'as_usual' | 'windows'
  holiday_windows: Array<{
    start: string
    end: string
  }>
}

export type ScheduleBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: SchedulePut
    if_match?: string
  }>
  atomic?: boolean
}

export type ScheduleBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Schedule
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type ScheduleCounts = Array<{
  calendar_id?: string | null
  on_holiday?: 'closed' | 'as_usual' | 'windows' | null
  count: number
}>

export type ScheduleCreate = {
  name: string
  description?: string | null
  time_zone?: string | null
  windows?: Array<{
    days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>
    start: string
    end: string
  }>
  calendar_id?: string | null
  on_holiday?: 'closed' | 'as_usual' | 'windows'
  holiday_windows?: Array<{
    start: string
    end: string
  }>
  external_id?: string | null
}

export type SchedulePatch = {
  name?: string
  description?: string | null
  time_zone?: string | null
  windows?: Array<{
    days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>
    start: string
    end: string
  }>
  calendar_id?: string | null
  on_holiday?: 'closed' | 'as_usual' | 'windows'
  holiday_windows?: Array<{
    start: string
    end: string
  }>
  external_id?: string | null
}

export type SchedulePut = {
  name?: string
  description?: string | null
  time_zone?: string | null
  windows?: Array<{
    days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>
    start: string
    end: string
  }>
  calendar_id?: string | null
  on_holiday?: 'closed' | 'as_usual' | 'windows'
  holiday_windows?: Array<{
    start: string
    end: string
  }>
  external_id?: string | null
}

export type ScheduleState = {
  schedule_id: string
  time_zone: string
  at: string
  open: boolean
  from: string | null
  until: string | null
  next: string | null
  holiday: {
    date: string
    name: string
  } | null
  local: {
    at: string | null
    from: string | null
    until: string | null
    next: string | null
  }
}

export type ScheduleTimeline = {
  schedule_id: string
  time_zone: string
  from: string
  until: string
  spans: Array<{
    from: string
    until: string
    local_from: string
    local_until: string
    holiday: {
      date: string
      name: string
    } | null
    begins_before: boolean
    ends_after: boolean
  }>
  holidays: Array<{
    date: string
    name: string
  }>
  clock_changes: Array<{
    at: string
    local_before: string
    local_after: string
  }>
}

export type SecondFactor = {
  mfa: boolean
}

export type SecondFactorRemove = {
  passkeys?: boolean
}

export type ServiceUser = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  name: string
  description?: string | null
  status?: 'active' | 'suspended'
  last_used_at?: string | null
}

export type ServiceUserBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: ServiceUserPut
    if_match?: string
  }>
  atomic?: boolean
}

export type ServiceUserBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: ServiceUser
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type ServiceUserCounts = Array<{
  status?: 'active' | 'suspended' | null
  count: number
}>

export type ServiceUserCreate = {
  name: string
  description?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type ServiceUserPatch = {
  name?: string
  description?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type ServiceUserPut = {
  name?: string
  description?: string | null
  status?: 'active' | 'suspended'
  external_id?: string | null
}

export type Session = {
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  address: string | null
  user_agent: string | null
  factor: 'totp' | 'recovery_code' | 'passkey' | 'sign_on_mfa' | null
  is_current: boolean
}

export type SessionCounts = Array<{
  factor?: 'totp' | 'recovery_code' | 'passkey' | 'sign_on_mfa' | null
  count: number
}>

export type SessionsEnded = {
  ended: number
}

export type Setup = {
  token: string
  organization: string
  name: string
  email: string
  password: string
  time_zone?: string
}

export type SignOnAnswer = {
  url: string
}

export type SignOnBegin = {
  provider: string
  organization?: string
  invitation?: string
  return_to?: string
}

export type Simulator = {
  is_online: boolean
  is_powered: boolean
  clock: string
  clock_offset_ms: number
  drift_ppm: number
  faults: {
    lose_acknowledgements: boolean
    duplicate_events: boolean
    late_events: boolean
    read: 'works' | 'fails' | 'empty'
  }
  entries: {
    doors: number
    cards: number
    grants: number
    schedules: number
  } | null
  events_waiting: number | null
  decision: 'granted' | 'denied' | null
  reason: 'granted' | 'evacuation' | 'door_unlocked' | 'unknown_credential' | 'credential_unassigned' | 'credential_not_yet_active' | 'credential_expired' | 'credential_suspended' | 'credential_lost' | 'credential_stolen' | 'credential_terminated' | 'wrong_system' | 'no_reader' | 'no_credential' | 'max_uses' | 'incorrect_pin' | 'pin_required' | 'second_person_required' | 'no_escort' | 'individual_not_active' | 'individual_not_yet_valid' | 'individual_expired' | 'no_access_rights' | 'denied_by_rule' | 'out_of_time_range' | 'passback' | 'occupancy_limit' | 'point_blocked' | 'locked_down' | null
}

export type SimulatorAct = {
  action: 'go_online' | 'go_offline' | 'lose_power' | 'restore_power' | 'set_clock' | 'set_faults' | 'swipe' | 'push_button' | 'open' | 'force' | 'hold' | 'close'
  access_point_id?: string
  type?: 'card' | 'pin' | 'mobile' | 'transponder' | 'qr' | 'plate' | 'biometric'
  number?: string | null
  facility_code?: string | null
  pin?: string | null
  direction?: 'in' | 'out'
  passes?: boolean
  offset_ms?: number
  drift_ppm?: number
  faults?: {
    lose_acknowledgements?: boolean
    duplicate_events?: boolean
    late_events?: boolean
    read?: 'works' | 'fails' | 'empty'
  }
}

export type Space = {
  id: string
  building_id: string
  name: string
  location: string
  building: string
  slug: string
  area: string | null
  department: string | null
  access_points?: Array<{
    id: string
    name: string
    description: string
    label: string
  }>
  summary: {
    total_access_control_systems: number | null
    total_access_credentials: number | null
    total_access_points: number | null
    total_individuals: number | null
  }
  location_id: string
  floor: number | null
  description: string
  occupancy_limit: number | null
  passback: 'none' | 'soft' | 'hard' | 'timed'
  passback_minutes: number | null
  time_zone: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export type SpaceBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: SpacePut
    if_match?: string
  }>
  atomic?: boolean
}

export type SpaceBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: Space
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type SpaceCounts = Array<{
  building_id?: string | null
  passback?: 'none' | 'soft' | 'hard' | 'timed' | null
  count: number
}>

export type SpaceCreate = {
  building_id: string
  name: string
  slug?: string
  area?: string | null
  department?: string | null
  floor?: number | null
  description?: string
  occupancy_limit?: number | null
  passback?: 'none' | 'soft' | 'hard' | 'timed'
  passback_minutes?: number | null
  external_id?: string | null
}

export type SpaceListItem = {
  id: string
  building_id: string
  name: string
  location: string
  building: string
  slug: string
  area: string | null
  department: string | null
  access_points?: Array<{
    id: string
    name: string
    description: string
    label: string
  }>
  summary: {
    total_access_control_systems: number | null
    total_access_credentials: number | null
    total_access_points: number | null
    total_individuals: number | null
  }
}

export type SpaceListMeta = {
  pagination: {
    current_count: number
    current_page: number
    per_page: number
    total_pages: number
    total_items: number
  }
}

export type SpacePatch = {
  building_id?: string
  name?: string
  slug?: string
  area?: string | null
  department?: string | null
  floor?: number | null
  description?: string
  occupancy_limit?: number | null
  passback?: 'none' | 'soft' | 'hard' | 'timed'
  passback_minutes?: number | null
  external_id?: string | null
}

export type SpacePut = {
  building_id?: string
  name?: string
  slug?: string
  area?: string | null
  department?: string | null
  floor?: number | null
  description?: string
  occupancy_limit?: number | null
  passback?: 'none' | 'soft' | 'hard' | 'timed'
  passback_minutes?: number | null
  external_id?: string | null
}

export type Token = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  service_user_id: string
  name: string
  expires_at: string
  permissions: Array<Permission> | null
  addresses: Array<string> | null
  location_id: string | null
  building_id: string | null
  prefix: string
  last_four: string
  status: 'active' | 'expired' | 'revoked'
  last_used_at: string | null
  last_used_ip: string | null
  revoked_at: string | null
}

export type TokenBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: TokenPut
    if_match?: string
  }>
  atomic?: boolean
}

export type TokenBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: TokenCreated
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type TokenCounts = Array<{
  service_user_id?: string | null
  location_id?: string | null
  building_id?: string | null
  status?: 'active' | 'expired' | 'revoked' | null
  count: number
}>

export type TokenCreate = {
  name: string
  expires_at: string
  permissions?: Array<Permission> | null
  addresses?: Array<string> | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type TokenCreated = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  service_user_id: string
  name: string
  expires_at: string
  permissions: Array<Permission> | null
  addresses: Array<string> | null
  location_id: string | null
  building_id: string | null
  prefix: string
  last_four: string
  status: 'active' | 'expired' | 'revoked'
  last_used_at: string | null
  last_used_ip: string | null
  revoked_at: string | null
  value?: string
}

export type TokenPut = {
  name?: string
  expires_at?: string
  permissions?: Array<Permission> | null
  addresses?: Array<string> | null
  location_id?: string | null
  building_id?: string | null
  external_id?: string | null
}

export type TokenRotate = {
  expires_at: string
  grace_seconds?: number
}

export type TotpConfirm = {
  code: string
}

export type TotpEnrolment = {
  mfa: boolean
  secret?: string
  uri?: string
}

export type User = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  email?: string
  name: string
  status?: 'invited' | 'active' | 'suspended'
  language?: 'en' | 'de' | null
  last_login_at?: string | null
  mfa?: boolean
  passkeys?: number
}

export type UserBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: UserPut
    if_match?: string
  }>
  atomic?: boolean
}

export type UserBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: UserInvited
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type UserCounts = Array<{
  status?: 'invited' | 'active' | 'suspended' | null
  language?: 'en' | 'de' | null
  mfa?: boolean | null
  count: number
}>

export type UserCreate = {
  email: string
  name: string
  language?: 'en' | 'de' | null
  external_id?: string | null
}

export type UserInvited = {
  id: string
  external_id?: string | null
  created_at?: string
  updated_at?: string
  version?: number
  email?: string
  name: string
  status?: 'invited' | 'active' | 'suspended'
  language?: 'en' | 'de' | null
  last_login_at?: string | null
  mfa?: boolean
  passkeys?: number
  link?: string
  link_expires_at?: string
  mailed?: boolean
}

export type UserLink = {
  user_id: string
  link?: string
  link_expires_at: string
  mailed: boolean
}

export type UserPatch = {
  email?: string
  name?: string
  language?: 'en' | 'de' | null
  external_id?: string | null
}

export type UserPut = {
  email?: string
  name?: string
  language?: 'en' | 'de' | null
  external_id?: string | null
}

export type Visit = {
  id: string
  external_id: string | null
  created_at?: string
  updated_at?: string
  version?: number
  visitor_id: string
  host_id: string
  purpose: string | null
  valid_from: string
  valid_until: string
  credential_type: 'qr' | 'pin' | 'none'
  credential_id?: string | null
  places?: Array<{
    location_id?: string
    building_id?: string
    space_id?: string
    access_point_id?: string
  }>
  arrived_at: string | null
  left_at: string | null
  cancelled_at: string | null
  status: 'planned' | 'arrived' | 'left' | 'cancelled' | 'expired'
}

export type VisitBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: VisitPut
    if_match?: string
  }>
  atomic?: boolean
}

export type VisitBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: VisitMade
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type VisitCounts = Array<{
  visitor_id?: string | null
  host_id?: string | null
  credential_type?: 'qr' | 'pin' | 'none' | null
  credential_id?: string | null
  status?: 'planned' | 'arrived' | 'left' | 'cancelled' | 'expired' | null
  count: number
}>

export type VisitCreate = {
  visitor_id: string
  host_id: string
  valid_from: string
  valid_until: string
  places: Array<{
    location_id?: string
    building_id?: string
    space_id?: string
    access_point_id?: string
  }>
  purpose?: string | null
  credential_type?: 'qr' | 'pin' | 'none'
  external_id?: string | null
}

export type VisitMade = {
  id: string
  external_id: string | null
  created_at?: string
  updated_at?: string
  version?: number
  visitor_id: string
  host_id: string
  purpose: string | null
  valid_from: string
  valid_until: string
  credential_type: 'qr' | 'pin' | 'none'
  credential_id?: string | null
  places?: Array<{
    location_id?: string
    building_id?: string
    space_id?: string
    access_point_id?: string
  }>
  arrived_at: string | null
  left_at: string | null
  cancelled_at: string | null
  status: 'planned' | 'arrived' | 'left' | 'cancelled' | 'expired'
  pin?: string
}

export type VisitPatch = {
  host_id?: string
  purpose?: string | null
  external_id?: string | null
}

export type VisitPut = {
  visitor_id?: string
  host_id?: string
  purpose?: string | null
  valid_from?: string
  valid_until?: string
  credential_type?: 'qr' | 'pin' | 'none'
  places?: Array<{
    location_id?: string
    building_id?: string
    space_id?: string
    access_point_id?: string
  }>
  external_id?: string | null
}

export type VisitQrCode = {
  svg: string
  png: string
}

export type Webhook = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  url: string
  types: Array<string>
  description: string | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  user_id: string | null
  service_user_id: string | null
  failure_count: number
  failing_since: string | null
  next_attempt_at: string | null
  last_delivered_at: string | null
  blocked_reason: 'owner_suspended' | 'owner_lacks_permission' | null
}

export type WebhookBatch = {
  operations: Array<{
    op: 'create' | 'upsert' | 'update' | 'delete'
    id?: string
    external_id?: string
    body?: WebhookPut
    if_match?: string
  }>
  atomic?: boolean
}

export type WebhookBatchResults = {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: Array<{
    status: number
    outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
    data?: WebhookWithSecret
    msg?: string
    error?: {
      code: string
      docs: string
      req_id: string
      reason?: string
      details?: Array<Record<string, unknown>>
    }
  }>
}

export type WebhookCounts = Array<{
  status?: 'active' | 'disabled' | null
  user_id?: string | null
  service_user_id?: string | null
  blocked_reason?: 'owner_suspended' | 'owner_lacks_permission' | null
  count: number
}>

export type WebhookCreate = {
  url: string
  types: Array<string>
  description?: string | null
  status?: 'active' | 'disabled'
  external_id?: string | null
}

export type WebhookDelivery = {
  id: string
  webhook_id: string
  attempted_at: string
  feed: string | null
  sequence: number | null
  message_id: string
  type: string
  attempt: number
  result: 'delivered' | 'failed'
  status_code: number | null
  response: string | null
  error: string | null
  duration_ms: number
}

export type WebhookDeliveryCounts = Array<{
  webhook_id?: string | null
  result?: 'delivered' | 'failed' | null
  count: number
}>

export type WebhookPatch = {
  url?: string
  types?: Array<string>
  description?: string | null
  status?: 'active' | 'disabled'
  external_id?: string | null
}

export type WebhookPut = {
  url?: string
  types?: Array<string>
  description?: string | null
  status?: 'active' | 'disabled'
  external_id?: string | null
}

export type WebhookReplay = {
  after: number
  feed?: string
}

export type WebhookTest = {
  result: 'delivered' | 'failed'
  status_code: number | null
  response: string | null
  error: string | null
  duration_ms: number
}

export type WebhookWithSecret = {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  url: string
  types: Array<string>
  description: string | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  user_id: string | null
  service_user_id: string | null
  failure_count: number
  failing_since: string | null
  next_attempt_at: string | null
  last_delivered_at: string | null
  blocked_reason: 'owner_suspended' | 'owner_lacks_permission' | null
  secret?: string
}
