import { describe, expect, it, vi } from 'vitest'
import { confirmCommands } from '../../src/connect/commands.ts'
import { Link } from '../../src/connect/link.ts'
import { manual } from '../../src/connect/manual.ts'
import { change } from '../../src/db/change.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { actor } from '../support/app.ts'
import { memberWith } from '../support/role.ts'
import { makeSite } from './site.ts'

const site = await makeSite()
const { owner, house, door, other, system } = site
await site.round()
const unlock = (id: string, body?: object, headers?: Record<string, string>) =>
  owner.post(`/api/v1/access-points/${id}/unlock`, body, headers)
/** The answer, while the system is attended to again and again. */
async function attended<T>(asked: Promise<T>): Promise<T> {
  let isAnswered = false
  const answer = asked.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    await new Promise((resolve) => setImmediate(resolve))
    await site.supervisor.run()
  }
  return answer
}
const commandOf = async (id: string) => (await owner.get(`/api/v1/commands/${id}`)).body.data

describe('a command', () => {
  it('is queued, sent, and confirmed by the door’s own event, which carries its id', async () => {
    const made = await unlock(door.id, { seconds: 3, reason: 'Delivery' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      action: 'unlock',
      status: 'queued',
      seconds: 3,
      reason: 'Delivery',
      access_point_id: door.id,
    })
    expect(made.headers.location).toBe(`/api/v1/commands/${made.body.data.id}`)
    await site.round()
    expect(await commandOf(made.body.data.id)).toMatchObject({
      status: 'confirmed',
      ended_at: house.clock.now(),
      error_code: null,
    })
    const told = (await site.events('and command_id is not null')).map(({ type, command_id }) => [type, command_id])
    expect(told).toEqual([['lock.unlocked', made.body.data.id]])
  })

  it('is waited for by whoever prefers to', async () => {
    const made = await attended(unlock(other.id, undefined, { prefer: 'respond-async, wait=5' }))
    expect(made.headers['preference-applied']).toBe('wait=5')
    expect([made.body.data.status, made.body.msg]).toEqual(['confirmed', 'Confirmed unlock of Site side'])
  })

  it('is waited for by many with one look for all, and no longer than an answer may take', async () => {
    await site.play({ action: 'go_offline' })
    await site.round()
    const looks = vi.spyOn(house.engine.reader, 'all')
    const made = await Promise.all(Array.from({ length: 20 }, () => unlock(other.id, undefined, { prefer: 'wait=1' })))
    expect(
      looks.mock.calls.filter(([text]) => /from commands t where .* and t.expires_at > /s.test(text)).length,
    ).toBeLessThan(60)
    expect(new Set(made.map(({ status, body }) => `${status} ${body.data.status}`))).toEqual(new Set(['201 queued']))
    const refused = vi
      .spyOn(house.engine.reader, 'all')
      .mockImplementation(() => Promise.reject(new Error('the database is away')))
    const unread = await unlock(other.id, undefined, { prefer: 'wait=60' })
    refused.mockRestore()
    // It is done, so nobody is told that nothing was changed.
    expect([unread.status, unread.headers['preference-applied'], unread.body.data.status]).toEqual([
      201,
      'wait=8',
      'queued',
    ])
    await site.play({ action: 'go_online' })
    await site.round(60_000)
  })

  it('to a door that its device has not been told of waits until it has', async () => {
    const fresh = await owner.create('/api/v1/access-points', {
      name: 'New',
      space_id: site.space.id,
      access_control_system_id: system.id,
    })
    const { id } = (await unlock(fresh.id)).body.data
    await site.round()
    expect(await commandOf(id)).toMatchObject({ status: 'confirmed', error_code: null })
    const many = { action: 'lock', access_point_ids: [fresh.id, door.id] }
    const made = await attended(owner.post('/api/v1/commands', many, { prefer: 'wait=8' }))
    expect(made.body.msg).toBe('Queued 2 of 2 commands: 2 confirmed')
    await owner.delete(`/api/v1/access-points/${fresh.id}`)
  })

  it('that comes too late is never sent', async () => {
    await site.play({ action: 'go_offline' })
    await site.round()
    const { id, expires_at, version } = (await unlock(door.id, { expires_in_seconds: 5 })).body.data
    house.clock.forward(6000)
    // Before anybody has looked, and as it is written down, though the system cannot be reached.
    expect(await commandOf(id)).toMatchObject({ status: 'timed_out', ended_at: expires_at, version })
    await site.round()
    const ended = { status: 'timed_out', ended_at: expires_at, version: version + 1, updated_at: house.clock.now() }
    expect(await commandOf(id)).toMatchObject(ended)
    await site.play({ action: 'go_online' })
    await site.round(60_000)
    expect(await commandOf(id)).toMatchObject({ ...ended, sent_at: null })
    expect((await site.events('and command_id is not null')).map(({ command_id }) => command_id)).not.toContain(id)
  })

  it('whose acknowledgement is lost is not sent again, and the door’s event confirms it', async () => {
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
    const { id } = (await unlock(door.id, { seconds: 2 })).body.data
    await site.round()
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
    await site.round(60_000)
    await site.round()
    const events = (await site.events('and command_id is not null')).filter(({ command_id }) => command_id === id)
    expect(events).toHaveLength(1)
    expect(await commandOf(id)).toMatchObject({ status: 'confirmed' })
  })

  it('says in which mode the door is until somebody says otherwise', async () => {
    const tell = async (action: string, body?: object) => {
      await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)
      await site.round()
      return (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state.mode.value
    }
    expect(await tell('block')).toBe('blocked')
    expect(await tell('release')).toBe('locked')
    expect(await tell('unlock', { until_released: true })).toBe('unlocked')
    expect(await tell('lock')).toBe('locked')
    expect(await tell('unlock', { seconds: 2 })).toBe('unlocked_timed')
    await site.round(3000)
    expect((await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state.mode.value).toBe('locked')
  })

  it('that the door cannot do fails, and says why', async () => {
    const evacuation = await owner.create('/api/v1/lockdowns', { kind: 'evacuation', building_id: site.building.id })
    await site.round()
    const { id } = (await owner.post(`/api/v1/access-points/${door.id}/block`)).body.data
    await site.round()
    expect(await commandOf(id)).toMatchObject({ status: 'failed', error_code: 'stays_evacuation' })
    await owner.post(`/api/v1/lockdowns/${evacuation.id}/release`)
    await site.round()
  })

  it('comes behind an emergency that its device has not been told of yet', async () => {
    for (const [kind, action, body] of [
      ['lockdown', 'unlock', { until_released: true }],
      ['evacuation', 'lock', {}],
      ['evacuation', 'block', {}],
    ] as const) {
      const { id: emergency } = await owner.create('/api/v1/lockdowns', { kind, building_id: site.building.id })
      const { id } = (await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)).body.data
      await site.round()
      const stays = kind === 'lockdown' ? 'stays_locked_down' : 'stays_evacuation'
      expect(await commandOf(id), `${action} in ${kind}`).toMatchObject({ status: 'failed', error_code: stays })
      expect((await site.events('and command_id is not null')).map(({ command_id }) => command_id)).not.toContain(id)
      await owner.post(`/api/v1/lockdowns/${emergency}/release`)
      await site.round()
      expect((await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state.mode.value).toBe('locked')
    }
  })

  it('blocks a door until it is released: nobody gets in', async () => {
    await owner.post(`/api/v1/access-points/${door.id}/block`)
    await site.round()
    expect(await site.swipe(site.card.number)).toBe('point_blocked')
    await owner.post(`/api/v1/access-points/${door.id}/release`)
    await site.round()
    expect(await site.swipe(site.card.number)).toBe('granted')
  })

  it('to unlock or lock a blocked door does not end the block: release it first', async () => {
    const modeOf = async () => (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state.mode.value
    const tell = async (action: string, body?: object) => {
      const { id } = (await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)).body.data
      await site.round()
      return commandOf(id)
    }
    await tell('block')
    const refused = {
      status: 'failed',
      error_code: 'stays_blocked',
      error_message: 'The door stays blocked: release it first',
    }
    expect(await tell('unlock', { seconds: 3 })).toMatchObject(refused)
    await site.round(5000)
    expect(await modeOf()).toBe('blocked')
    expect(await tell('lock')).toMatchObject({ status: 'confirmed' })
    expect([await modeOf(), await site.swipe(site.card.number)]).toEqual(['blocked', 'point_blocked'])
    // A controller that was replaced, or never knew of blocks, is not asked.
    await house.engine.transaction((session) => session.run('delete from simulator_doors', []))
    expect(await tell('unlock', { until_released: true })).toMatchObject(refused)
    await tell('release')
    expect(await tell('unlock', { seconds: 3 })).toMatchObject({ status: 'confirmed' })
    await site.round(5000)
    expect(await modeOf()).toBe('locked')
  })

  it('to block and to unlock, given at once, leaves the door blocked', async () => {
    const order = async (action: string) =>
      (await owner.post(`/api/v1/access-points/${door.id}/${action}`)).body.data.id
    const ids = [await order('block'), await order('unlock')]
    await site.round()
    const [blocked, unlocked] = await Promise.all(ids.map(commandOf))
    expect([blocked.status, unlocked.status, unlocked.error_code]).toEqual(['confirmed', 'failed', 'stays_blocked'])
    await order('release')
    await site.round()
  })

  it('that is told of late undoes nothing that was asked since', async () => {
    const modeOf = async () => (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state.mode.value
    const tell = async (action: string, body?: object) => {
      const { id } = (await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)).body.data
      await site.round()
      return id
    }
    for (const [first, second, mode] of [
      ['unlock', 'block', 'blocked'],
      ['release', 'block', 'blocked'],
      ['block', 'release', 'locked'],
      ['unlock', 'lock', 'locked'],
      ['lock', 'unlock', 'unlocked'],
      ['block', 'lock', 'blocked'],
    ] as const) {
      const id = await tell(first, first === 'unlock' ? { until_released: true } : {})
      await tell(second, second === 'unlock' ? { until_released: true } : {})
      // As if nobody had heard of it until now.
      await house.engine.transaction((session) =>
        session.run(`update commands set status = 'sent' where id = $1`, [id]),
      )
      await confirmCommands(new Link(house, 1, system.id, manual), [
        {
          source_id: 'late',
          type: 'lock.unlocked',
          occurred_at: house.clock.now(),
          access_point_id: door.id,
          command_id: id,
        },
      ])
      expect([(await commandOf(id)).status, await modeOf()], `${first}, ${second}`).toEqual(['confirmed', mode])
      await tell('release')
      expect(await modeOf()).toBe('locked')
    }
  })

  it('to unlock that is told of late ends when the door locks again', async () => {
    const away = await makeSite({ house, name: 'Told of late' })
    await site.round()
    await away.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
    const { id } = (await unlock(away.door.id, { seconds: 600 })).body.data
    await site.round()
    await away.play({ action: 'go_offline' })
    await site.round(540_000)
    expect((await commandOf(id)).status).toBe('timed_out')
    await away.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
    await away.play({ action: 'go_online' })
    const modeOf = async () => (await owner.get(`/api/v1/access-points/${away.door.id}`)).body.data.state.mode.value
    await site.round(31_000)
    expect([(await commandOf(id)).status, await modeOf()]).toEqual(['confirmed', 'unlocked_timed'])
    house.clock.forward(30_000)
    expect([await modeOf(), await away.swipe('999')]).toEqual(['locked', 'unknown_credential'])
  })

  it('holds at a door no longer than its system drives it, and goes to no other', async () => {
    const [from, to] = [
      await makeSite({ house, name: 'Old controllers' }),
      await makeSite({ house, name: 'New controllers, elsewhere' }),
    ]
    await site.round()
    const at = (action: string, body?: object) => owner.post(`/api/v1/access-points/${from.door.id}/${action}`, body)
    const modeOf = async () => (await owner.get(`/api/v1/access-points/${from.door.id}`)).body.data.state.mode.value
    const drive = (access_control_system_id: string | null) =>
      owner.patch(`/api/v1/access-points/${from.door.id}`, { access_control_system_id })
    const reasonOf = async (individual: string) =>
      (await owner.post('/api/v1/access-decisions', { individual_id: individual, access_point_id: from.door.id })).body
        .data.reason
    for (const [next, reason] of [
      [to.system.id, 'granted'],
      [null, 'no_reader'],
    ] as const) {
      await at('block')
      await site.round()
      expect([await modeOf(), await reasonOf(from.ada.id)]).toEqual(['blocked', 'point_blocked'])
      await drive(next)
      await site.round()
      expect([await modeOf(), await reasonOf(from.ada.id)]).toEqual(['locked', reason])
      await drive(from.system.id)
      await site.round()
      expect(await modeOf()).toBe('locked')
      await at('release')
      await site.round()
    }
    await at('unlock', { until_released: true })
    await site.round()
    await owner.patch(`/api/v1/access-control-systems/${from.system.id}`, { kind: 'manual' })
    expect(await modeOf()).toBe('locked')
    await owner.patch(`/api/v1/access-control-systems/${from.system.id}`, { kind: 'simulator' })
    await site.round()
    // Asked for, and given away before it was sent.
    for (const action of ['unlock', 'release']) {
      const { id } = (await at(action)).body.data
      await drive(to.system.id)
      await site.round()
      expect(await commandOf(id)).toMatchObject({ status: 'failed', error_code: 'not_driven' })
      expect((await from.events('and command_id is not null')).map(({ command_id }) => command_id)).not.toContain(id)
      await drive(from.system.id)
      await site.round()
    }
    // Done by the system that drove it, and told of by that when another one does.
    await from.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
    const { id } = (await at('unlock', { until_released: true })).body.data
    await site.round()
    await drive(to.system.id)
    await from.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
    await site.round(60_000)
    expect([(await commandOf(id)).status, await modeOf()]).toEqual(['confirmed', 'locked'])
  })

  it('is not sent once whoever asked for it may not any more, and says so', async () => {
    const elsewhere = await makeSite({ house, name: 'Where it may not open' })
    const lost: Array<(id: string) => Sql> = [
      (id) => sql`update tokens as t set revoked_at = :now where t.org = :org and t.service_user_id = ${id}`,
      (id) => sql`update service_users as t set status = 'suspended' where t.org = :org and t.id = ${id}`,
      (id) => sql`delete from role_assignments as t where t.org = :org and t.service_user_id = ${id}`,
      (id) => sql`update role_assignments as t set building_id = ${elsewhere.building.id}
        where t.org = :org and t.service_user_id = ${id}`,
    ]
    await site.round()
    for (const statement of [undefined, ...lost]) {
      const operator = await memberWith(house, ['access-points:unlock', 'commands:read'], {
        building_id: site.building.id,
      })
      const { id } = (await operator.get('/api/v1/me')).body.data
      const made = await operator.post(`/api/v1/access-points/${door.id}/unlock`, { seconds: 1 })
      if (statement)
        await change(house.engine, 1, house.clock.now(), actor, async (tx) => {
          await tx.run(statement(id))
          tx.event({ action: 'demo.filled', resource: 'organizations', resourceId: null, before: null, after: null })
        })
      await site.round()
      const told = (await site.events('and command_id is not null')).map(({ command_id }) => command_id)
      expect(told.includes(made.body.data.id)).toBe(statement === undefined)
      expect(await commandOf(made.body.data.id)).toMatchObject(
        statement ? { status: 'failed', error_code: 'not_allowed' } : { status: 'confirmed', error_code: null },
      )
      await site.round()
    }
  })

  it('to block or release a door that is unlocked tells that it is locked now', async () => {
    const lockAfter = async (action: string, body?: object) => {
      await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)
      await site.round()
      const { mode, lock_state } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.state
      return [mode.value, lock_state.value]
    }
    for (const [action, mode] of [
      ['block', 'blocked'],
      ['release', 'locked'],
    ] as const) {
      await lockAfter('release')
      expect(await lockAfter('unlock', { until_released: true })).toEqual(['unlocked', 'unlocked'])
      expect(await lockAfter(action)).toEqual([mode, 'locked'])
    }
    const { id } = (await owner.post(`/api/v1/access-points/${door.id}/unlock`, { until_released: true })).body.data
    await site.round()
    expect((await site.events()).filter(({ command_id }) => command_id === id)).toHaveLength(1)
    expect(await lockAfter('lock')).toEqual(['locked', 'locked'])
  })

  it('goes to many doors at once; what one cannot do, the others do', async () => {
    const plain = await owner.create('/api/v1/access-points', { name: 'Mechanical', space_id: site.space.id })
    const ids = [door.id, plain.id, other.id]
    const made = await owner.post('/api/v1/commands', { action: 'lock', access_point_ids: ids })
    expect(made.status).toBe(201)
    expect(made.body.data.queued).toBe(2)
    expect(
      made.body.data.results.map(({ status, error }: { status: number; error: { reason: string } | null }) => [
        status,
        error?.reason,
      ]),
    ).toEqual([
      [201, undefined],
      [409, 'command.no_system'],
      [201, undefined],
    ])
    // How long is said of an unlocking alone: it is not dropped in silence.
    for (const odd of [{ seconds: 5 }, { until_released: true }]) {
      const refused = await owner.post('/api/v1/commands', { action: 'lock', access_point_ids: ids, ...odd })
      expect([refused.status, refused.body.error.reason]).toEqual([400, 'command.unlock_only'])
      const one = await owner.post(`/api/v1/access-points/${door.id}/lock`, odd)
      expect([one.status, one.body.error.details[0].path]).toEqual([400, Object.keys(odd)[0]])
    }
    // A door is the same one however its id is typed, and is told once.
    const shouted = door.id.toUpperCase()
    const twice = await owner.post('/api/v1/commands', { action: 'lock', access_point_ids: [door.id, shouted] })
    expect([twice.status, twice.body.error.details[0].path]).toEqual([400, 'access_point_ids'])
    const once = await owner.post('/api/v1/commands', { action: 'lock', access_point_ids: [shouted] })
    expect(once.body.data.results).toMatchObject([{ status: 201, access_point_id: door.id }])
    const none = await owner.post('/api/v1/commands', { action: 'lock', access_point_ids: [plain.id] })
    expect([none.status, none.body.error.reason]).toEqual([409, 'command.no_system'])
  })

  it('for a door that a system kept by hand drives is refused honestly', async () => {
    const byHand = await makeSite({ house, kind: 'manual', name: 'By hand' })
    const answer = await unlock(byHand.door.id)
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'command.not_connected'])
  })

  it('reaches the doors of a limited role alone, by name of the permission', async () => {
    const elsewhere = await makeSite({ house, name: 'Elsewhere' })
    const guard = await memberWith(house, ['access-points:unlock', 'commands:read'], {
      building_id: elsewhere.building.id,
    })
    expect((await guard.post(`/api/v1/access-points/${door.id}/unlock`)).status).toBe(404)
    const { error, msg } = (await guard.post('/api/v1/commands', { action: 'unlock', access_point_ids: [door.id] }))
      .body
    expect(error.reason).toBe('reference.not_found')
    expect(msg).toContain('among those that you may see')
    expect((await guard.post(`/api/v1/access-points/${elsewhere.door.id}/unlock`)).status).toBe(201)
    expect((await guard.get('/api/v1/commands')).body.data).toHaveLength(1)
    const manager = await house.member('Facility manager')
    expect((await manager.post(`/api/v1/access-points/${door.id}/unlock`)).status).toBe(403)
    expect((await (await house.member('Operator')).post(`/api/v1/access-points/${door.id}/unlock`)).status).toBe(201)
  })

  it('stays where its door was when that moves into another building, as its events do', async () => {
    const begun = (await owner.get('/api/v1/changes?after=0&limit=1&type=demo.erased')).body.meta.last
    const from = await makeSite({ house, name: 'Before it has moved away' })
    const to = await makeSite({ house, name: 'Where it has moved to, with its reader' })
    const guard = ({ building: { id: building_id } }: typeof from) =>
      memberWith(house, ['access-points:unlock', 'commands:read', 'access-events:read', 'changes:read'], {
        building_id,
      })
    const [before, after] = [await guard(from), await guard(to)]
    await from.round()
    const path = `/api/v1/access-points/${from.door.id}/unlock`
    const old = (await before.post(path)).body.data.id
    await from.round()
    await owner.patch(`/api/v1/access-points/${from.door.id}`, { space_id: to.space.id })
    const next = (await after.post(path)).body.data.id
    const seen = async (client: typeof before) => {
      const ids = async (list: string, field: string) =>
        (await client.get(`/api/v1/${list}`)).body.data.map((row: Record<string, string>) => row[field])
      return [
        await ids('commands', 'id'),
        await ids('access-events?type=eq.lock.unlocked', 'command_id'),
        await ids(`changes?after=${begun}&resource=commands`, 'resource_id'),
      ]
    }
    await from.round()
    expect([await seen(before), await seen(after)]).toEqual([
      [[old], [old], [old]],
      [[next], [next], [next]],
    ])
    expect((await commandOf(old)).building_id).toBe(from.building.id)
    expect((await before.get(`/api/v1/commands/${next}`)).status).toBe(404)
    expect((await after.get(`/api/v1/commands/${old}`)).status).toBe(404)
  })

  it('is tried without being kept, and an unknown action is refused', async () => {
    const before = (await owner.get('/api/v1/commands')).body.meta.pagination.total
    expect((await unlock(`${door.id}`, {}, {})).status).toBe(201)
    expect((await owner.post(`/api/v1/access-points/${door.id}/unlock?dry_run=true`)).body.meta.dry_run).toBe(true)
    expect((await owner.get('/api/v1/commands')).body.meta.pagination.total).toBe(before + 1)
    expect(
      (await owner.post('/api/v1/commands', { action: 'unlok', access_point_ids: [door.id] })).body.error.reason,
    ).toBe('body.enum')
    expect(system.id).toBeDefined()
  })
})
