import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyAudit } from '../../src/audit/verify.ts'
import type { Engine } from '../../src/db/engine.ts'
import { type FillResult, fillDemo } from '../../src/demo/fill.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { safeSvg } from '../../src/resources/floor-plans/safe-svg.ts'
import { actor, openEngine, startHouse } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { type Env, gatehouse, migratedHouse, serve, tokenFor } from './child.ts'

const NOW = '2027-06-15T12:00:00.000Z'
/** Fills take seconds, and many times that on a busy machine. */
const LONG_MS = 120_000

async function filled(
  seed: number,
  spaces: number,
  largeFrom?: number,
): Promise<{ engine: Engine; result: FillResult; org: number }> {
  const { engine, drop } = await openEngine()
  atEnd(async () => {
    await engine.close()
    await drop()
  })
  const { key: org } = await createOrganization(engine, NOW, actor, 'Demo', 'Europe/Zurich')
  const options = { seed, spaces, ...(largeFrom === undefined ? {} : { largeFrom }) }
  return { engine, org, result: await fillDemo(engine, org, NOW, actor, options) }
}

/** A number for everything in the tables that were filled. */
async function fingerprint({
  engine,
  result,
}: {
  engine: Engine
  result: FillResult
}): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const table of Object.keys(result.counts)) {
    const order = table === 'plan_cells' ? 'key_type_id, cylinder_id' : 'id'
    const rows = await engine.reader.all<object>(`select * from ${table} order by ${order}`, [])
    expect(rows).toHaveLength(result.counts[table] as number)
    prints[table] = hash('sha256', JSON.stringify(rows))
  }
  return prints
}

describe('the made-up organization', () => {
  it('is the same for the same seed, whether filled row by row or with its indexes built after; another seed gives another', {
    timeout: LONG_MS,
  }, async () => {
    const [one, same, large, other] = [
      await filled(7, 120),
      await filled(7, 120),
      await filled(7, 120, 1),
      await filled(8, 120),
    ]
    const print = await fingerprint(one)
    expect(await fingerprint(same)).toEqual(print)
    expect(await fingerprint(large)).toEqual(print)
    const others = await fingerprint(other)
    for (const table of ['spaces', 'individuals', 'keys']) expect(others[table]).not.toBe(print[table])
  })

  it('is recorded once, in a chain that holds', async () => {
    const { engine, org, result } = await filled(7, 60)
    const rows = await engine.reader.all<{ content: string }>(
      `select content from audit_log where action = 'demo.filled'`,
      [],
    )
    expect(rows).toHaveLength(1)
    expect(JSON.parse(rows[0]?.content as string).after).toEqual({ seed: 7, spaces: 60, counts: result.counts })
    expect(await verifyAudit(engine, org)).toEqual({ rows: 2 })
  })

  it('has drawings of a few floors as they are stored when somebody sends them, with the doors on them', async () => {
    const { engine } = await filled(1, 60)
    const drawn = await engine.reader.all<{ bytes: Uint8Array; image_hash: string; doors: number }>(
      `select i.bytes, t.image_hash, (select count(*) from floor_plan_positions p where p.floor_plan_id = t.id) as doors
       from floor_plans t join floor_plan_images i on i.floor_plan_id = t.id`,
      [],
    )
    expect(drawn).not.toHaveLength(0)
    for (const { bytes, image_hash, doors } of drawn) {
      const safe = safeSvg(bytes)
      expect([hash('sha256', safe.bytes), safe.removed]).toEqual([image_hash, []])
      expect(doors).toBeGreaterThan(3)
    }
  })

  it('has no credential that was used without a last time, or the other way round', async () => {
    const { engine } = await filled(1, 60)
    const odd = await engine.reader.all(
      `select id from credential_uses where (use_count = 0) <> (last_used_at is null)`,
      [],
    )
    expect(odd).toEqual([])
  })

  it.each([1, 2, 3, 7, 50])('can be as small as %i spaces', async (spaces) => {
    const { result } = await filled(1, spaces)
    expect(result.counts.spaces).toBe(spaces)
  })

  it('keeps every index and text index in place after a large fill', async () => {
    const names = async (engine: Engine) =>
      (
        await engine.reader.all<{ name: string }>(
          engine.dialect.name === 'postgres'
            ? 'select indexname as name from pg_indexes where schemaname = current_schema() order by indexname'
            : `select name from sqlite_master where type in ('index', 'trigger') order by name`,
          [],
        )
      ).map((row) => row.name)
    const [small, large] = [await filled(1, 100), await filled(1, 100, 1)]
    expect(await names(large.engine)).toEqual(await names(small.engine))
    if (large.engine.dialect.name === 'sqlite') {
      const found = await large.engine.reader.all(
        `select rowid from spaces_fts where spaces_fts match '"corridor"'`,
        [],
      )
      expect(found.length).toBeGreaterThan(5)
      await large.engine.transaction((session) =>
        session.run(`insert into spaces_fts (spaces_fts, rank) values ('integrity-check', 1)`, []),
      )
    }
  })
})

describe('through the API', async () => {
  const house = await startHouse()
  const { owner } = house
  const [organization] = await house.engine.reader.all<{ key: number }>('select key from organizations', [])
  await owner.get('/api/v1/spaces')
  await fillDemo(house.engine, organization?.key as number, house.clock.now(), actor, { seed: 1, spaces: 400 })

  it('shows at once in lists that were empty before, with composite texts, doors and plausible counts', async () => {
    const { body } = await owner.get('/api/v1/spaces?limit=100&search=zurich%20office')
    expect(body.meta.pagination.total_items).toBeGreaterThan(10)
    for (const space of body.data) {
      expect(space.location).toMatch(/^Switzerland \/ Zürich \/ Campus /)
      expect(space.access_points.length).toBe(space.summary.total_access_points)
      expect(space.summary.total_access_points).toBeGreaterThan(0)
      // A door without a reader is opened by keys alone, and a cylinder may lie in stock.
      if (space.summary.total_access_control_systems === 0) continue
      expect(space.summary.total_individuals).toBeGreaterThan(5)
      expect(space.summary.total_individuals).toBeLessThan(200)
      expect(space.summary.total_access_credentials).toBeGreaterThanOrEqual(space.summary.total_individuals / 2)
    }
  })

  it('has something to see in every list and overview', async () => {
    const nouns = [
      'locations',
      'buildings',
      'access-points',
      'individuals',
      'credentials',
      'access-groups',
      'access-grants',
      'keys',
    ]
    for (const noun of [
      ...nouns,
      'key-types',
      'cylinders',
      'key-handovers',
      'locking-system',
      'access-control-systems',
      'schedules',
    ]) {
      const { status, body } = await owner.get(`/api/v1/${noun}?limit=100`)
      expect([noun, status]).toEqual([noun, 200])
      expect(body.data.length).toBeGreaterThan(3)
    }
    const mechanical = (await owner.get('/api/v1/locking-system/overview')).body.data
    expect(mechanical.keys.overdue).toBeGreaterThan(0)
    expect(mechanical.keys.lost).toBeGreaterThan(0)
    const electronic = (await owner.get('/api/v1/access-control-systems/overview')).body.data
    expect(Object.keys(electronic.by_status).length).toBeGreaterThan(2)
    expect(electronic.access_points.in_alarm).toBeGreaterThan(0)
    for (const status of ['active', 'suspended', 'expired', 'terminated', 'pending']) {
      expect(electronic.credentials.by_status_type[status]).toBeGreaterThan(0)
    }
  })

  it('has an open alarm for every door that was forced, held open or tampered with, and no other', async () => {
    const doors = (await owner.get('/api/v1/access-points?in_alarm=is.true&limit=100')).body.data
    const alarms = (await owner.get('/api/v1/alarms?status=eq.open&limit=100')).body.data
    const told = (kind: string, id: string) => `${kind} ${id}`
    const shown = doors.flatMap(({ id, state }: { id: string; state: { alarms: { value: string[] } } }) =>
      state.alarms.value.map((kind) => told(kind, id)),
    )
    const open = alarms.map((alarm: { kind: string; access_point_id: string }) =>
      told(alarm.kind, alarm.access_point_id),
    )
    expect(shown.length).toBeGreaterThan(2)
    expect(open.sort()).toEqual(shown.sort())
    for (const { position, state } of doors)
      if (!state.alarms.value.every((kind: string) => kind === 'tamper')) expect(position).toBe('open')
    const flat = (await owner.get('/api/v1/access-points?needs_service=is.true&limit=100')).body.data
    expect(flat.length).toBeGreaterThan(0)
    for (const { in_alarm, state } of flat) expect([in_alarm, state.alarms.value]).toEqual([false, ['low_battery']])
  })

  it('has grants of every status and effect, on every kind of target', async () => {
    const total = async (query: string) =>
      (await owner.get(`/api/v1/access-grants?limit=1&${query}`)).body.meta.pagination.total
    for (const status of ['scheduled', 'active', 'expired', 'revoked'])
      expect(await total(`status=eq.${status}`)).toBeGreaterThan(0)
    for (const effect of ['allow', 'deny']) expect(await total(`effect=eq.${effect}`)).toBeGreaterThan(0)
    for (const target of ['access_point_id', 'space_id', 'building_id', 'location_id']) {
      expect(await total(`${target}=is.not_null`)).toBeGreaterThan(0)
    }
  })

  /** The server room that takes two persons, and who gets in there and why at some moment. */
  async function serverRoom(
    query: string,
  ): Promise<{ reasons: Record<string, number>; people: Array<Record<string, unknown>> }> {
    const { body: grants } = await owner.get('/api/v1/access-grants?limit=1&reason=eq.Maintenance%20of%20the%20cooling')
    const { status, body } = await owner.get(
      `/api/v1/spaces/${grants.data[0].space_id}/who-can-enter?limit=100&${query}`,
    )
    expect([status, body.msg]).toEqual([200, expect.any(String)])
    const reasons: Record<string, number> = {}
    for (const { reason } of body.data) reasons[reason] = (reasons[reason] ?? 0) + 1
    return { reasons, people: body.data }
  }

  it('answers who gets into the server room tonight with many reasons', async () => {
    const night = await serverRoom('at=2027-06-15T21:00:00.000Z')
    expect(Object.keys(night.reasons)).toEqual(
      expect.arrayContaining([
        'granted',
        'pin_required',
        'second_person_required',
        'out_of_time_range',
        'denied_by_rule',
      ]),
    )
    const byDay = night.people.find(({ reason }) => reason === 'out_of_time_range')
    expect(byDay?.next_allowed_at).toBe('2027-06-16T05:00:00.000Z')
    const day = await serverRoom('at=2027-06-16T10:00:00.000Z')
    expect(Object.keys(day.reasons)).toContain('no_escort')
  })

  it('knows how it was: who lost a right last week had it the week before', async () => {
    const { body } = await owner.get('/api/v1/access-grants?limit=1&reason=eq.Migration%20of%20the%20storage')
    const has = (found: { people: Array<Record<string, unknown>> }) =>
      found.people.some((person) => person.individual_id === body.data[0].individual_id)
    expect(has(await serverRoom(''))).toBe(false)
    expect(has(await serverRoom('as_of=2027-06-01T10:00:00.000Z'))).toBe(true)
    const { status } = await owner.get(
      `/api/v1/spaces/${body.data[0].space_id}/who-can-enter?as_of=2026-01-01T10:00:00.000Z`,
    )
    expect(status).toBe(200)
  })

  it('has a laboratory that is full, an entrance that waits for its first person, emergencies that are over, lost keys that open', async () => {
    const total = async (path: string) => (await owner.get(`/api/v1/${path}`)).body.meta.pagination.total
    expect(await total('access-points?limit=1&first_person_in=eq.true&unlock_schedule_id=is.not_null')).toBeGreaterThan(
      0,
    )
    expect(await total('lockdowns?limit=1&status=eq.expired')).toBe(1)
    expect(await total('lockdowns?limit=1&status=eq.released')).toBe(2)
    const [inside] = await house.engine.reader.all<{ space_id: string }>('select space_id from presence', [])
    const { body } = await owner.get(
      `/api/v1/spaces/${inside?.space_id}/who-can-enter?limit=100&at=2027-06-15T12:00:00.000Z`,
    )
    const reasons = body.data.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toEqual(expect.arrayContaining(['passback', 'occupancy_limit']))
    const lost = (await owner.get('/api/v1/keys?limit=1&status=eq.lost')).body.data[0]
    const { body: opens } = await owner.get(`/api/v1/keys/${lost.id}/opens`)
    const door = opens.data.opens.access_points[0]
    const { body: there } = await owner.get(`/api/v1/access-points/${door.id}/who-can-open?limit=1`)
    expect(there.meta.unaccounted_keys).toBeGreaterThan(0)
  })

  it('stores the public holidays that the region would be proposed', async () => {
    const { body } = await owner.get('/api/v1/calendars')
    const [{ days }] = body.data
    expect(days).toContainEqual({ date: '2027-03-29', name: 'Ostermontag' })
    expect(days.filter(({ date }: { date: string }) => date.startsWith('2027'))).toHaveLength(10)
    expect(days.map(({ date }: { date: string }) => date)).toEqual(
      days.map(({ date }: { date: string }) => date).toSorted(),
    )
  })
})

describe('on the command line', () => {
  const spacesOf = async (env: Env, token: string) => {
    const { address, signal, ended } = await serve([], env)
    const answer = await fetch(`${address}/api/v1/spaces?limit=1`, { headers: { authorization: `Token ${token}` } })
    const body = (await answer.json()) as { meta: { pagination: { total_items: number } } }
    signal('SIGTERM')
    await ended
    return body.meta.pagination.total_items
  }

  it('makes exactly the spaces asked for, and a second fill is refused without doubling anything', {
    timeout: LONG_MS,
  }, async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env, 'Owner', 'Large')
    const args = ['demo', '--spaces', '700', '--organization', 'Large']
    const first = await gatehouse(args, env)
    expect(first.err).toContain('Filled "Large" with 700 spaces')
    expect(first.code).toBe(0)
    const second = await gatehouse(args, env)
    expect(second.code).toBe(1)
    expect(second.err).toBe(
      'The organization "Large" has data already; nothing was changed. Name another with --organization.\n',
    )
    expect(await spacesOf(env, token)).toBe(700)
  })
})
