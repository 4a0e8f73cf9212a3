import type { Tx } from '../db/change.ts'
import { waysThere } from '../resources/access-reviews/queries.ts'
import type { Bulk } from './bulk.ts'
import type { Building, Estate } from './estate.ts'
import type { World } from './world.ts'

/** In a building or an estate that is larger nobody would go through all of it to try. */
const SPACES = 400
const ESTATE = 20_000

/** One that is under way, two thirds decided, and one that has not begun. */
export async function fillReviews(tx: Tx, bulk: Bulk, world: World, estate: Estate): Promise<void> {
  const small = [...estate.buildings]
    .filter(({ count }) => count > 0 && count <= SPACES)
    .sort((a, b) => a.count - b.count)
  const [running, draft] = small
  if (!running || world.spaces > ESTATE) return
  const started = world.atWork(6)
  const lines = await waysThere(tx, { building_id: world.id('buildings', running.index), location_id: null }, true)
  const begun = { created_at: started, updated_at: started, started_at: started, started_by: 'Facility management' }
  await bulk.addAll('access_reviews', [
    { ...review(world, 0, running), ...begun, status: 'running', version: 2 },
    ...(draft ? [review(world, 1, draft)] : []),
  ])
  const decided = Math.floor((lines.length * 2) / 3)
  await bulk.addAll(
    'access_review_lines',
    lines.map((line, index) => ({
      ...world.base('access_review_lines', index),
      created_at: started,
      updated_at: started,
      access_review_id: world.id('access_reviews', 0),
      ...line,
      decision: index < decided ? 'confirmed' : 'open',
      decided_at: index < decided ? world.atWork(2) : null,
      decided_by: index < decided ? 'Facility management' : null,
      note: null,
    })),
  )
}

const review = (world: World, index: number, building: Building): object => ({
  ...world.base('access_reviews', index),
  // Campuses have buildings of one name.
  name: [building.campus.city, building.parent?.name, `${building.name} ${world.on(0).slice(0, 4)}`]
    .filter(Boolean)
    .join(', '),
  building_id: world.id('buildings', building.index),
  location_id: null,
  due_on: world.on(14 + index * 30),
  reviewer: 'Facility management',
  status: 'draft',
  started_at: null,
  started_by: null,
})
