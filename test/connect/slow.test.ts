import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Unreachable } from '../../src/connect/connector.ts'
import { inTime } from '../../src/connect/in-time.ts'
import { connectorFor } from '../../src/connect/kinds.ts'
import { manual } from '../../src/connect/manual.ts'
import { Supervisor } from '../../src/connect/supervisor.ts'
import { startHouse } from '../support/app.ts'
import { makeSite } from './site.ts'

const house = await startHouse()
const { engine, clock, owner } = house

describe('a device that hangs', () => {
  it('holds up no other, stays with the process that waits for it, and is attended to once it answers', async () => {
    const [slow, quick] = [await makeSite({ house, name: 'Slow' }), await makeSite({ house, name: 'Quick one' })]
    const answers = Promise.withResolvers<void>()
    let hangs = false
    let asked = 0
    const connect: typeof connectorFor = (kind, parts) => {
      const connector = connectorFor(kind, parts)
      if (parts.system !== slow.system.id) return connector
      const events = connector.events.bind(connector)
      connector.events = async (cursor) => {
        if (hangs) {
          asked += 1
          await answers.promise
        }
        return events(cursor)
      }
      return connector
    }
    const supervisor = new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
    const unlock = async (door: { id: string }) =>
      (await owner.post(`/api/v1/access-points/${door.id}/unlock`, { seconds: 5 })).body.data.id
    const statusOf = async (id: string) => (await owner.get(`/api/v1/commands/${id}`)).body.data.status
    await supervisor.run()
    hangs = true
    const [waiting, sent] = [await unlock(slow.door), await unlock(quick.door)]
    await supervisor.run(500)
    await supervisor.run(100)
    expect([await statusOf(waiting), await statusOf(sent), asked]).toEqual(['queued', 'confirmed', 1])
    // Longer than a lease lasts: it is prolonged meanwhile, and nobody else begins with it.
    const other = new Supervisor({
      engine: (await house.neighbour()).house.engine,
      clock,
      logger: pino({ level: 'silent' }),
    })
    for (let n = 0; n < 3; n++) {
      clock.forward(9000)
      await supervisor.run(10)
      await other.run()
    }
    const late = await unlock(slow.door)
    await other.run()
    expect(await statusOf(late)).toBe('queued')
    answers.resolve()
    await supervisor.run()
    await supervisor.run()
    expect(await statusOf(late)).toBe('confirmed')
    await supervisor.stop()
    await other.stop()
  })

  it('and seven more take no system from the process that attends to it, and a round ends in time', async () => {
    const sites = []
    for (let n = 1; n <= 9; n++) sites.push(await makeSite({ house, name: `Row ${'of many'.repeat(n)}` }))
    const last = sites.pop()
    const hanging = new Set(sites.map(({ system }) => system.id))
    const answers = Promise.withResolvers<void>()
    let hangs = false
    const connect: typeof connectorFor = (kind, parts) => {
      const connector = connectorFor(kind, parts)
      const events = connector.events.bind(connector)
      connector.events = async (cursor) => {
        if (hangs && hanging.has(parts.system)) await answers.promise
        return events(cursor)
      }
      return connector
    }
    const supervisor = new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
    const other = new Supervisor({
      engine: (await house.neighbour()).house.engine,
      clock,
      logger: pino({ level: 'silent' }),
    })
    await supervisor.run()
    const holderOf = async () => {
      const [row] = await engine.reader.all<{ holder: string }>(
        'select holder from system_links where access_control_system_id = $1',
        [last?.system.id],
      )
      return row?.holder
    }
    const ours = await holderOf()
    hangs = true
    for (let n = 0; n < 3; n++) {
      clock.forward(9000)
      await supervisor.run(10)
      await other.run()
      expect(await holderOf()).toBe(ours)
    }
    answers.resolve()
    await supervisor.run()
    await supervisor.stop()
    await other.stop()
  })

  it('is taken for one that does not answer after a while', async () => {
    const hanging = inTime({ ...manual, events: () => new Promise(() => undefined) }, 10)
    await expect(hanging.events(null)).rejects.toThrow(Unreachable)
  })
})

describe('a table that takes long to work out', () => {
  it('is worked out again after a rest, with all that has changed by then; of people who were written, at once', async () => {
    const site = await makeSite({ house, name: 'Large' })
    const compiled = { doors: 0, grants: 0, people: 0 }
    const connect: typeof connectorFor = (kind, parts) => {
      const connector = connectorFor(kind, parts)
      if (parts.system !== site.system.id) return connector
      const compile = connector.compile.bind(connector)
      connector.compile = (rules) => {
        for (const part of ['doors', 'grants', 'people'] as const) if (rules[part].length > 0) compiled[part] += 1
        clock.forward(1000)
        return compile(rules)
      }
      return connector
    }
    const supervisor = new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
    await supervisor.run()
    expect(compiled).toEqual({ doors: 1, grants: 1, people: 1 })
    clock.forward(9000)
    for (const seconds of [7, 8, 9]) {
      await owner.patch(`/api/v1/access-points/${site.door.id}`, { unlock_seconds: seconds })
      await supervisor.run()
    }
    expect(compiled).toEqual({ doors: 2, grants: 1, people: 1 })
    // What rests is told of as what it is.
    const stateOf = async () => (await owner.get(`/api/v1/access-points/${site.door.id}/sync`)).body.data.state
    expect(await stateOf()).toBe('pending')
    clock.forward(9000)
    await supervisor.run()
    expect(compiled).toEqual({ doors: 3, grants: 1, people: 1 })
    expect(await stateOf()).toBe('in_sync')
    // Together with what was written before them: else a device would hold what never was.
    await owner.patch(`/api/v1/access-points/${site.door.id}`, { unlock_seconds: 10 })
    await owner.patch(`/api/v1/individuals/${site.ada.id}`, { display_name: 'Ida' })
    await supervisor.run()
    expect(compiled).toEqual({ doors: 4, grants: 1, people: 2 })
    expect(await stateOf()).toBe('in_sync')
    await supervisor.stop()
  })
})
