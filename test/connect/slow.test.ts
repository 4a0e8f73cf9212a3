import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type Connector, Unreachable } from '../../src/connect/connector.ts'
import { inTime } from '../../src/connect/in-time.ts'
import { connectorFor } from '../../src/connect/kinds.ts'
import { manual } from '../../src/connect/manual.ts'
import { Supervisor } from '../../src/connect/supervisor.ts'
import { startHouse } from '../support/app.ts'
import { makeSite, type Site } from './site.ts'

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

it('what a device does not let go of is told as what it still opens by, and asked for again', async () => {
  const site = await makeSite({ house, name: 'Does not let go of it' })
  await site.round()
  let refuses = true
  const connect: typeof connectorFor = (kind, parts) => {
    const connector = connectorFor(kind, parts)
    const apply: Connector['apply'] = connector.apply.bind(connector)
    if (parts.system === site.system.id)
      connector.apply = async (operation) =>
        refuses && 'remove' in operation
          ? operation.remove.map((key) => ({ key, code: 'not_understood', message: 'It is write-protected' }))
          : apply(operation)
    return connector
  }
  await site.supervisor.stop()
  const supervisor = new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
  await owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
  clock.forward(1000)
  await supervisor.run()
  const standing = async () => (await owner.get(`/api/v1/access-grants/${site.grant.id}/sync`)).body.data
  expect(await standing()).toMatchObject({
    state: 'failed',
    error: { message: 'It is write-protected' },
    still_opens: [{ until: null }, { until: null }],
  })
  expect((await owner.get(`/api/v1/access-control-systems/${site.system.id}`)).body.data.status).toBe('degraded')
  refuses = false
  clock.forward(60_000)
  await supervisor.run()
  expect(await standing()).toMatchObject({ state: 'in_sync', still_opens: [] })
  expect(await site.swipe(site.card.number)).toBe('unknown_credential')
  await supervisor.stop()
})

describe('a table that takes long to transfer', () => {
  const MANY = 210
  /** Of a site whose table was there before: more cards than go with one transfer. */
  const withCards = async (name: string) => {
    const site = await makeSite({ house, name })
    await site.round()
    const operations = Array.from({ length: MANY }, (_, n) => ({
      op: 'create',
      body: { type: 'card', number: `${name.length}${1000 + n}`, individual_id: site.ada.id },
    }))
    const { results } = (await owner.post('/api/v1/credentials/batch', { operations })).body.data
    return { site, cards: results.map(({ data }: { data: { id: string } }) => data.id) as string[] }
  }
  /** Attends to one site; `meanwhile` is called before each transfer. */
  const supervisorOf = ({ system }: Site, meanwhile: (kinds: readonly string[]) => Promise<void>) => {
    const connect: typeof connectorFor = (kind, parts) => {
      const connector = connectorFor(kind, parts)
      if (parts.system !== system.id) return connector
      const apply: Connector['apply'] = connector.apply.bind(connector)
      connector.apply = async (operation) => {
        await meanwhile('put' in operation ? operation.put.map((entry) => entry.kind) : ['removal'])
        return apply(operation)
      }
      return connector
    }
    return new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
  }
  /** Its own supervisor lets go of it. */
  const takeOver = async (site: Site) => {
    await site.supervisor.stop()
    clock.forward(1000)
  }

  it('lets commands through between', async () => {
    const { site } = await withCards('Long one')
    await takeOver(site)
    let id: string | undefined
    const statuses: string[] = []
    const supervisor = supervisorOf(site, async () => {
      if (id) statuses.push((await owner.get(`/api/v1/commands/${id}`)).body.data.status)
      else id = (await owner.post(`/api/v1/access-points/${site.door.id}/unlock`, { seconds: 5 })).body.data.id
    })
    await supervisor.run()
    expect(statuses).toEqual(['confirmed', 'confirmed'])
    await supervisor.stop()
  })

  it('waits for an emergency', async () => {
    const { site } = await withCards('Pressed')
    await takeOver(site)
    const transfers: string[] = []
    let evacuation: string | undefined
    const supervisor = supervisorOf(site, async ([first = '']) => {
      transfers.push(first)
      evacuation ??= (await owner.create('/api/v1/lockdowns', { kind: 'evacuation', building_id: site.building.id })).id
    })
    await supervisor.run()
    await supervisor.run()
    expect(transfers.slice(0, 2)).toEqual(['card', 'door'])
    expect(await site.swipe('999')).toBe('evacuation')
    const standing = (await owner.get(`/api/v1/access-control-systems/${site.system.id}/sync`)).body.data
    expect(standing).toMatchObject({ state: 'in_sync', pending: 0 })
    await owner.post(`/api/v1/lockdowns/${evacuation}/release`)
    await supervisor.stop()
  })

  it('is gone on with by whoever has the lease alone', async () => {
    const { site, cards } = await withCards('It stood still')
    await takeOver(site)
    const goesOn = Promise.withResolvers<void>()
    const stands = Promise.withResolvers<void>()
    const still = supervisorOf(site, () => {
      stands.resolve()
      return goesOn.promise
    })
    const round = still.run()
    await stands.promise
    clock.forward(16_000)
    const other = new Supervisor({
      engine: (await house.neighbour()).house.engine,
      clock,
      logger: pino({ level: 'silent' }),
    })
    await other.run()
    const operations = cards.map((id) => ({ op: 'update', id, body: { status_reason: 'lost' } }))
    expect((await owner.post('/api/v1/credentials/batch', { operations })).status).toBe(200)
    await other.run()
    const held = async () => (await site.play({ action: 'go_online' })).body.data.entries.cards
    expect(await held()).toBe(1)
    goesOn.resolve()
    await round
    // What was on its way as it stood still has arrived, and nothing more.
    expect(await held()).toBeLessThanOrEqual(101)
    const standing = (await owner.get(`/api/v1/access-control-systems/${site.system.id}/sync`)).body.data
    expect(standing).toMatchObject({ state: 'in_sync', pending: 0 })
    await other.stop()
    await still.stop()
  })

  it('forgets no use of a card that comes in between', async () => {
    const site = await makeSite({ house, name: 'It is used meanwhile' })
    const once = { type: 'card', number: '8151', individual_id: site.ada.id, max_uses: 1 }
    const { id } = await owner.create('/api/v1/credentials', once)
    await site.round()
    await owner.patch(`/api/v1/credentials/${id}`, { valid_until: '2040-01-01T00:00:00.000Z' })
    await takeOver(site)
    const reasons: string[] = []
    const supervisor = supervisorOf(site, async () => void reasons.push(await site.swipe('8151')))
    await supervisor.run()
    expect([...reasons, await site.swipe('8151')]).toEqual(['granted', 'max_uses'])
    await supervisor.stop()
  })
})

it('an emergency waits for no rest of a table that takes long to work out', async () => {
  const site = await makeSite({ house, name: 'It is at rest' })
  const connect: typeof connectorFor = (kind, parts) => {
    const connector = connectorFor(kind, parts)
    const compile = connector.compile.bind(connector)
    connector.compile = (rules) => {
      if (parts.system === site.system.id) clock.forward(1000)
      return compile(rules)
    }
    return connector
  }
  const supervisor = new Supervisor({ engine, clock, connect, logger: pino({ level: 'silent' }) })
  await supervisor.run()
  await owner.create('/api/v1/lockdowns', { kind: 'evacuation', building_id: site.building.id })
  await supervisor.run()
  expect(await site.swipe('999')).toBe('evacuation')
  await supervisor.stop()
})
