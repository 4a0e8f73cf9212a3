/** Why access is granted or denied; BACnet's access events are the base. */
export const reasons = [
  'granted',
  'evacuation',
  'door_unlocked',
  'unknown_credential',
  'credential_unassigned',
  'credential_not_yet_active',
  'credential_expired',
  'credential_suspended',
  'credential_lost',
  'credential_stolen',
  'credential_terminated',
  'wrong_system',
  'no_reader',
  'no_credential',
  'max_uses',
  'incorrect_pin',
  'pin_required',
  'second_person_required',
  'no_escort',
  'individual_not_active',
  'individual_not_yet_valid',
  'individual_expired',
  'no_access_rights',
  'denied_by_rule',
  'out_of_time_range',
  'passback',
  'occupancy_limit',
  'point_blocked',
  'locked_down',
] as const

/** Why somebody is let in; all others say why not, but that a soft passback rule lets in whom it tells of. */
const granting: ReadonlySet<string> = new Set(['granted', 'evacuation', 'door_unlocked'] satisfies Reason[])
const known: ReadonlySet<string> = new Set(reasons)
const either: ReadonlySet<string> = new Set(['passback'] satisfies Reason[])

/** What a decision with this reason says; null: either, or it is no word of ours. */
export function decisionOf(reason: string): 'granted' | 'denied' | null {
  if (granting.has(reason)) return 'granted'
  return either.has(reason) || !known.has(reason) ? null : 'denied'
}

export type Reason = (typeof reasons)[number]
