/** What a grant is on: one of them. */
export interface Target {
  access_point_id: string | null
  space_id: string | null
  building_id: string | null
  location_id: string | null
}

export interface Terms {
  valid_from: string | null
  valid_until: string | null
  schedule_id: string | null
  effect: 'allow' | 'deny'
  requires_pin: boolean
  requires_second_person: boolean
  during_lockdown: boolean
  reason: string | null
  revoked_at: string | null
}

/** Makes the row of a grant. */
export type Grant = (subject: { group: number } | { person: number }, target: Partial<Target>, terms?: Partial<Terms>) => object
