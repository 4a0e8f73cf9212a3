import { pino } from 'pino'
import { Supervisor } from '../../src/connect/supervisor.ts'
import type { Client, TestHouse } from './app.ts'
import type { Ids } from './route-requests.ts'

/**
 * Makes things be under way around one item of everything: a key that opens its door and is out, a review that runs, a
 * revocation that waits for a controller that is away, people and cards in other states. Gives items in those states,
 * in place of the ones that there are.
 */
export async function underWay(house: TestHouse, client: Client, ids: Ids, label = 'Set'): Promise<Ids> {
  const does = async (method: string, path: string, body?: object) => {
    const answer = await client.request(method, `/api/v1/${path}`, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  const { access_points, key_types, cylinders, access_control_systems: system } = ids
  await does('PATCH', `cylinders/${cylinders}`, { status: 'installed', access_point_id: access_points })
  await does('POST', `locking-system/${ids.locking_systems}/plan/cells`, {
    set: [{ key_type_id: key_types, cylinder_id: cylinders }],
  })
  const supervisor = new Supervisor({ engine: house.engine, clock: house.clock, logger: pino({ level: 'silent' }) })
  const round = async () => {
    house.clock.forward(1000)
    await supervisor.run()
  }
  // Whoever attended to a system before has left it by then.
  house.clock.forward(60_000)
  const simulator = `access-control-systems/${system}/simulator`
  await does('PATCH', `access-control-systems/${system}`, { kind: 'simulator' })
  await round()
  await does('POST', simulator, { action: 'force', access_point_id: access_points })
  await round()
  await does('POST', simulator, { action: 'go_offline' })
  await round()
  const all = await does('GET', `access-grants?individual_id=eq.${ids.individuals}&effect=eq.allow&limit=100`)
  for (const { id, status } of all) if (status !== 'revoked') await does('POST', `access-grants/${id}/revoke`)
  await round()
  const guest = await does('POST', 'individuals', { display_name: `${label} guest`, building_id: ids.buildings })
  const given = await does('POST', 'access-grants', { individual_id: guest.id, building_id: ids.buildings })
  const review = await does('POST', 'access-reviews', {
    name: `${label} under way`,
    building_id: ids.buildings,
    due_on: '2099-12-31',
  })
  await does('POST', `access-reviews/${review.id}/start`)
  const [line] = await does('GET', `access-review-lines?access_review_id=eq.${review.id}&limit=1`)
  const [out] = await does('GET', `keys?status=eq.issued&key_type_id=eq.${key_types}&limit=1`)
  const leaver = await does('POST', 'individuals', { display_name: `${label} leaver`, building_id: ids.buildings })
  await does('POST', `individuals/${leaver.id}/offboard`)
  const lost = await does('POST', 'credentials', {
    type: 'card',
    number: `${label}90210`,
    individual_id: ids.individuals,
  })
  await does('PATCH', `credentials/${lost.id}`, { status_reason: 'lost' })
  return {
    access_grants: given.id,
    access_reviews: review.id,
    access_review_lines: line.id,
    keys: out.id,
    individuals: leaver.id,
    credentials: lost.id,
  }
}
