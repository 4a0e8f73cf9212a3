import { change, type Tx } from '../../src/db/change.ts'
import { actor, type TestHouse } from '../support/app.ts'

// What happens at the doors is not told by the API yet: where people are, what a door's mode is, how often a credential was used, who was
// let in. The tests put it into the tables where it will be kept.

let sequence = 0

/** Writes live facts of the first organization. */
export class Live {
  private readonly house: TestHouse

  constructor(house: TestHouse) {
    this.house = house
  }

  setMode(door: string, value: string): Promise<unknown> {
    const since = this.house.clock.now()
    return this.write(door, async (tx) => {
      const axis = (text: string) => ({ value: text, since })
      const state = {
        mode: axis(value),
        lock_state: axis('unknown'),
        position: axis('unknown'),
        alarms: { value: [], since },
        connectivity: axis('online'),
      }
      await tx.update('access_points', door, { state: JSON.stringify(state) })
    })
  }

  setUses(credential: string, use_count: number): Promise<unknown> {
    return this.write(credential, (tx) => tx.update('credentials', credential, { use_count }))
  }

  see(individual_id: string, space_id: string, access_point_id: string, since: string): Promise<unknown> {
    return this.write(individual_id, (tx) => tx.insert('presence', { individual_id, space_id, access_point_id, since }))
  }

  letIn(access_point_id: string, occurred_at: string, direction: 'in' | 'out' | null): Promise<unknown> {
    sequence += 1
    const event = {
      sequence,
      id: crypto.randomUUID(),
      type: 'access.granted',
      occurred_at,
      received_at: occurred_at,
      direction,
      access_point_id,
    }
    return this.write(event.id, (tx) => tx.insert('access_events', event))
  }

  private write(resourceId: string, run: (tx: Tx) => Promise<void>): Promise<unknown> {
    const { engine, clock } = this.house
    return change(engine, 1, clock.now(), actor, async (tx) => {
      await run(tx)
      tx.record({ action: 'live.written', resource: 'access-events', resourceId, before: null, after: null })
    })
  }
}
