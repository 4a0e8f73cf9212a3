import type { Estate } from './estate.ts'
import type { World } from './world.ts'

/** What was asked for: two that wait, one that was denied, one that was not needed any more. */
export function* requestRows(world: World, estate: Estate): Generator<object> {
  const asked = [
    ['open', 2, 'Renovation of the second floor', null],
    ['open', 1, 'Covers for the caretaker', null],
    ['denied', 20, 'Storing bicycles over the winter', 'The basement is an escape route'],
    ['withdrawn', 33, 'Guided tour', null],
  ] as const
  for (const [index, [status, daysAgo, reason, note]] of asked.entries()) {
    const building = estate.buildings[index % estate.buildings.length]
    if (!building) return
    const made = world.atWork(daysAgo)
    const decided = status === 'open' ? null : new Date(Date.parse(made) + 86_400_000).toISOString()
    yield {
      ...world.base('access_requests', index),
      created_at: made,
      updated_at: decided ?? made,
      version: decided ? 2 : 1,
      individual_id: world.id('individuals', index),
      access_point_id: null,
      space_id: null,
      building_id: world.id('buildings', building.index),
      location_id: null,
      schedule_id: null,
      valid_from: null,
      valid_until: null,
      reason,
      requested_by: 'Reception',
      requester_id: null,
      status,
      decided_at: decided,
      decided_by: decided && (status === 'denied' ? 'Facility management' : 'Reception'),
      decision_note: note,
      access_grant_id: null,
    }
  }
}
