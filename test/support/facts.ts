import type { CredentialFact, Door } from '../../src/core/decide/facts.ts'

/** Ada's card, at all doors and without an end. */
export const card: CredentialFact = {
  id: 'card',
  type: 'card',
  number: '4711',
  label: null,
  individual_id: 'ada',
  access_control_system_id: null,
  status_reason: 'none',
  max_uses: null,
  use_count: 0,
  has_pin: false,
  valid_from: null,
  valid_until: null,
}

/** A door in Zurich with a reader on both sides, and nothing else about it. */
export const door: Door = {
  id: 'door',
  name: 'Door',
  time_zone: 'Europe/Zurich',
  access_control_system_id: 'system',
  direction: 'both',
  emergency_exit: false,
  override: null,
  override_until: null,
  unlock_schedule: null,
  first_person_in: false,
  last_entry_at: null,
  space: { id: 'room', name: 'Room', occupancy_limit: null, passback: 'none', passback_minutes: null },
  places: [],
}
