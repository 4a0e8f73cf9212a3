// Made from docs/openapi.json by packages/client/generate.ts; not to be edited.
import type * as S from './schemas.ts'

/** One condition such as `eq.active`, or several that must all hold. */
export type Filter = string | readonly string[]

export interface Paths {
  '/api/v1/overview': {
    /** Get the overview. */
    GET: {
      data: S.Overview
    }
  }
  '/api/v1/locations': {
    /** List locations. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; parent_id?: Filter; name?: Filter; slug?: Filter; address?: Filter; time_zone?: Filter; latitude?: Filter; longitude?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Location>
      meta: S.ListMeta
      text: string
    }
    /** Create a location. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LocationCreate
      data: S.Location
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locations/batch': {
    /** Create, change and delete many locations. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LocationBatch
      data: S.LocationBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locations/by-external-id/{external_id}': {
    /** Get a location by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Location
    }
    /** Create or change a location by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.LocationPut
      data: S.Location
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locations/summary': {
    /** Count locations. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; parent_id?: Filter; name?: Filter; slug?: Filter; address?: Filter; time_zone?: Filter; latitude?: Filter; longitude?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.LocationCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/locations/{id}': {
    /** Get a location. */
    GET: {
      path: { id: string }
      data: S.Location
    }
    /** Change a location. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.LocationPatch
      data: S.Location
      meta?: S.DryRunMeta
    }
    /** Delete a location. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Location
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/buildings': {
    /** List buildings. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; location_id?: Filter; parent_id?: Filter; name?: Filter; slug?: Filter; address?: Filter; time_zone?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Building>
      meta: S.ListMeta
      text: string
    }
    /** Create a building. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.BuildingCreate
      data: S.Building
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/buildings/batch': {
    /** Create, change and delete many buildings. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.BuildingBatch
      data: S.BuildingBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/buildings/by-external-id/{external_id}': {
    /** Get a building by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Building
    }
    /** Create or change a building by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.BuildingPut
      data: S.Building
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/buildings/summary': {
    /** Count buildings. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; location_id?: Filter; parent_id?: Filter; name?: Filter; slug?: Filter; address?: Filter; time_zone?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.BuildingCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/buildings/{id}': {
    /** Get a building. */
    GET: {
      path: { id: string }
      data: S.Building
    }
    /** Change a building. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.BuildingPatch
      data: S.Building
      meta?: S.DryRunMeta
    }
    /** Delete a building. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Building
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/spaces': {
    /** List spaces. */
    GET: {
      query?: { page?: number; limit?: number; search?: string; location_id?: string; building_id?: string; space_ids?: string; is_include_others?: boolean }
      data: Array<S.SpaceListItem>
      meta: S.SpaceListMeta
    }
    /** Create a space. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.SpaceCreate
      data: S.Space
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/spaces/batch': {
    /** Create, change and delete many spaces. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.SpaceBatch
      data: S.SpaceBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/spaces/by-external-id/{external_id}': {
    /** Get a space by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Space
    }
    /** Create or change a space by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.SpacePut
      data: S.Space
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/spaces/records': {
    /** List spaces with every field. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; building_id?: Filter; name?: Filter; slug?: Filter; area?: Filter; department?: Filter; floor?: Filter; description?: Filter; occupancy_limit?: Filter; passback?: Filter; passback_minutes?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Space>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/spaces/summary': {
    /** Count spaces. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; building_id?: Filter; name?: Filter; slug?: Filter; area?: Filter; department?: Filter; floor?: Filter; description?: Filter; occupancy_limit?: Filter; passback?: Filter; passback_minutes?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.SpaceCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/spaces/{id}': {
    /** Get a space. */
    GET: {
      path: { id: string }
      data: S.Space
    }
    /** Change a space. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.SpacePatch
      data: S.Space
      meta?: S.DryRunMeta
    }
    /** Delete a space. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Space
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/spaces/{id}/who-can-enter': {
    /** List who can enter a space. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; at?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; display_name?: Filter; kind?: Filter; access_point_id?: Filter; allowed?: Filter; reason?: Filter; next_allowed_at?: Filter; holds_until?: Filter; grant_id?: Filter }
      data: Array<S.Entrant>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/spaces/{id}/who-can-enter/changes': {
    /** List who can enter a space: what changed between two moments. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; from?: string; to?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; display_name?: Filter; kind?: Filter; change?: Filter; allowed_before?: Filter; allowed_after?: Filter; reason_before?: Filter; reason_after?: Filter }
      data: Array<S.EntrantChange>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/access-points': {
    /** List access points. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; space_id?: Filter; from_space_id?: Filter; name?: Filter; description?: Filter; label?: Filter; kind?: Filter; floor?: Filter; manufacturer?: Filter; model?: Filter; access_control_system_id?: Filter; direction?: Filter; emergency_exit?: Filter; unlock_seconds?: Filter; held_open_seconds?: Filter; unlock_schedule_id?: Filter; first_person_in?: Filter; building_id?: Filter; mode?: Filter; lock_state?: Filter; position?: Filter; connectivity?: Filter; in_alarm?: Filter; needs_service?: Filter; state_changed_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessPoint>
      meta: S.ListMeta
      text: string
    }
    /** Create an access point. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessPointCreate
      data: S.AccessPoint
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/batch': {
    /** Create, change and delete many access points. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessPointBatch
      data: S.AccessPointBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/by-external-id/{external_id}': {
    /** Get an access point by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessPoint
    }
    /** Create or change an access point by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessPointPut
      data: S.AccessPoint
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/summary': {
    /** Count access points. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; space_id?: Filter; from_space_id?: Filter; name?: Filter; description?: Filter; label?: Filter; kind?: Filter; floor?: Filter; manufacturer?: Filter; model?: Filter; access_control_system_id?: Filter; direction?: Filter; emergency_exit?: Filter; unlock_seconds?: Filter; held_open_seconds?: Filter; unlock_schedule_id?: Filter; first_person_in?: Filter; building_id?: Filter; mode?: Filter; lock_state?: Filter; position?: Filter; connectivity?: Filter; in_alarm?: Filter; needs_service?: Filter; state_changed_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessPointCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-points/{id}': {
    /** Get an access point. */
    GET: {
      path: { id: string }
      data: S.AccessPoint
    }
    /** Change an access point. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessPointPatch
      data: S.AccessPoint
      meta?: S.DryRunMeta
    }
    /** Delete an access point. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessPoint
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/{id}/sync': {
    /** Get whether the devices hold what this access point says. */
    GET: {
      path: { id: string }
      data: S.AccessPointSync
    }
  }
  '/api/v1/access-points/{id}/who-can-open': {
    /** List who can open an access point. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; at?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; display_name?: Filter; kind?: Filter; allowed?: Filter; reason?: Filter; next_allowed_at?: Filter; holds_until?: Filter; grant_id?: Filter }
      data: Array<S.Opener>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/access-points/{id}/who-can-open/changes': {
    /** List who can open an access point: what changed between two moments. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; from?: string; to?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; display_name?: Filter; kind?: Filter; change?: Filter; allowed_before?: Filter; allowed_after?: Filter; reason_before?: Filter; reason_after?: Filter }
      data: Array<S.OpenerChange>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/locking-system': {
    /** List locking systems. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; number?: Filter; manufacturer?: Filter; product?: Filter; kind?: Filter; hierarchy?: Filter; status?: Filter; location_id?: Filter; building_id?: Filter; security_card_number?: Filter; security_card_expires_on?: Filter; installed_on?: Filter; description?: Filter; cylinder_count?: Filter; key_count?: Filter; keys_issued_count?: Filter; keys_lost_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.LockingSystem>
      meta: S.ListMeta
      text: string
    }
    /** Create a locking system. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LockingSystemCreate
      data: S.LockingSystem
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locking-system/batch': {
    /** Create, change and delete many locking systems. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LockingSystemBatch
      data: S.LockingSystemBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locking-system/by-external-id/{external_id}': {
    /** Get a locking system by your own key. */
    GET: {
      path: { external_id: string }
      data: S.LockingSystem
    }
    /** Create or change a locking system by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.LockingSystemPut
      data: S.LockingSystem
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locking-system/overview': {
    /** Get the overview of locking systems. */
    GET: {
      data: S.LockingSystemOverview
    }
    /** Get the overview of locking systems, by POST. */
    POST: {
      data: S.LockingSystemOverview
    }
  }
  '/api/v1/locking-system/summary': {
    /** Count locking systems. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; name?: Filter; number?: Filter; manufacturer?: Filter; product?: Filter; kind?: Filter; hierarchy?: Filter; status?: Filter; location_id?: Filter; building_id?: Filter; security_card_number?: Filter; security_card_expires_on?: Filter; installed_on?: Filter; description?: Filter; cylinder_count?: Filter; key_count?: Filter; keys_issued_count?: Filter; keys_lost_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.LockingSystemCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/locking-system/{id}': {
    /** Get a locking system. */
    GET: {
      path: { id: string }
      data: S.LockingSystem
    }
    /** Change a locking system. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.LockingSystemPatch
      data: S.LockingSystem
      meta?: S.DryRunMeta
    }
    /** Delete a locking system. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.LockingSystem
      meta?: S.DryRunMeta
    }
  }
  '/v1/core/locking-system': {
    /** List locking systems (core). */
    GET: {
      query?: { page?: number; limit?: number; order?: string }
      data: Array<S.LockingSystem>
      meta: S.LockingSystemListMeta
    }
  }
  '/api/v1/cylinders': {
    /** List cylinders. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; locking_system_id?: Filter; number?: Filter; label?: Filter; type?: Filter; outside_mm?: Filter; inside_mm?: Filter; access_point_id?: Filter; installed_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Cylinder>
      meta: S.ListMeta
      text: string
    }
    /** Create a cylinder. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CylinderCreate
      data: S.Cylinder
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/cylinders/batch': {
    /** Create, change and delete many cylinders. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CylinderBatch
      data: S.CylinderBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/cylinders/by-external-id/{external_id}': {
    /** Get a cylinder by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Cylinder
    }
    /** Create or change a cylinder by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.CylinderPut
      data: S.Cylinder
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/cylinders/summary': {
    /** Count cylinders. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; locking_system_id?: Filter; number?: Filter; label?: Filter; type?: Filter; outside_mm?: Filter; inside_mm?: Filter; access_point_id?: Filter; installed_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.CylinderCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/cylinders/{id}': {
    /** Get a cylinder. */
    GET: {
      path: { id: string }
      data: S.Cylinder
    }
    /** Change a cylinder. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.CylinderPatch
      data: S.Cylinder
      meta?: S.DryRunMeta
    }
    /** Delete a cylinder. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Cylinder
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-types': {
    /** List key types. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; locking_system_id?: Filter; code?: Filter; name?: Filter; parent_id?: Filter; key_count?: Filter; keys_issued_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.KeyType>
      meta: S.ListMeta
      text: string
    }
    /** Create a key type. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyTypeCreate
      data: S.KeyType
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-types/batch': {
    /** Create, change and delete many key types. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyTypeBatch
      data: S.KeyTypeBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-types/by-external-id/{external_id}': {
    /** Get a key type by your own key. */
    GET: {
      path: { external_id: string }
      data: S.KeyType
    }
    /** Create or change a key type by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.KeyTypePut
      data: S.KeyType
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-types/summary': {
    /** Count key types. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; locking_system_id?: Filter; code?: Filter; name?: Filter; parent_id?: Filter; key_count?: Filter; keys_issued_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.KeyTypeCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/key-types/{id}': {
    /** Get a key type. */
    GET: {
      path: { id: string }
      data: S.KeyType
    }
    /** Change a key type. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.KeyTypePatch
      data: S.KeyType
      meta?: S.DryRunMeta
    }
    /** Delete a key type. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.KeyType
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locking-system/{id}/plan': {
    /** Get a locking plan. */
    GET: {
      path: { id: string }
      query?: { format?: 'json' | 'csv' | 'xlsx' }
      data: S.LockingPlan
      text: string
    }
  }
  '/api/v1/locking-system/{id}/plan/cells': {
    /** Set and clear cells of a locking plan. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.LockingPlanChange
      data: S.LockingPlanChanged
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/locking-system/{id}/plan/import': {
    /** Import a locking plan. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.LockingPlanRows | string
      data: S.LockingPlanChanged
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys': {
    /** List keys. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; key_type_id?: Filter; key_type_code?: Filter; number?: Filter; status?: Filter; individual_id?: Filter; storage?: Filter; due_back_on?: Filter; status_since?: Filter; status_note?: Filter; locking_system_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Key>
      meta: S.ListMeta
      text: string
    }
    /** Create a key. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyCreate
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/batch': {
    /** Create, change and delete many keys. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyBatch
      data: S.KeyBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/by-external-id/{external_id}': {
    /** Get a key by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Key
    }
    /** Create or change a key by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.KeyPut
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/issue': {
    /** Issue several keys at once. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeysIssue
      data: S.HandedOverKeys
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/return': {
    /** Take back several keys at once. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeysReturn
      data: S.HandedOverKeys
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/summary': {
    /** Count keys. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; key_type_id?: Filter; key_type_code?: Filter; number?: Filter; status?: Filter; individual_id?: Filter; storage?: Filter; due_back_on?: Filter; status_since?: Filter; status_note?: Filter; locking_system_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.KeyCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/keys/{id}': {
    /** Get a key. */
    GET: {
      path: { id: string }
      data: S.Key
    }
    /** Change a key. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.KeyPatch
      data: S.Key
      meta?: S.DryRunMeta
    }
    /** Delete a key. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/destroy': {
    /** Destroy a defective key. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStep
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/found': {
    /** Report a lost key found. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStored
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/issue': {
    /** Issue a key. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.KeyIssue
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/mark-defective': {
    /** Mark a key defective. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStored
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/opens': {
    /** Get what a key opens. */
    GET: {
      path: { id: string }
      data: S.KeyReach
    }
  }
  '/api/v1/keys/{id}/receive': {
    /** Receive an ordered key. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStored
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/rekeying-plan': {
    /** Get the re-keying plan of a lost key. */
    GET: {
      path: { id: string }
      query?: { cost_per_cylinder?: number }
      data: S.RekeyingPlan
    }
  }
  '/api/v1/keys/{id}/report-lost': {
    /** Report a key lost. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStep
      data: S.KeyLoss
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/report-stolen': {
    /** Report a key stolen. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStep
      data: S.KeyLoss
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/return': {
    /** Take back a key. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyReturn
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/keys/{id}/write-off': {
    /** Write off a key. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.KeyStep
      data: S.Key
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-handovers': {
    /** List key handovers. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; key_id?: Filter; individual_id?: Filter; issued_at?: Filter; due_back_on?: Filter; returned_at?: Filter; purpose?: Filter; deposit_amount?: Filter; condition?: Filter; issued_by?: Filter; outcome?: Filter; ended_at?: Filter; return_condition?: Filter; received_by?: Filter; receipt_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.KeyHandover>
      meta: S.ListMeta
      text: string
    }
    /** Issue a key by its entry in the register. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyHandoverCreate
      data: S.KeyHandover
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-handovers/batch': {
    /** Create, change and delete many key handovers. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.KeyHandoverBatch
      data: S.KeyHandoverBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-handovers/by-external-id/{external_id}': {
    /** Get a key handover by your own key. */
    GET: {
      path: { external_id: string }
      data: S.KeyHandover
    }
    /** Create or change a key handover by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.KeyHandoverPut
      data: S.KeyHandover
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/key-handovers/summary': {
    /** Count key handovers. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; key_id?: Filter; individual_id?: Filter; issued_at?: Filter; due_back_on?: Filter; returned_at?: Filter; purpose?: Filter; deposit_amount?: Filter; condition?: Filter; issued_by?: Filter; outcome?: Filter; ended_at?: Filter; return_condition?: Filter; received_by?: Filter; receipt_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.KeyHandoverCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/key-handovers/{id}': {
    /** Get a key handover. */
    GET: {
      path: { id: string }
      data: S.KeyHandover
    }
  }
  '/api/v1/key-handovers/{id}/receipt': {
    /** Get a key receipt as PDF. */
    GET: {
      path: { id: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/access-control-systems': {
    /** List access control systems. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; kind?: Filter; vendor?: Filter; model?: Filter; location_id?: Filter; time_zone?: Filter; status?: Filter; last_seen_at?: Filter; connectivity?: Filter; clock_offset_ms?: Filter; last_sync_at?: Filter; description?: Filter; access_point_count?: Filter; credential_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessControlSystem>
      meta: S.ListMeta
      text: string
    }
    /** Create an access control system. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessControlSystemCreate
      data: S.AccessControlSystem
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/batch': {
    /** Create, change and delete many access control systems. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessControlSystemBatch
      data: S.AccessControlSystemBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/by-external-id/{external_id}': {
    /** Get an access control system by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessControlSystem
    }
    /** Create or change an access control system by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessControlSystemPut
      data: S.AccessControlSystem
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/overview': {
    /** Get the overview of access control systems. */
    GET: {
      data: S.AccessControlSystemsOverview
    }
  }
  '/api/v1/access-control-systems/summary': {
    /** Count access control systems. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; name?: Filter; kind?: Filter; vendor?: Filter; model?: Filter; location_id?: Filter; time_zone?: Filter; status?: Filter; last_seen_at?: Filter; connectivity?: Filter; clock_offset_ms?: Filter; last_sync_at?: Filter; description?: Filter; access_point_count?: Filter; credential_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessControlSystemCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-control-systems/{id}': {
    /** Get an access control system. */
    GET: {
      path: { id: string }
      data: S.AccessControlSystem
    }
    /** Change an access control system. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessControlSystemPatch
      data: S.AccessControlSystem
      meta?: S.DryRunMeta
    }
    /** Delete an access control system. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessControlSystem
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/{id}/confirm-removal': {
    /** Confirm that much is removed from a device. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.RemovalConfirmation
      data: S.RemovalConfirmed
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/{id}/simulator': {
    /** Get the virtual controller of a simulator. */
    GET: {
      path: { id: string }
      data: S.Simulator
    }
    /** Play something at a simulator. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.SimulatorAct
      data: S.Simulator
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-control-systems/{id}/sync': {
    /** Get whether the devices hold what this access control system says. */
    GET: {
      path: { id: string }
      data: S.AccessControlSystemSync
    }
  }
  '/api/v1/individuals': {
    /** List individuals. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; kind?: Filter; given_name?: Filter; family_name?: Filter; display_name?: Filter; email?: Filter; phone?: Filter; personnel_number?: Filter; company?: Filter; department?: Filter; manager_id?: Filter; location_id?: Filter; building_id?: Filter; status?: Filter; valid_from?: Filter; valid_until?: Filter; offboard_at?: Filter; valid_until_before?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Individual>
      meta: S.ListMeta
      text: string
    }
    /** Create an individual. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.IndividualCreate
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/batch': {
    /** Create, change and delete many individuals. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.IndividualBatch
      data: S.IndividualBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/by-external-id/{external_id}': {
    /** Get an individual by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Individual
    }
    /** Create or change an individual by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.IndividualPut
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/summary': {
    /** Count individuals. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; kind?: Filter; given_name?: Filter; family_name?: Filter; display_name?: Filter; email?: Filter; phone?: Filter; personnel_number?: Filter; company?: Filter; department?: Filter; manager_id?: Filter; location_id?: Filter; building_id?: Filter; status?: Filter; valid_from?: Filter; valid_until?: Filter; offboard_at?: Filter; valid_until_before?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.IndividualCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/individuals/{id}': {
    /** Get an individual. */
    GET: {
      path: { id: string }
      data: S.Individual
    }
    /** Change an individual. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.IndividualPatch
      data: S.Individual
      meta?: S.DryRunMeta
    }
    /** Delete an individual. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/anonymise': {
    /** Anonymise an individual. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/can-open': {
    /** List what an individual can open. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; at?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; access_point_id?: Filter; name?: Filter; label?: Filter; place?: Filter; allowed?: Filter; reason?: Filter; next_allowed_at?: Filter; holds_until?: Filter; grant_id?: Filter }
      data: Array<S.OpenableAccessPoint>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/individuals/{id}/can-open/changes': {
    /** List what an individual can open: what changed between two moments. */
    GET: {
      path: { id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; from?: string; to?: string; as_of?: string; format?: 'csv' | 'xlsx' | 'ndjson'; access_point_id?: Filter; name?: Filter; label?: Filter; place?: Filter; change?: Filter; allowed_before?: Filter; allowed_after?: Filter; reason_before?: Filter; reason_after?: Filter }
      data: Array<S.OpenableAccessPointChange>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/individuals/{id}/forgive': {
    /** Forgive a passback. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/offboard': {
    /** Offboard an individual. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.OffboardStep
      data: S.OffboardedIndividual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/reactivate': {
    /** Activate an individual. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/suspend': {
    /** Suspend an individual. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/individuals/{id}/take-back-offboarding': {
    /** Take back a planned offboarding. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Individual
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/card-numbers/decode': {
    /** Decode a card number. */
    POST: {
      body: S.CardNumberText
      data: S.DecodedCardNumber
    }
  }
  '/api/v1/credentials': {
    /** List credentials. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: string; individual_id?: Filter; access_control_system_id?: Filter; type?: Filter; label?: Filter; number?: Filter; facility_code?: Filter; match_key?: Filter; has_pin?: Filter; valid_from?: Filter; valid_until?: Filter; max_uses?: Filter; use_count?: Filter; last_used_at?: Filter; status_reason?: Filter; status_type?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Credential>
      meta: S.ListMeta
      text: string
    }
    /** Create a credential. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CredentialCreate
      data: S.Credential
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/credentials/batch': {
    /** Create, change and delete many credentials. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CredentialBatch
      data: S.CredentialBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/credentials/by-external-id/{external_id}': {
    /** Get a credential by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Credential
    }
    /** Create or change a credential by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.CredentialPut
      data: S.Credential
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/credentials/summary': {
    /** Count credentials. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; individual_id?: Filter; access_control_system_id?: Filter; type?: Filter; label?: Filter; number?: Filter; facility_code?: Filter; format?: Filter; match_key?: Filter; has_pin?: Filter; valid_from?: Filter; valid_until?: Filter; max_uses?: Filter; use_count?: Filter; last_used_at?: Filter; status_reason?: Filter; status_type?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.CredentialCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/credentials/{id}': {
    /** Get a credential. */
    GET: {
      path: { id: string }
      data: S.Credential
    }
    /** Change a credential. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.CredentialPatch
      data: S.Credential
      meta?: S.DryRunMeta
    }
    /** Delete a credential. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Credential
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/credentials/{id}/found': {
    /** Report a lost or stolen credential found. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Credential
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups': {
    /** List access groups. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; location_id?: Filter; building_id?: Filter; member_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessGroup>
      meta: S.ListMeta
      text: string
    }
    /** Create an access group. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessGroupCreate
      data: S.AccessGroup
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/batch': {
    /** Create, change and delete many access groups. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessGroupBatch
      data: S.AccessGroupBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/by-external-id/{external_id}': {
    /** Get an access group by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessGroup
    }
    /** Create or change an access group by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupPut
      data: S.AccessGroup
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/summary': {
    /** Count access groups. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; name?: Filter; description?: Filter; location_id?: Filter; building_id?: Filter; member_count?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessGroupCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-groups/{id}': {
    /** Get an access group. */
    GET: {
      path: { id: string }
      data: S.AccessGroup
    }
    /** Change an access group. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupPatch
      data: S.AccessGroup
      meta?: S.DryRunMeta
    }
    /** Delete an access group. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessGroup
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-group-members': {
    /** List the members of all access groups. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; access_group_id?: Filter; individual_id?: Filter; valid_from?: Filter; valid_until?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessGroupMember>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/access-group-members/summary': {
    /** Count access group members. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; access_group_id?: Filter; individual_id?: Filter; valid_from?: Filter; valid_until?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessGroupMemberCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members': {
    /** List access group members. */
    GET: {
      path: { access_group_id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; access_group_id?: Filter; individual_id?: Filter; valid_from?: Filter; valid_until?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessGroupMember>
      meta: S.ListMeta
      text: string
    }
    /** Create an access group member. */
    POST: {
      path: { access_group_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMemberCreate
      data: S.AccessGroupMember
      meta?: S.DryRunMeta
    }
    /** Set the members of an access group. */
    PUT: {
      path: { access_group_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMemberSet
      data: S.AccessGroupMembersChanged
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/add': {
    /** Add members to an access group. */
    POST: {
      path: { access_group_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMembersAdded
      data: S.AccessGroupMembersChanged
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/batch': {
    /** Create, change and delete many access group members. */
    POST: {
      path: { access_group_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMemberBatch
      data: S.AccessGroupMemberBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/by-external-id/{external_id}': {
    /** Get an access group member by your own key. */
    GET: {
      path: { access_group_id: string; external_id: string }
      data: S.AccessGroupMember
    }
    /** Create or change an access group member by your own key. */
    PUT: {
      path: { access_group_id: string; external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMemberPut
      data: S.AccessGroupMember
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/remove': {
    /** Remove members from an access group. */
    POST: {
      path: { access_group_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMembersRemoved
      data: S.AccessGroupMembersChanged
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/summary': {
    /** Count access group members. */
    GET: {
      path: { access_group_id: string }
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; access_group_id?: Filter; individual_id?: Filter; valid_from?: Filter; valid_until?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessGroupMemberCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-groups/{access_group_id}/members/{id}': {
    /** Get an access group member. */
    GET: {
      path: { access_group_id: string; id: string }
      data: S.AccessGroupMember
    }
    /** Change an access group member. */
    PATCH: {
      path: { access_group_id: string; id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGroupMemberPatch
      data: S.AccessGroupMember
      meta?: S.DryRunMeta
    }
    /** Delete an access group member. */
    DELETE: {
      path: { access_group_id: string; id: string }
      query?: { dry_run?: boolean }
      data: S.AccessGroupMember
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/calendars': {
    /** List calendars. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; region?: Filter; day_count?: Filter; last_day?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Calendar>
      meta: S.ListMeta
      text: string
    }
    /** Create a calendar. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CalendarCreate
      data: S.Calendar
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/calendars/batch': {
    /** Create, change and delete many calendars. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CalendarBatch
      data: S.CalendarBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/calendars/by-external-id/{external_id}': {
    /** Get a calendar by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Calendar
    }
    /** Create or change a calendar by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.CalendarPut
      data: S.Calendar
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/calendars/regions': {
    /** List the regions whose holidays are known. */
    GET: {
      data: S.CalendarRegions
    }
  }
  '/api/v1/calendars/summary': {
    /** Count calendars. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; description?: Filter; region?: Filter; day_count?: Filter; last_day?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.CalendarCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/calendars/{id}': {
    /** Get a calendar. */
    GET: {
      path: { id: string }
      data: S.Calendar
    }
    /** Change a calendar. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.CalendarPatch
      data: S.Calendar
      meta?: S.DryRunMeta
    }
    /** Delete a calendar. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Calendar
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/calendars/{id}/fill': {
    /** Fill a calendar with holidays. */
    POST: {
      path: { id: string }
      query?: { from_year?: number; to_year?: number; dry_run?: boolean }
      body: S.CalendarFill | string
      data: S.CalendarFilling
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/schedules': {
    /** List schedules. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; time_zone?: Filter; calendar_id?: Filter; on_holiday?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Schedule>
      meta: S.ListMeta
      text: string
    }
    /** Create a schedule. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ScheduleCreate
      data: S.Schedule
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/schedules/batch': {
    /** Create, change and delete many schedules. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ScheduleBatch
      data: S.ScheduleBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/schedules/by-external-id/{external_id}': {
    /** Get a schedule by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Schedule
    }
    /** Create or change a schedule by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.SchedulePut
      data: S.Schedule
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/schedules/summary': {
    /** Count schedules. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; description?: Filter; time_zone?: Filter; calendar_id?: Filter; on_holiday?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.ScheduleCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/schedules/{id}': {
    /** Get a schedule. */
    GET: {
      path: { id: string }
      data: S.Schedule
    }
    /** Change a schedule. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.SchedulePatch
      data: S.Schedule
      meta?: S.DryRunMeta
    }
    /** Delete a schedule. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Schedule
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/schedules/{id}/state': {
    /** Is a schedule open at an instant?. */
    GET: {
      path: { id: string }
      query?: { at?: string; time_zone?: string }
      data: S.ScheduleState
    }
  }
  '/api/v1/schedules/{id}/timeline': {
    /** When is a schedule open?. */
    GET: {
      path: { id: string }
      query?: { from?: string; days?: number; time_zone?: string }
      data: S.ScheduleTimeline
    }
  }
  '/api/v1/access-grants': {
    /** List access grants. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; access_group_id?: Filter; access_point_id?: Filter; space_id?: Filter; building_id?: Filter; location_id?: Filter; schedule_id?: Filter; valid_from?: Filter; valid_until?: Filter; effect?: Filter; requires_pin?: Filter; requires_second_person?: Filter; during_lockdown?: Filter; reason?: Filter; revoked_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessGrant>
      meta: S.ListMeta
      text: string
    }
    /** Create an access grant. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessGrantCreate
      data: S.AccessGrant
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-grants/batch': {
    /** Create, change and delete many access grants. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessGrantBatch
      data: S.AccessGrantBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-grants/by-external-id/{external_id}': {
    /** Get an access grant by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessGrant
    }
    /** Create or change an access grant by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGrantPut
      data: S.AccessGrant
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-grants/summary': {
    /** Count access grants. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; individual_id?: Filter; access_group_id?: Filter; access_point_id?: Filter; space_id?: Filter; building_id?: Filter; location_id?: Filter; schedule_id?: Filter; valid_from?: Filter; valid_until?: Filter; effect?: Filter; requires_pin?: Filter; requires_second_person?: Filter; during_lockdown?: Filter; reason?: Filter; revoked_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessGrantCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-grants/{id}': {
    /** Get an access grant. */
    GET: {
      path: { id: string }
      data: S.AccessGrant
    }
    /** Change an access grant. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessGrantPatch
      data: S.AccessGrant
      meta?: S.DryRunMeta
    }
    /** Delete an access grant. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessGrant
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-grants/{id}/revoke': {
    /** Revoke an access grant. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessGrant
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-grants/{id}/sync': {
    /** Get whether the devices hold what this access grant says. */
    GET: {
      path: { id: string }
      data: S.AccessGrantSync
    }
  }
  '/api/v1/access-decisions': {
    /** Decide whether a door opens. */
    POST: {
      body: S.AccessQuestion
      data: S.AccessDecision
    }
  }
  '/api/v1/access-decisions/batch': {
    /** Decide up to 100 questions. */
    POST: {
      body: S.AccessQuestions
      data: S.AccessDecisions
    }
  }
  '/api/v1/access-events': {
    /** List access events. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; after?: number; format?: 'csv' | 'xlsx' | 'ndjson'; sequence?: Filter; source_id?: Filter; type?: Filter; result?: Filter; reason?: Filter; access_point_id?: Filter; building_id?: Filter; individual_id?: Filter; credential_id?: Filter; credential_number?: Filter; access_control_system_id?: Filter; command_id?: Filter; direction?: Filter; occurred_at?: Filter; received_at?: Filter; verdict?: Filter; verdict_reason?: Filter; id?: Filter }
      data: Array<S.AccessEvent>
      meta: S.ListMeta | S.FeedMeta
      text: string
    }
    /** Report an event. */
    POST: {
      body: S.AccessEventCreate
      data: S.ReportedAccessEvent
    }
  }
  '/api/v1/access-events/batch': {
    /** Report up to 1,000 events. */
    POST: {
      body: S.AccessEventBatch
      data: S.AccessEventResults
    }
  }
  '/api/v1/access-events/stream': {
    /** Stream access events. */
    GET: {
      query?: { after?: number; type?: string; access_point_id?: string; building_id?: string; individual_id?: string; access_control_system_id?: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/access-events/summary': {
    /** Count access events. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; sequence?: Filter; source_id?: Filter; type?: Filter; result?: Filter; reason?: Filter; access_point_id?: Filter; building_id?: Filter; individual_id?: Filter; credential_id?: Filter; credential_number?: Filter; access_control_system_id?: Filter; command_id?: Filter; direction?: Filter; occurred_at?: Filter; received_at?: Filter; verdict?: Filter; verdict_reason?: Filter; id?: Filter }
      data: S.AccessEventCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-events/{id}': {
    /** Get an access event. */
    GET: {
      path: { id: string }
      data: S.AccessEvent
    }
  }
  '/api/v1/changes': {
    /** List changes. */
    GET: {
      query?: { after?: number; type?: string; resource?: string; resource_id?: string; limit?: number }
      data: Array<{
        sequence: number
        id: string
        type: string
        occurred_at: string
        resource: string
        resource_id: string | null
        changed: Array<string> | null
        data: Record<string, unknown> | null
      }>
      meta: S.FeedMeta
    }
  }
  '/api/v1/changes/stream': {
    /** Stream changes. */
    GET: {
      query?: { after?: number; type?: string; resource?: string; resource_id?: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/webhooks': {
    /** List webhooks. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; url?: Filter; description?: Filter; status?: Filter; disabled_reason?: Filter; user_id?: Filter; service_user_id?: Filter; failure_count?: Filter; failing_since?: Filter; next_attempt_at?: Filter; last_delivered_at?: Filter; blocked_reason?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Webhook>
      meta: S.ListMeta
      text: string
    }
    /** Create a webhook. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.WebhookCreate
      data: S.WebhookWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/batch': {
    /** Create, change and delete many webhooks. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.WebhookBatch
      data: S.WebhookBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/by-external-id/{external_id}': {
    /** Get a webhook by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Webhook
    }
    /** Create or change a webhook by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.WebhookPut
      data: S.WebhookWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/summary': {
    /** Count webhooks. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; url?: Filter; description?: Filter; status?: Filter; disabled_reason?: Filter; user_id?: Filter; service_user_id?: Filter; failure_count?: Filter; failing_since?: Filter; next_attempt_at?: Filter; last_delivered_at?: Filter; blocked_reason?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.WebhookCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/webhooks/{id}': {
    /** Get a webhook. */
    GET: {
      path: { id: string }
      data: S.Webhook
    }
    /** Change a webhook. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.WebhookPatch
      data: S.Webhook
      meta?: S.DryRunMeta
    }
    /** Delete a webhook. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Webhook
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/{id}/replay': {
    /** Replay a webhook. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.WebhookReplay
      data: S.Webhook
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/{id}/rotate-secret': {
    /** Rotate the secret of a webhook. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.WebhookWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/{id}/test': {
    /** Test a webhook. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.WebhookTest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/webhooks/{webhook_id}/deliveries': {
    /** List webhook deliveries. */
    GET: {
      path: { webhook_id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; webhook_id?: Filter; attempted_at?: Filter; feed?: Filter; sequence?: Filter; message_id?: Filter; type?: Filter; attempt?: Filter; result?: Filter; status_code?: Filter; response?: Filter; error?: Filter; duration_ms?: Filter; id?: Filter }
      data: Array<S.WebhookDelivery>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/webhooks/{webhook_id}/deliveries/summary': {
    /** Count webhook deliveries. */
    GET: {
      path: { webhook_id: string }
      query?: { search?: string; or?: Array<string>; group_by?: string; webhook_id?: Filter; attempted_at?: Filter; feed?: Filter; sequence?: Filter; message_id?: Filter; type?: Filter; attempt?: Filter; result?: Filter; status_code?: Filter; response?: Filter; error?: Filter; duration_ms?: Filter; id?: Filter }
      data: S.WebhookDeliveryCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/webhooks/{webhook_id}/deliveries/{id}': {
    /** Get a webhook delivery. */
    GET: {
      path: { webhook_id: string; id: string }
      data: S.WebhookDelivery
    }
  }
  '/api/v1/invitations/accept': {
    /** Accept an invitation. */
    POST: {
      body: S.InvitationAccept
      data: S.LoginAnswer
    }
  }
  '/api/v1/login': {
    /** Log in. */
    POST: {
      body: S.Login
      data: S.LoginAnswer
    }
  }
  '/api/v1/login/forgot-password': {
    /** Ask for a new password. */
    POST: {
      body: S.ForgotPassword
      data: undefined
    }
  }
  '/api/v1/login/link': {
    /** Look at a link. */
    POST: {
      body: S.LinkQuestion
      data: S.LinkAnswer
    }
  }
  '/api/v1/login/passkey': {
    /** Log in with a passkey. */
    POST: {
      body: S.PasskeyLogin
      data: S.LoginAnswer
    }
  }
  '/api/v1/login/passkey/options': {
    /** Begin a login with a passkey. */
    POST: {
      data: S.PasskeyOptions
    }
  }
  '/api/v1/login/providers': {
    /** Ways to log in. */
    GET: {
      data: S.LoginWays
    }
  }
  '/api/v1/login/sso': {
    /** Begin single sign-on. */
    POST: {
      body: S.SignOnBegin
      data: S.SignOnAnswer
    }
  }
  '/api/v1/logout': {
    /** Log out. */
    POST: {
      data: S.Session
    }
  }
  '/api/v1/password-reset': {
    /** Set a new password. */
    POST: {
      body: S.PasswordReset
      data: undefined
    }
  }
  '/api/v1/setup': {
    /** Set up the service. */
    POST: {
      body: S.Setup
      data: S.LoginAnswer
    }
  }
  '/api/v1/me': {
    /** Who am I?. */
    GET: {
      data: S.Me
    }
    /** Change your name or language. */
    PATCH: {
      body: S.MePatch
      data: S.User
    }
  }
  '/api/v1/me/confirm-code': {
    /** Confirm that it is you, with a code. */
    POST: {
      body: S.CodeConfirm
      data: undefined
    }
  }
  '/api/v1/me/confirm-passkey': {
    /** Confirm that it is you, with a passkey. */
    POST: {
      body: S.PasskeyLogin
      data: undefined
    }
  }
  '/api/v1/me/confirm-password': {
    /** Confirm that it is you. */
    POST: {
      body: S.PasswordConfirm
      data: undefined
    }
  }
  '/api/v1/me/password': {
    /** Change your password. */
    POST: {
      body: S.PasswordChange
      data: undefined
    }
  }
  '/api/v1/me/recovery-codes': {
    /** Renew the recovery codes. */
    POST: {
      data: S.RecoveryCodes
    }
  }
  '/api/v1/me/totp': {
    /** Begin a second factor. */
    POST: {
      data: S.TotpEnrolment
    }
  }
  '/api/v1/me/totp/confirm': {
    /** Confirm a second factor. */
    POST: {
      body: S.TotpConfirm
      data: S.RecoveryCodes
    }
  }
  '/api/v1/me/totp/disable': {
    /** Disable the second factor. */
    POST: {
      data: S.SecondFactor
    }
  }
  '/api/v1/sessions': {
    /** List sessions. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; last_seen_at?: Filter; expires_at?: Filter; address?: Filter; user_agent?: Filter; factor?: Filter; id?: Filter; created_at?: Filter }
      data: Array<S.Session>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/sessions/end-others': {
    /** End all other sessions. */
    POST: {
      data: S.SessionsEnded
    }
  }
  '/api/v1/sessions/summary': {
    /** Count sessions. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; last_seen_at?: Filter; expires_at?: Filter; address?: Filter; user_agent?: Filter; factor?: Filter; id?: Filter; created_at?: Filter }
      data: S.SessionCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/sessions/{id}': {
    /** End a session. */
    DELETE: {
      path: { id: string }
      data: S.Session
    }
  }
  '/api/v1/me/passkeys': {
    /** List passkeys. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; last_used_at?: Filter; is_synced?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Passkey>
      meta: S.ListMeta
      text: string
    }
    /** Add a passkey. */
    POST: {
      body: S.PasskeyCreate
      data: S.Passkey
    }
  }
  '/api/v1/me/passkeys/options': {
    /** Begin a new passkey. */
    POST: {
      data: S.PasskeyOptions
    }
  }
  '/api/v1/me/passkeys/summary': {
    /** Count passkeys. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; last_used_at?: Filter; is_synced?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.PasskeyCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/me/passkeys/{id}': {
    /** Rename a passkey. */
    PATCH: {
      path: { id: string }
      body: S.PasskeyPatch
      data: S.Passkey
    }
    /** Delete a passkey. */
    DELETE: {
      path: { id: string }
      data: S.Passkey
    }
  }
  '/api/v1/me/identities': {
    /** List identities. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; provider?: Filter; issuer?: Filter; email?: Filter; last_used_at?: Filter; id?: Filter; created_at?: Filter; version?: Filter }
      data: Array<S.Identity>
      meta: S.ListMeta
      text: string
    }
    /** Connect an identity. */
    POST: {
      body: S.IdentityConnect
      data: S.SignOnAnswer
    }
  }
  '/api/v1/me/identities/summary': {
    /** Count identities. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; provider?: Filter; issuer?: Filter; email?: Filter; last_used_at?: Filter; id?: Filter; created_at?: Filter; version?: Filter }
      data: S.IdentityCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/me/identities/{id}': {
    /** Disconnect an identity. */
    DELETE: {
      path: { id: string }
      data: S.Identity
    }
  }
  '/api/v1/organization': {
    /** Get your organization. */
    GET: {
      data: S.Organization
    }
    /** Change your organization. */
    PATCH: {
      query?: { dry_run?: boolean }
      body: S.OrganizationPatch
      data: S.Organization
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/organization/environment': {
    /** Get what the service decides for your organization. */
    GET: {
      data: S.OrganizationEnvironment
    }
  }
  '/api/v1/users': {
    /** List users. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; email?: Filter; name?: Filter; status?: Filter; language?: Filter; last_login_at?: Filter; mfa?: Filter; passkeys?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.User>
      meta: S.ListMeta
      text: string
    }
    /** Invite a user. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.UserCreate
      data: S.UserInvited
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/batch': {
    /** Create, change and delete many users. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.UserBatch
      data: S.UserBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/by-external-id/{external_id}': {
    /** Get an user by your own key. */
    GET: {
      path: { external_id: string }
      data: S.User
    }
    /** Create or change an user by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.UserPut
      data: S.UserInvited
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/summary': {
    /** Count users. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; email?: Filter; name?: Filter; status?: Filter; language?: Filter; last_login_at?: Filter; mfa?: Filter; passkeys?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.UserCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/users/{id}': {
    /** Get an user. */
    GET: {
      path: { id: string }
      data: S.User
    }
    /** Change an user. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.UserPatch
      data: S.User
      meta?: S.DryRunMeta
    }
    /** Delete an user. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.User
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/{id}/invite': {
    /** Repeat an invitation. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.UserLink
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/{id}/reactivate': {
    /** Reactivate a user. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.User
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/{id}/remove-second-factor': {
    /** Remove a lost second factor. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.SecondFactorRemove
      data: S.User
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/{id}/reset-link': {
    /** Make a link to a new password. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.UserLink
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/users/{id}/suspend': {
    /** Suspend a user. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.User
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users': {
    /** List service users. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; status?: Filter; last_used_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.ServiceUser>
      meta: S.ListMeta
      text: string
    }
    /** Create a service user. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ServiceUserCreate
      data: S.ServiceUser
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/batch': {
    /** Create, change and delete many service users. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ServiceUserBatch
      data: S.ServiceUserBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/by-external-id/{external_id}': {
    /** Get a service user by your own key. */
    GET: {
      path: { external_id: string }
      data: S.ServiceUser
    }
    /** Create or change a service user by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.ServiceUserPut
      data: S.ServiceUser
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/summary': {
    /** Count service users. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; description?: Filter; status?: Filter; last_used_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.ServiceUserCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/service-users/{id}': {
    /** Get a service user. */
    GET: {
      path: { id: string }
      data: S.ServiceUser
    }
    /** Change a service user. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.ServiceUserPatch
      data: S.ServiceUser
      meta?: S.DryRunMeta
    }
    /** Delete a service user. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.ServiceUser
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens': {
    /** List tokens. */
    GET: {
      path: { service_user_id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; service_user_id?: Filter; name?: Filter; expires_at?: Filter; location_id?: Filter; building_id?: Filter; prefix?: Filter; last_four?: Filter; status?: Filter; last_used_at?: Filter; last_used_ip?: Filter; revoked_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Token>
      meta: S.ListMeta
      text: string
    }
    /** Create a token. */
    POST: {
      path: { service_user_id: string }
      query?: { dry_run?: boolean }
      body: S.TokenCreate
      data: S.TokenCreated
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/batch': {
    /** Create, change and delete many tokens. */
    POST: {
      path: { service_user_id: string }
      query?: { dry_run?: boolean }
      body: S.TokenBatch
      data: S.TokenBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/by-external-id/{external_id}': {
    /** Get a token by your own key. */
    GET: {
      path: { service_user_id: string; external_id: string }
      data: S.Token
    }
    /** Create or change a token by your own key. */
    PUT: {
      path: { service_user_id: string; external_id: string }
      query?: { dry_run?: boolean }
      body: S.TokenPut
      data: S.TokenCreated
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/summary': {
    /** Count tokens. */
    GET: {
      path: { service_user_id: string }
      query?: { search?: string; or?: Array<string>; group_by?: string; service_user_id?: Filter; name?: Filter; expires_at?: Filter; location_id?: Filter; building_id?: Filter; prefix?: Filter; last_four?: Filter; status?: Filter; last_used_at?: Filter; last_used_ip?: Filter; revoked_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.TokenCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/{id}': {
    /** Get a token. */
    GET: {
      path: { service_user_id: string; id: string }
      data: S.Token
    }
    /** Delete a token. */
    DELETE: {
      path: { service_user_id: string; id: string }
      query?: { dry_run?: boolean }
      data: S.Token
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/{id}/revoke': {
    /** Revoke a token. */
    POST: {
      path: { service_user_id: string; id: string }
      query?: { dry_run?: boolean }
      data: S.Token
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/service-users/{service_user_id}/tokens/{id}/rotate': {
    /** Rotate a token. */
    POST: {
      path: { service_user_id: string; id: string }
      query?: { dry_run?: boolean }
      body: S.TokenRotate
      data: S.TokenCreated
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/tokens/report-leaked': {
    /** Report leaked tokens. */
    POST: {
      body: S.LeakReport
      data: undefined
    }
  }
  '/api/v1/permissions': {
    /** List permissions. */
    GET: {
      data: S.Permissions
    }
  }
  '/api/v1/roles': {
    /** List roles. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; requires_second_factor?: Filter; is_built_in?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Role>
      meta: S.ListMeta
      text: string
    }
    /** Create a role. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.RoleCreate
      data: S.Role
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/roles/batch': {
    /** Create, change and delete many roles. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.RoleBatch
      data: S.RoleBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/roles/by-external-id/{external_id}': {
    /** Get a role by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Role
    }
    /** Create or change a role by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.RolePut
      data: S.Role
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/roles/summary': {
    /** Count roles. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; description?: Filter; requires_second_factor?: Filter; is_built_in?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.RoleCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/roles/{id}': {
    /** Get a role. */
    GET: {
      path: { id: string }
      data: S.Role
    }
    /** Change a role. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.RolePatch
      data: S.Role
      meta?: S.DryRunMeta
    }
    /** Delete a role. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Role
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/role-assignments': {
    /** List role assignments. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; role_id?: Filter; role_name?: Filter; user_id?: Filter; user_name?: Filter; service_user_id?: Filter; service_user_name?: Filter; location_id?: Filter; building_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.RoleAssignment>
      meta: S.ListMeta
      text: string
    }
    /** Create a role assignment. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.RoleAssignmentCreate
      data: S.RoleAssignment
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/role-assignments/batch': {
    /** Create, change and delete many role assignments. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.RoleAssignmentBatch
      data: S.RoleAssignmentBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/role-assignments/by-external-id/{external_id}': {
    /** Get a role assignment by your own key. */
    GET: {
      path: { external_id: string }
      data: S.RoleAssignment
    }
    /** Create or change a role assignment by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.RoleAssignmentPut
      data: S.RoleAssignment
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/role-assignments/summary': {
    /** Count role assignments. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; role_id?: Filter; role_name?: Filter; user_id?: Filter; user_name?: Filter; service_user_id?: Filter; service_user_name?: Filter; location_id?: Filter; building_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.RoleAssignmentCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/role-assignments/{id}': {
    /** Get a role assignment. */
    GET: {
      path: { id: string }
      data: S.RoleAssignment
    }
    /** Delete a role assignment. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.RoleAssignment
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth-applications': {
    /** List OAuth applications. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; description?: Filter; kind?: Filter; service_user_id?: Filter; status?: Filter; secret_last_four?: Filter; secret_created_at?: Filter; previous_secret_expires_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.OAuthApplication>
      meta: S.ListMeta
      text: string
    }
    /** Create an OAuth application. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.OAuthApplicationCreate
      data: S.OAuthApplicationWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth-applications/batch': {
    /** Create, change and delete many OAuth applications. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.OAuthApplicationBatch
      data: S.OAuthApplicationBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth-applications/by-external-id/{external_id}': {
    /** Get an OAuth application by your own key. */
    GET: {
      path: { external_id: string }
      data: S.OAuthApplication
    }
    /** Create or change an OAuth application by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.OAuthApplicationPut
      data: S.OAuthApplicationWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth-applications/summary': {
    /** Count OAuth applications. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; name?: Filter; description?: Filter; kind?: Filter; service_user_id?: Filter; status?: Filter; secret_last_four?: Filter; secret_created_at?: Filter; previous_secret_expires_at?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.OAuthApplicationCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/oauth-applications/{id}': {
    /** Get an OAuth application. */
    GET: {
      path: { id: string }
      data: S.OAuthApplication
    }
    /** Change an OAuth application. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.OAuthApplicationPatch
      data: S.OAuthApplication
      meta?: S.DryRunMeta
    }
    /** Delete an OAuth application. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.OAuthApplication
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth-applications/{id}/rotate-secret': {
    /** Rotate the secret of an OAuth application. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.OAuthApplicationSecretRotate
      data: S.OAuthApplicationWithSecret
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/oauth/interactions/{uid}': {
    /** Get what an application asks for. */
    GET: {
      path: { uid: string }
      data: S.OAuthConsent
    }
  }
  '/api/v1/oauth/interactions/{uid}/abort': {
    /** Refuse. */
    POST: {
      path: { uid: string }
      data: S.OAuthNext
    }
  }
  '/api/v1/oauth/interactions/{uid}/confirm': {
    /** Agree. */
    POST: {
      path: { uid: string }
      body?: S.OAuthConfirm
      data: S.OAuthNext
    }
  }
  '/api/v1/me/grants': {
    /** List your OAuth grants. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; application_id?: Filter; application_name?: Filter; expires_at?: Filter; last_used_at?: Filter; id?: Filter; created_at?: Filter }
      data: Array<S.OAuthGrant>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/me/grants/summary': {
    /** Count OAuth grants. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; application_id?: Filter; application_name?: Filter; expires_at?: Filter; last_used_at?: Filter; id?: Filter; created_at?: Filter }
      data: S.OAuthGrantCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/me/grants/{id}': {
    /** Revoke an OAuth grant. */
    DELETE: {
      path: { id: string }
      data: S.OAuthGrant
    }
  }
  '/api/v1/external-identities': {
    /** List external identities. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; issuer?: Filter; subject?: Filter; user_id?: Filter; service_user_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.ExternalIdentity>
      meta: S.ListMeta
      text: string
    }
    /** Create an external identity. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ExternalIdentityCreate
      data: S.ExternalIdentity
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/external-identities/batch': {
    /** Create, change and delete many external identities. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ExternalIdentityBatch
      data: S.ExternalIdentityBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/external-identities/by-external-id/{external_id}': {
    /** Get an external identity by your own key. */
    GET: {
      path: { external_id: string }
      data: S.ExternalIdentity
    }
    /** Create or change an external identity by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.ExternalIdentityPut
      data: S.ExternalIdentity
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/external-identities/summary': {
    /** Count external identities. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; issuer?: Filter; subject?: Filter; user_id?: Filter; service_user_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.ExternalIdentityCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/external-identities/{id}': {
    /** Get an external identity. */
    GET: {
      path: { id: string }
      data: S.ExternalIdentity
    }
    /** Change an external identity. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.ExternalIdentityPatch
      data: S.ExternalIdentity
      meta?: S.DryRunMeta
    }
    /** Delete an external identity. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.ExternalIdentity
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/audit-log': {
    /** List audit entries. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; sequence?: Filter; occurred_at?: Filter; action?: Filter; resource?: Filter; resource_id?: Filter; actor_kind?: Filter; actor_id?: Filter; actor_name?: Filter; address?: Filter; req_id?: Filter; id?: Filter }
      data: Array<S.AuditEntry>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/audit-log/export': {
    /** Export audit entries. */
    GET: {
      query?: { format?: 'csv' | 'xlsx' | 'ndjson'; from?: string; to?: string; action?: string; resource?: string; resource_id?: string; actor_id?: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/audit-log/summary': {
    /** Count audit entries. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; sequence?: Filter; occurred_at?: Filter; action?: Filter; resource?: Filter; resource_id?: Filter; actor_kind?: Filter; actor_id?: Filter; actor_name?: Filter; address?: Filter; req_id?: Filter; id?: Filter }
      data: S.AuditEntryCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/audit-log/{id}': {
    /** Get an audit entry. */
    GET: {
      path: { id: string }
      data: S.AuditEntry
    }
  }
  '/api/v1/access-requests': {
    /** List access requests. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; access_point_id?: Filter; space_id?: Filter; building_id?: Filter; location_id?: Filter; schedule_id?: Filter; valid_from?: Filter; valid_until?: Filter; reason?: Filter; requested_by?: Filter; requester_id?: Filter; status?: Filter; decided_at?: Filter; decided_by?: Filter; decision_note?: Filter; access_grant_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessRequest>
      meta: S.ListMeta
      text: string
    }
    /** Create an access request. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessRequestCreate
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/batch': {
    /** Create, change and delete many access requests. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessRequestBatch
      data: S.AccessRequestBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/by-external-id/{external_id}': {
    /** Get an access request by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessRequest
    }
    /** Create or change an access request by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessRequestPut
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/summary': {
    /** Count access requests. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; individual_id?: Filter; access_point_id?: Filter; space_id?: Filter; building_id?: Filter; location_id?: Filter; schedule_id?: Filter; valid_from?: Filter; valid_until?: Filter; reason?: Filter; requested_by?: Filter; requester_id?: Filter; status?: Filter; decided_at?: Filter; decided_by?: Filter; decision_note?: Filter; access_grant_id?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessRequestCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-requests/{id}': {
    /** Get an access request. */
    GET: {
      path: { id: string }
      data: S.AccessRequest
    }
    /** Change an access request. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessRequestPatch
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/{id}/approve': {
    /** Approve an access request. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AccessRequestStep
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/{id}/deny': {
    /** Deny an access request. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AccessRequestStep
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-requests/{id}/withdraw': {
    /** Withdraw an access request. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessRequest
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-review-lines': {
    /** List access review lines. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; access_review_id?: Filter; individual_id?: Filter; display_name?: Filter; means?: Filter; what?: Filter; access_grant_id?: Filter; access_group_id?: Filter; access_group_member_id?: Filter; key_id?: Filter; doors?: Filter; decision?: Filter; decided_at?: Filter; decided_by?: Filter; note?: Filter; is_ended?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessReviewLine>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/access-review-lines/summary': {
    /** Count access review lines. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; access_review_id?: Filter; individual_id?: Filter; display_name?: Filter; means?: Filter; what?: Filter; access_grant_id?: Filter; access_group_id?: Filter; access_group_member_id?: Filter; key_id?: Filter; doors?: Filter; decision?: Filter; decided_at?: Filter; decided_by?: Filter; note?: Filter; is_ended?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessReviewLineCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-review-lines/{id}': {
    /** Get an access review line. */
    GET: {
      path: { id: string }
      data: S.AccessReviewLine
    }
  }
  '/api/v1/access-review-lines/{id}/confirm': {
    /** Confirm a line of an access review. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AccessReviewStep
      data: S.AccessReviewLine
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-review-lines/{id}/reopen': {
    /** Decide a line of an access review again. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessReviewLine
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-review-lines/{id}/revoke': {
    /** Revoke a line of an access review. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AccessReviewStep
      data: S.AccessReviewLine
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews': {
    /** List access reviews. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; name?: Filter; building_id?: Filter; location_id?: Filter; due_on?: Filter; reviewer?: Filter; status?: Filter; line_count?: Filter; open_count?: Filter; confirmed_count?: Filter; revoked_count?: Filter; started_at?: Filter; started_by?: Filter; closed_at?: Filter; closed_by?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.AccessReview>
      meta: S.ListMeta
      text: string
    }
    /** Create an access review. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessReviewCreate
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/batch': {
    /** Create, change and delete many access reviews. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.AccessReviewBatch
      data: S.AccessReviewBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/by-external-id/{external_id}': {
    /** Get an access review by your own key. */
    GET: {
      path: { external_id: string }
      data: S.AccessReview
    }
    /** Create or change an access review by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.AccessReviewPut
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/summary': {
    /** Count access reviews. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; name?: Filter; building_id?: Filter; location_id?: Filter; due_on?: Filter; reviewer?: Filter; status?: Filter; line_count?: Filter; open_count?: Filter; confirmed_count?: Filter; revoked_count?: Filter; started_at?: Filter; started_by?: Filter; closed_at?: Filter; closed_by?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AccessReviewCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/access-reviews/{id}': {
    /** Get an access review. */
    GET: {
      path: { id: string }
      data: S.AccessReview
    }
    /** Change an access review. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.AccessReviewPatch
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
    /** Delete an access review. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/{id}/cancel': {
    /** Cancel an access review. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/{id}/close': {
    /** Close an access review. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-reviews/{id}/report': {
    /** Get the signed report of an access review. */
    GET: {
      path: { id: string }
      data: S.AccessReviewReport
    }
  }
  '/api/v1/access-reviews/{id}/report/pdf': {
    /** Get the report of an access review as PDF. */
    GET: {
      path: { id: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/access-reviews/{id}/start': {
    /** Start an access review. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.AccessReview
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/alarms': {
    /** List alarms. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; kind?: Filter; status?: Filter; access_point_id?: Filter; building_id?: Filter; access_control_system_id?: Filter; individual_id?: Filter; event_id?: Filter; event_count?: Filter; raised_at?: Filter; last_raised_at?: Filter; ended_at?: Filter; acknowledged_at?: Filter; acknowledged_by?: Filter; note?: Filter; closed_at?: Filter; closed_by?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Alarm>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/alarms/summary': {
    /** Count alarms. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; kind?: Filter; status?: Filter; access_point_id?: Filter; building_id?: Filter; access_control_system_id?: Filter; individual_id?: Filter; event_id?: Filter; event_count?: Filter; raised_at?: Filter; last_raised_at?: Filter; ended_at?: Filter; acknowledged_at?: Filter; acknowledged_by?: Filter; note?: Filter; closed_at?: Filter; closed_by?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.AlarmCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/alarms/{id}': {
    /** Get an alarm. */
    GET: {
      path: { id: string }
      data: S.Alarm
    }
  }
  '/api/v1/alarms/{id}/acknowledge': {
    /** Acknowledge an alarm. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AlarmNote
      data: S.Alarm
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/alarms/{id}/close': {
    /** Close an alarm. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.AlarmNote
      data: S.Alarm
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/{id}/block': {
    /** Block an access point. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.DoorOrder
      data: S.Command
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/{id}/lock': {
    /** Lock an access point. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.DoorOrder
      data: S.Command
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/{id}/release': {
    /** Release an access point. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.DoorOrder
      data: S.Command
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/access-points/{id}/unlock': {
    /** Unlock an access point. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body?: S.DoorUnlocking
      data: S.Command
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/commands': {
    /** List commands. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; action?: Filter; access_point_id?: Filter; building_id?: Filter; access_control_system_id?: Filter; seconds?: Filter; reason?: Filter; requested_by?: Filter; expires_at?: Filter; status?: Filter; sent_at?: Filter; ended_at?: Filter; error_code?: Filter; error_message?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Command>
      meta: S.ListMeta
      text: string
    }
    /** Create commands for up to 100 access points. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.CommandsCreate
      data: S.CommandsMade
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/commands/summary': {
    /** Count commands. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; action?: Filter; access_point_id?: Filter; building_id?: Filter; access_control_system_id?: Filter; seconds?: Filter; reason?: Filter; requested_by?: Filter; expires_at?: Filter; status?: Filter; sent_at?: Filter; ended_at?: Filter; error_code?: Filter; error_message?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.CommandCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/commands/{id}': {
    /** Get a command. */
    GET: {
      path: { id: string }
      data: S.Command
    }
  }
  '/api/v1/floor-plan-positions': {
    /** List the floor plan positions of all floor plans. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; floor_plan_id?: Filter; access_point_id?: Filter; x?: Filter; y?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.FloorPlanPosition>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/floor-plan-positions/summary': {
    /** Count floor plan positions. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; floor_plan_id?: Filter; access_point_id?: Filter; x?: Filter; y?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.FloorPlanPositionCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/floor-plans/{floor_plan_id}/positions': {
    /** List floor plan positions. */
    GET: {
      path: { floor_plan_id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; floor_plan_id?: Filter; access_point_id?: Filter; x?: Filter; y?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.FloorPlanPosition>
      meta: S.ListMeta
      text: string
    }
    /** Create a floor plan position. */
    POST: {
      path: { floor_plan_id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPositionCreate
      data: S.FloorPlanPosition
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/{floor_plan_id}/positions/batch': {
    /** Create, change and delete many floor plan positions. */
    POST: {
      path: { floor_plan_id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPositionBatch
      data: S.FloorPlanPositionBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/{floor_plan_id}/positions/by-external-id/{external_id}': {
    /** Get a floor plan position by your own key. */
    GET: {
      path: { floor_plan_id: string; external_id: string }
      data: S.FloorPlanPosition
    }
    /** Create or change a floor plan position by your own key. */
    PUT: {
      path: { floor_plan_id: string; external_id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPositionPut
      data: S.FloorPlanPosition
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/{floor_plan_id}/positions/summary': {
    /** Count floor plan positions. */
    GET: {
      path: { floor_plan_id: string }
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; floor_plan_id?: Filter; access_point_id?: Filter; x?: Filter; y?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.FloorPlanPositionCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/floor-plans/{floor_plan_id}/positions/{id}': {
    /** Get a floor plan position. */
    GET: {
      path: { floor_plan_id: string; id: string }
      data: S.FloorPlanPosition
    }
    /** Change a floor plan position. */
    PATCH: {
      path: { floor_plan_id: string; id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPositionPatch
      data: S.FloorPlanPosition
      meta?: S.DryRunMeta
    }
    /** Delete a floor plan position. */
    DELETE: {
      path: { floor_plan_id: string; id: string }
      query?: { dry_run?: boolean }
      data: S.FloorPlanPosition
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans': {
    /** List floor plans. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; building_id?: Filter; floor?: Filter; name?: Filter; image_type?: Filter; image_size?: Filter; image_hash?: Filter; width?: Filter; height?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.FloorPlan>
      meta: S.ListMeta
      text: string
    }
    /** Create a floor plan. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.FloorPlanCreate
      data: S.FloorPlan
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/batch': {
    /** Create, change and delete many floor plans. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.FloorPlanBatch
      data: S.FloorPlanBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/by-external-id/{external_id}': {
    /** Get a floor plan by your own key. */
    GET: {
      path: { external_id: string }
      data: S.FloorPlan
    }
    /** Create or change a floor plan by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPut
      data: S.FloorPlan
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/summary': {
    /** Count floor plans. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; building_id?: Filter; floor?: Filter; name?: Filter; image_type?: Filter; image_size?: Filter; image_hash?: Filter; width?: Filter; height?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.FloorPlanCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/floor-plans/{id}': {
    /** Get a floor plan. */
    GET: {
      path: { id: string }
      data: S.FloorPlan
    }
    /** Change a floor plan. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.FloorPlanPatch
      data: S.FloorPlan
      meta?: S.DryRunMeta
    }
    /** Delete a floor plan. */
    DELETE: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.FloorPlan
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/floor-plans/{id}/image': {
    /** Get the image of a floor plan. */
    GET: {
      path: { id: string }
      data: undefined
      text: string
    }
    /** Set the image of a floor plan. */
    PUT: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: string
      data: S.FloorPlanDrawn
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/imports': {
    /** List imports. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; format?: 'csv' | 'xlsx' | 'ndjson'; resource?: Filter; file_name?: Filter; status?: Filter; dry_run?: Filter; rows?: Filter; row_done?: Filter; created?: Filter; changed?: Filter; unchanged?: Filter; failed?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Import>
      meta: S.ListMeta
      text: string
    }
    /** Import a file. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.ImportCreate | string
      data: S.Import
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/imports/summary': {
    /** Count imports. */
    GET: {
      query?: { search?: string; or?: Array<string>; group_by?: string; resource?: Filter; file_name?: Filter; status?: Filter; dry_run?: Filter; rows?: Filter; row_done?: Filter; created?: Filter; changed?: Filter; unchanged?: Filter; failed?: Filter; id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.ImportCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/imports/{id}': {
    /** Get an import. */
    GET: {
      path: { id: string }
      data: S.Import
    }
  }
  '/api/v1/imports/{id}/cancel': {
    /** Cancel an import. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Import
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/imports/{id}/failed-rows': {
    /** Get the failed rows of an import. */
    GET: {
      path: { id: string }
      data: undefined
      text: string
    }
  }
  '/api/v1/imports/{id}/run': {
    /** Run an import that was tried. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Import
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns': {
    /** List lockdowns. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; kind?: Filter; location_id?: Filter; building_id?: Filter; space_id?: Filter; access_point_id?: Filter; reason?: Filter; expires_at?: Filter; started_by?: Filter; released_at?: Filter; released_by?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Lockdown>
      meta: S.ListMeta
      text: string
    }
    /** Create a lockdown. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LockdownCreate
      data: S.Lockdown
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns/batch': {
    /** Create, change and delete many lockdowns. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.LockdownBatch
      data: S.LockdownBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns/by-external-id/{external_id}': {
    /** Get a lockdown by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Lockdown
    }
    /** Create or change a lockdown by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.LockdownPut
      data: S.Lockdown
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns/evacuate': {
    /** Start an evacuation. */
    POST: {
      query?: { dry_run?: boolean }
      body?: S.EvacuationCreate
      data: S.EvacuationInForce
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns/summary': {
    /** Count lockdowns. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; kind?: Filter; location_id?: Filter; building_id?: Filter; space_id?: Filter; access_point_id?: Filter; reason?: Filter; expires_at?: Filter; started_by?: Filter; released_at?: Filter; released_by?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.LockdownCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/lockdowns/{id}': {
    /** Get a lockdown. */
    GET: {
      path: { id: string }
      data: S.Lockdown
    }
    /** Change a lockdown. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.LockdownPatch
      data: S.Lockdown
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/lockdowns/{id}/release': {
    /** Release a lockdown, evacuation or drill. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Lockdown
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/buildings/{id}/muster': {
    /** Get the muster list of a building. */
    GET: {
      path: { id: string }
      query?: { format?: 'json' | 'csv' }
      data: S.Muster
      text: string
    }
  }
  '/api/v1/spaces/{space_id}/occupants': {
    /** List who is in a space. */
    GET: {
      path: { space_id: string }
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; individual_id?: Filter; display_name?: Filter; kind?: Filter; company?: Filter; space_id?: Filter; access_point_id?: Filter; since?: Filter }
      data: Array<S.Occupant>
      meta: S.ListMeta
      text: string
    }
  }
  '/api/v1/spaces/{space_id}/occupants/summary': {
    /** Count occupants. */
    GET: {
      path: { space_id: string }
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; individual_id?: Filter; display_name?: Filter; kind?: Filter; company?: Filter; space_id?: Filter; access_point_id?: Filter; since?: Filter }
      data: S.OccupantCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/visits': {
    /** List visits. */
    GET: {
      query?: { page?: number; limit?: number; cursor?: string; order?: string; select?: string; search?: string; or?: Array<string>; within_location?: string; within_building?: string; format?: 'csv' | 'xlsx' | 'ndjson'; visitor_id?: Filter; host_id?: Filter; purpose?: Filter; valid_from?: Filter; valid_until?: Filter; credential_type?: Filter; credential_id?: Filter; arrived_at?: Filter; left_at?: Filter; cancelled_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: Array<S.Visit>
      meta: S.ListMeta
      text: string
    }
    /** Create a visit. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.VisitCreate
      data: S.VisitMade
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/batch': {
    /** Create, change and delete many visits. */
    POST: {
      query?: { dry_run?: boolean }
      body: S.VisitBatch
      data: S.VisitBatchResults
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/by-external-id/{external_id}': {
    /** Get a visit by your own key. */
    GET: {
      path: { external_id: string }
      data: S.Visit
    }
    /** Create or change a visit by your own key. */
    PUT: {
      path: { external_id: string }
      query?: { dry_run?: boolean }
      body: S.VisitPut
      data: S.VisitMade
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/summary': {
    /** Count visits. */
    GET: {
      query?: { search?: string; or?: Array<string>; within_location?: string; within_building?: string; group_by?: string; visitor_id?: Filter; host_id?: Filter; purpose?: Filter; valid_from?: Filter; valid_until?: Filter; credential_type?: Filter; credential_id?: Filter; arrived_at?: Filter; left_at?: Filter; cancelled_at?: Filter; status?: Filter; id?: Filter; external_id?: Filter; created_at?: Filter; updated_at?: Filter; version?: Filter }
      data: S.VisitCounts
      meta: S.CountsMeta
    }
  }
  '/api/v1/visits/{id}': {
    /** Get a visit. */
    GET: {
      path: { id: string }
      data: S.Visit
    }
    /** Change a visit. */
    PATCH: {
      path: { id: string }
      query?: { dry_run?: boolean }
      body: S.VisitPatch
      data: S.Visit
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/{id}/arrive': {
    /** Note that a visitor came. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Visit
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/{id}/cancel': {
    /** Call off a visit. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Visit
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/{id}/leave': {
    /** Note that a visitor left. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.Visit
      meta?: S.DryRunMeta
    }
  }
  '/api/v1/visits/{id}/qr-code': {
    /** Show the QR code of a visit. */
    POST: {
      path: { id: string }
      query?: { dry_run?: boolean }
      data: S.VisitQrCode
      meta?: S.DryRunMeta
    }
  }
  '/livez': {
    /** Is it alive?. */
    GET: {
      data: undefined
    }
  }
  '/readyz': {
    /** Is it ready?. */
    GET: {
      data: undefined
    }
  }
}
