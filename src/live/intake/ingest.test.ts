import { beforeAll, describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import type { PlaceSet } from '../../core/rights.ts'
import { change } from '../../db/change.ts'
import { newsOf } from '../news.ts'
import { ingest } from './ingest.ts'
import type { IngestResult, NewEvent } from './new-event.ts'
import { takeIn } from './take-in.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

let door: { id: string }
let building: { id: string }
let system: { id: string }
let person: { id: string }
let card: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  door = await owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  card = await owner.create('/api/v1/credentials', { type: 'card', number: '0004711', individual_id: person.id })
})

const take = (events: readonly NewEvent[]) => ingest({ engine, clock }, 1, events)
const stored = (columns: string) =>
  engine.reader.all<Record<string, unknown>>(`select ${columns} from access_events where org = 1 order by sequence`, [])
const versions = async () =>
  engine.reader.all('select data_version, audit_sequence, changed_at from organizations where key = 1', [])

describe('ingesting events', () => {
  it('stores them one after the other, with their own time and ours, and touches nothing of the register', async () => {
    const before = await versions()
    const occurred_at = new Date(Date.parse(clock.now()) - 60_000).toISOString()
    const results = await take([
      { type: 'access.granted', access_point_id: door.id, credential_id: card.id, occurred_at, direction: 'in' },
      { type: 'door.opened', access_point_id: door.id },
    ])
    expect(results).toMatchObject([
      { status: 'stored', sequence: 1 },
      { status: 'stored', sequence: 2 },
    ])
    const common = { access_point_id: door.id, building_id: building.id, received_at: clock.now() }
    // What follows from them comes behind.
    expect((await stored('*')).slice(0, 2)).toMatchObject([
      { ...common, type: 'access.granted', result: 'granted', individual_id: person.id, occurred_at, direction: 'in' },
      { ...common, type: 'door.opened', result: null, individual_id: null, occurred_at: clock.now() },
    ])
    expect(await versions()).toEqual(before)
  })

  // SQLite has one writer: there it is either before that or after it.
  it.runIf(process.env.ENGINE === 'postgres')('stores the others when somebody is deleted as they pass', async () => {
    const gone = await owner.create('/api/v1/individuals', { display_name: 'Going' })
    const last = (await stored('sequence')).length
    const events = [
      { type: 'access.taken', access_point_id: door.id, individual_id: gone.id },
      { type: 'door.closed', access_point_id: door.id },
    ] as const
    const { taking } = await change(engine, 1, clock.now(), actor, async (tx) => {
      await tx.remove('individuals', gone.id)
      tx.event({
        action: 'individual.deleted',
        resource: 'individuals',
        resourceId: gone.id,
        before: gone,
        after: null,
      })
      const taking = take(events)
      const isWaiting = `select 1 as one from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`
      await vi.waitUntil(async () => (await engine.reader.all(isWaiting, [])).length > 0, { timeout: 10_000 })
      return { taking }
    })
    expect((await taking).map(({ status }) => status)).toEqual(['refused', 'stored'])
    const types = (await stored('type')).slice(last)
    expect(types.map(({ type }) => type)).toEqual(['door.closed'])
    expect(await engine.reader.all('select 1 as one from presence where individual_id = $1', [gone.id])).toEqual([])
  })

  it('knows a card by its number however it is written, and keeps the number of one that is not known', async () => {
    const [known, unknown] = await take([
      { type: 'access.granted', access_point_id: door.id, credential_number: '4711' },
      { type: 'access.denied', access_point_id: door.id, credential_number: '99', reason: 'unknown_credential' },
    ])
    const rows = await stored('id, credential_id, individual_id, credential_number')
    const find = (result: typeof known) => rows.find(({ id }) => result && 'id' in result && id === result.id)
    expect(find(known)).toMatchObject({ credential_id: card.id, individual_id: person.id, credential_number: null })
    expect(find(unknown)).toMatchObject({ credential_id: null, individual_id: null, credential_number: '99' })
  })

  it('shows who asks for it the verdict that takes a closer look, with what is stored; many others wait for theirs', async () => {
    const limited = await owner.create('/api/v1/spaces', { name: 'Vault', building_id: building.id, passback: 'hard' })
    const inner = await owner.create('/api/v1/access-points', {
      name: 'Inner',
      space_id: limited.id,
      access_control_system_id: system.id,
    })
    clock.forward(1000)
    const event: NewEvent = {
      type: 'access.granted',
      access_point_id: inner.id,
      credential_id: card.id,
      direction: 'in',
    }
    const told = { events: [event], scope: 'all', received_at: clock.now() } as const
    const taken = await takeIn(engine, 1, clock.now(), [{ ...told, isShown: true }, told])
    const [[shown], [stored]] = taken.results as [[IngestResult], [IngestResult]]
    expect(shown).toMatchObject({
      status: 'stored',
      event: { verdict: 'unexpected_grant', verdict_reason: 'no_access_rights' },
    })
    expect([stored.status, 'event' in stored, taken.isJudged]).toEqual(['stored', false, false])
    expect(await takeIn(engine, 1, clock.now(), [{ ...told, isShown: true }])).toMatchObject({ isJudged: true })
  })

  it('judges by the rules of then: a grant that came later opens nothing before, and what it opens it opens from then on', async () => {
    clock.forward(1000)
    const before = clock.now()
    clock.forward(1000)
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    clock.forward(1000)
    const event = { type: 'access.granted', access_point_id: door.id, credential_id: card.id } as const
    const told = { scope: 'all', received_at: clock.now(), isShown: true } as const
    const { results } = await takeIn(engine, 1, clock.now(), [
      { ...told, events: [{ ...event, occurred_at: before }, event] },
    ])
    expect(results[0]).toMatchObject([
      { event: { verdict: 'unexpected_grant', verdict_reason: 'no_access_rights' } },
      { event: { verdict: 'agreed', verdict_reason: 'granted' } },
    ])
  })

  it('looks at the doors of a system for whoever may report of some places alone', async () => {
    const { id } = await owner.create('/api/v1/access-control-systems', { name: 'Without a place' })
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: id })
    const here: PlaceSet = { buildings: new Set([building.id]), locations: new Set() }
    const elsewhere: PlaceSet = { buildings: new Set([NOBODY]), locations: new Set() }
    const asked = vi.spyOn(engine.reader, 'all')
    const taken = async (scope: 'all' | PlaceSet) => {
      asked.mockClear()
      const event = { type: 'system.clock_set', access_control_system_id: id } as const
      const { results } = await takeIn(engine, 1, clock.now(), [{ events: [event], scope, received_at: clock.now() }])
      return [results[0]?.[0]?.status, asked.mock.calls.some(([text]) => text.includes('distinct l.id'))]
    }
    expect(await taken('all')).toEqual(['stored', false])
    expect(await taken(here)).toEqual(['stored', true])
    expect(await taken(here)).toEqual(['stored', false])
    expect(await taken(elsewhere)).toEqual(['refused', false])
    asked.mockRestore()
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: system.id })
  })

  it('stores what is sent again once, by the system that sent it or by none', async () => {
    const event: NewEvent = { type: 'door.closed', access_point_id: door.id, source_id: 'a-1' }
    const [first] = await take([event])
    const [again, of, twice] = await take([
      event,
      { ...event, access_control_system_id: system.id },
      { ...event, access_control_system_id: system.id },
    ])
    expect(again).toEqual({ ...first, status: 'duplicate' })
    expect(of).toMatchObject({ status: 'stored' })
    expect(twice).toEqual({ ...of, status: 'duplicate' })
  })

  it('refuses by row what refers to nothing, and stores the rest', async () => {
    const results = await take([
      { type: 'door.opened', access_point_id: NOBODY },
      { type: 'door.opened', access_point_id: door.id },
      { type: 'access.denied', credential_id: NOBODY },
      { type: 'access.denied', individual_id: NOBODY },
      { type: 'system.online', access_control_system_id: NOBODY },
      { type: 'system.online', occurred_at: 'yesterday' },
      { type: 'lock.unlocked', access_point_id: door.id, command_id: NOBODY },
      { type: 'access.granted', access_point_id: door.id, reason: 'no_access_rights' },
      { type: 'access.denied', access_point_id: door.id, reason: 'door_unlocked' },
      { type: 'access.granted', access_point_id: door.id, reason: 'passback' },
      { type: 'access.denied', access_point_id: door.id, reason: 'the vendor’s own word' },
    ])
    expect(
      results.map((result) =>
        result.status === 'refused' ? `${result.fault.path} ${result.fault.rule}` : result.status,
      ),
    ).toEqual([
      'access_point_id reference.not_found',
      'stored',
      'credential_id reference.not_found',
      'individual_id reference.not_found',
      'access_control_system_id reference.not_found',
      'occurred_at body.format',
      'command_id reference.not_found',
      'reason event.contradiction',
      'reason event.contradiction',
      'stored',
      'stored',
    ])
  })

  it('of a sender for one building takes what happened there and nothing else', async () => {
    const scopeOf = (id: string): PlaceSet => ({ buildings: new Set([id]), locations: new Set() })
    const event: NewEvent = { type: 'door.opened', access_point_id: door.id }
    const own = await ingest({ engine, clock }, 1, [event], { scope: scopeOf(building.id) })
    const others = await ingest(
      { engine, clock },
      1,
      [event, { type: 'system.online', access_control_system_id: system.id }],
      {
        scope: scopeOf(NOBODY),
      },
    )
    expect([...own, ...others].map(({ status }) => status)).toEqual(['stored', 'refused', 'refused'])
  })

  it('commits together what comes at once, in an order without gaps, and tells who listens', async () => {
    let told = 0
    const stop = newsOf(engine).listen(1, 'access-events', () => {
      told += 1
    })
    const sent = Array.from({ length: 300 }, (_, n) =>
      take([{ type: 'door.opened', access_point_id: door.id, source_id: `s-${n}` }]),
    )
    const results = (await Promise.all(sent)).flat()
    stop()
    expect(results.every(({ status }) => status === 'stored')).toBe(true)
    const sequences = (await stored('sequence')).map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThan(100)
    const [head] = await engine.reader.all<{ sequence: number; stored: number }>(
      'select sequence, stored from live_heads where org = 1',
      [],
    )
    expect(head).toEqual({ sequence: sequences.length, stored: sequences.length })
  })

  it('under the same key in two processes at once are stored once, and another request under it by nobody', async () => {
    const there = (await house.neighbour()).house.engine
    const once = (fingerprint: string) => ({
      once: { principal_id: NOBODY, credential: 'token', key: 'k', fingerprint, held: '' },
    })
    const event: NewEvent = { type: 'door.opened', access_point_id: door.id }
    const before = (await stored('sequence')).length
    const told = await Promise.all([engine, there].map((on) => ingest({ engine: on, clock }, 1, [event], once('a'))))
    expect(told[0]).toEqual(told[1])
    const others = [ingest({ engine, clock }, 1, [event], once('b')), take([event])]
    const [refused, beside] = await Promise.allSettled(others)
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(beside).toMatchObject({ status: 'fulfilled', value: [{ status: 'stored' }] })
    expect((await stored('sequence, source_id')).slice(before)).toMatchObject([
      { source_id: null },
      { source_id: null },
    ])
  })

  it('counts on from where another process is', async () => {
    const there = (await house.neighbour()).house.engine
    const both = await Promise.all(
      [engine, there].map((on) =>
        ingest(
          { engine: on, clock },
          1,
          Array.from({ length: 20 }, () => ({ type: 'system.restarted' as const })),
        ),
      ),
    )
    const given = both.flat().map((result) => (result.status === 'stored' ? result.sequence : 0))
    expect(new Set(given).size).toBe(40)
    expect(given).not.toContain(0)
  })
})
