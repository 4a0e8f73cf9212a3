import { pino } from 'pino'
import { Supervisor } from '../../src/connect/supervisor.ts'
import { type Answer, type Client, startHouse, type TestHouse } from '../support/app.ts'

interface Item {
  id: string
}

/** A building with two doors that a virtual controller drives, and somebody with a card who may go in. */
export interface Site {
  house: TestHouse
  owner: Client
  building: Item
  space: Item
  door: Item
  other: Item
  system: Item & { last_sync_at: string | null }
  ada: Item
  card: Item & { number: string }
  grant: Item
  supervisor: Supervisor
  /** One round of the supervisor, once the clock has moved on a little. */
  round(ms?: number): Promise<void>
  play(act: object): Promise<Answer>
  swipe(number: string, more?: object): Promise<string>
  /** The types of the events of this system that came in, oldest first. */
  events(query?: string): Promise<Array<Record<string, unknown>>>
}

export async function makeSite(
  options: { settings?: object; kind?: string; house?: TestHouse; name?: string } = {},
): Promise<Site> {
  const house = options.house ?? (await startHouse())
  const { owner, engine, clock } = house
  const name = options.name ?? 'Site'
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name: `${name} house`, location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: `${name} hall`, building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', {
    name: `${name} controllers`,
    kind: options.kind ?? 'simulator',
    location_id: location.id,
    settings: options.settings ?? {},
  })
  const door = await owner.create('/api/v1/access-points', {
    name: `${name} door`,
    space_id: space.id,
    access_control_system_id: system.id,
    unlock_seconds: 5,
    held_open_seconds: 30,
    direction: 'both',
  })
  const other = await owner.create('/api/v1/access-points', {
    name: `${name} side`,
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const ada = await owner.create('/api/v1/individuals', { display_name: `Ada of ${name}` })
  const card = await owner.create('/api/v1/credentials', {
    type: 'card',
    number: `47${name.length}1`,
    individual_id: ada.id,
  })
  const grant = await owner.create('/api/v1/access-grants', { individual_id: ada.id, building_id: building.id })
  const supervisor = new Supervisor({ engine, clock, logger: pino({ level: 'silent' }) })
  const play = (act: object) => owner.post(`/api/v1/access-control-systems/${system.id}/simulator`, act)
  return {
    house,
    owner,
    building,
    space,
    door,
    other,
    system,
    ada,
    card,
    grant,
    supervisor,
    round: async (ms = 1000) => {
      clock.forward(ms)
      await supervisor.run()
    },
    play,
    swipe: async (number, more = {}) => {
      const answer = await play({ action: 'swipe', access_point_id: door.id, number, ...more })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.data.reason
    },
    events: async (query = '') => {
      const rows = await engine.reader.all<Record<string, unknown>>(
        `select * from access_events where access_control_system_id = $1 ${query} order by sequence`,
        [system.id],
      )
      return rows
    },
  }
}
