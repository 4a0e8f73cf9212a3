import { inTurn } from '../core/typed.ts'
import type { Building, Estate } from './estate.ts'
import type { World } from './world.ts'

/** Each campus has a system for its doors and one for its parking. */
export const systemOf = (building: Building): number => building.campus.index * 2
export const parkingSystemOf = (building: Building): number => building.campus.index * 2 + 1

/** The first two campuses live: a virtual controller each, whatever the size of the estate. */
const simulated = [
  { kind: 'simulator', vendor: 'dormakaba', model: 'exos 9300', settings: {} },
  { kind: 'simulator', vendor: 'SALTO', model: 'Space', settings: {} },
] as const

const doorSystems = [
  { kind: 'manual', vendor: 'SALTO', model: 'Space', settings: {} },
  { kind: 'uhppote', vendor: 'UHPPOTE', model: 'UT0311-L04', settings: { address: '192.0.2.10', port: 60_000 } },
  {
    kind: 'mqtt',
    vendor: 'ASSA ABLOY',
    model: 'Aperio',
    settings: { url: 'mqtts://broker.demo.example:8883', topic: 'doors' },
  },
] as const

const parkingSystem = {
  kind: 'mqtt',
  vendor: 'Designa',
  model: 'Abacus',
  settings: { url: 'mqtts://broker.demo.example:8883', topic: 'parking' },
}

const doorSystemOf = (index: number) => simulated[index] ?? inTurn(doorSystems, index)

type Status = 'pending_setup' | 'connected' | 'degraded' | 'disconnected' | 'disabled'

/** Every status is there at least once in an organization of a few campuses. */
const statuses: readonly Status[] = [
  'connected',
  'connected',
  'connected',
  'degraded',
  'connected',
  'disconnected',
  'connected',
  'pending_setup',
]

export function* systemRows(world: World, estate: Estate): Generator<object> {
  for (const campus of estate.campuses) {
    for (const nth of [0, 1]) {
      const index = campus.index * 2 + nth
      const product = nth === 0 ? doorSystemOf(campus.index) : parkingSystem
      const status = index % 37 === 36 ? 'disabled' : inTurn(statuses, index)
      const { kind, vendor, model, settings } = product
      yield {
        ...world.base('access_control_systems', index, `acs-${index + 1}`),
        name: `${campus.city} ${campus.name}: ${nth === 0 ? 'doors' : 'parking'}`,
        kind,
        vendor,
        model,
        location_id: world.id('locations', campus.location),
        time_zone: null,
        status,
        ...contact(world, status, index),
        description: nth === 0 ? null : 'Barriers and gates of the car parks',
        settings,
        secrets: {},
      }
    }
  }
}

function contact(world: World, status: Status, index: number) {
  const minutes = world.random('access_control_systems', index).between(1, 20)
  const recent = world.at(-minutes / (24 * 60))
  const notice = (code: string, message: string, days: number) => [{ code, message, since: world.at(-days) }]
  switch (status) {
    case 'connected':
      return { ...seen(recent, 'online'), last_sync_at: recent, errors: [], warnings: [] }
    case 'degraded':
      return {
        ...seen(recent, 'online'),
        last_sync_at: world.at(-0.5),
        errors: [],
        warnings: notice('controllers_offline', '2 of 14 controllers do not answer', 0.5),
      }
    case 'disconnected':
      return {
        ...seen(world.at(-3), 'offline'),
        last_sync_at: world.at(-3),
        errors: notice('system_disconnected', 'The system has not answered since the last network change', 3),
        warnings: [],
      }
    default:
      return { last_sync_at: null, errors: [], warnings: [] }
  }
}

const seen = (last_seen_at: string, connectivity: 'online' | 'offline') => ({
  live: { last_seen_at, connectivity, connectivity_since: last_seen_at },
})
