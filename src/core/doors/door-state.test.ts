import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changed, type DoorChange, type DoorState, doorAlarms, lockStates, positions } from './door-state.ts'

const at = (second: number) => new Date(1_800_000_000_000 + second * 1000).toISOString()
const START = at(0)
const fresh: DoorState = {
  mode: 'locked',
  mode_since: START,
  lock_state: 'unknown',
  lock_state_since: START,
  position: 'unknown',
  position_since: START,
  alarms: [],
  alarms_since: START,
  connectivity: 'never_connected',
  connectivity_since: START,
  last_entry_at: null,
  heard: {},
}

const told = fc.record(
  {
    lock_state: fc.constantFrom(...lockStates),
    position: fc.constantFrom(...positions),
    connectivity: fc.constantFrom('online' as const, 'offline' as const),
    raised: fc.subarray([...doorAlarms]),
  },
  { requiredKeys: [] },
)

it('in whatever order news of a door arrives, in the end it is as the latest of each says', () => {
  fc.assert(
    fc.property(fc.array(told, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (list, luck) => {
      const changes = list.map(
        (change, index): DoorChange => ({
          access_point_id: 'd',
          at: at(index + 1),
          ...change,
          cleared: doorAlarms.filter((alarm) => change.raised !== undefined && !change.raised.includes(alarm)),
        }),
      )
      const shuffled = changes
        .map((change) => ({ change, key: luck.next().value as number }))
        .sort((a, b) => a.key - b.key)
      const inOrder = changes.reduce(changed, fresh)
      const anyOrder = shuffled.reduce((state, { change }) => changed(state, change), fresh)
      const values = ({ lock_state, position, connectivity, alarms }: DoorState) => ({
        lock_state,
        position,
        connectivity,
        alarms,
      })
      expect(values(anyOrder)).toEqual(values(inOrder))
    }),
  )
})

it('a door that nobody watches stays unwatched', () => {
  const state = changed(
    { ...fresh, connectivity: 'unsupervised' },
    { access_point_id: 'd', at: at(1), connectivity: 'online' },
  )
  expect(state.connectivity).toBe('unsupervised')
})
