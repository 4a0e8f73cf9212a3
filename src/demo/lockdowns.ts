import type { Estate } from './estate.ts'
import type { World } from './world.ts'

/** What is over: one that ended by itself, one that was released, and a drill. */
export function* lockdownRows(world: World, estate: Estate): Generator<object> {
  const past = [
    ['lockdown', 41, 3, 'Unknown person in the building', false],
    ['lockdown', 12, 1, 'Alarm in the server room', true],
    ['drill', 90, 1, 'Yearly evacuation drill', true],
  ] as const
  for (const [index, [kind, daysAgo, hours, reason, isReleased]] of past.entries()) {
    const building = estate.buildings[index % estate.buildings.length]
    if (!building) return
    const started = world.atWork(daysAgo)
    const ended = new Date(Date.parse(started) + hours * 3_600_000).toISOString()
    yield {
      ...world.base('lockdowns', index),
      created_at: started,
      updated_at: isReleased ? ended : started,
      version: isReleased ? 2 : 1,
      kind,
      location_id: null,
      building_id: world.id('buildings', building.index),
      space_id: null,
      access_point_id: null,
      reason,
      started_by: 'Security desk',
      expires_at: isReleased ? null : ended,
      released_at: isReleased ? ended : null,
      released_by: isReleased ? 'Security desk' : null,
      present_at_start: kind === 'drill' ? 64 : null,
      present_at_end: kind === 'drill' ? 2 : null,
    }
  }
}
