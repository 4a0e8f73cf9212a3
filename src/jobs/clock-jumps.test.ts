import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startHouse, type TestHouse } from '../../test/support/app.ts'
import { browser, cookieOf, newPerson, withHeaders } from '../../test/support/people.ts'
import { uploadTo } from '../../test/support/upload.ts'
import { takeLease } from '../connect/link.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { MailOutbox } from '../db/mails.ts'
import { changeLive } from '../live/live-transaction.ts'
import { createCalls } from '../net/calls.ts'
import { AuditCheckpoints } from './audit-checkpoints.ts'
import { startClockChanges } from './clock-changes.ts'
import { startOffboardings } from './offboardings.ts'
import { startPruning } from './pruning/prune.ts'
import type { Later } from './repeat.ts'
import { WebhookSender } from './webhooks/sender.ts'
import { findFree, lease } from './webhooks/state.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const NOON = '2027-06-15T12:00:00.000Z'
const AHEAD = '2031-01-01T00:00:00.000Z'
const MINUTE = 60_000
const logger = pino({ level: 'silent' })

/** A job that is run when a test says so, and has been when it is given back. */
function byHand(start: (later: Later) => unknown): () => Promise<void> {
  let planned = Promise.withResolvers<() => void>()
  start((run) => {
    planned.resolve(run)
    return { cancel: () => undefined }
  })
  return async () => {
    const run = await planned.promise
    planned = Promise.withResolvers()
    run()
    await planned.promise
  }
}

const count = async ({ engine }: TestHouse, table: string) =>
  (await engine.reader.all<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n

it('while the clock is ahead nothing is removed and nobody is offboarded; what it has shown for an hour is believed', async () => {
  const house = await startHouse()
  const { engine, clock, owner } = house
  const prune = byHand((schedule) =>
    startPruning(engine, clock, logger, { historyDays: 30, events: { access: 30, door: 30, system: 30 }, schedule }),
  )
  const offboard = byHand((schedule) => startOffboardings(engine, clock, logger, schedule))
  const checkpoints = new AuditCheckpoints({
    engine,
    clock,
    logger,
    config: { ...house.app.house.config, auditRetentionDays: 30 },
  })
  await newPerson(house)
  const { id } = await owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'Leaving' })
  expect((await owner.post(`/api/v1/individuals/${id}/offboard`, { on: '2027-12-31' })).status).toBe(200)
  const location = await owner.create('/api/v1/locations', { name: 'Here' })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const door = await owner.create('/api/v1/access-points', { name: 'Door', space_id: space.id })
  await owner.create('/api/v1/access-events', { type: 'door.opened', access_point_id: door.id })
  await owner.post('/api/v1/locations', { name: 'Once' }, { 'idempotency-key': 'once' })
  const kept = async () => [
    ...(await Promise.all(
      ['sessions', 'access_events', 'idempotency_keys', 'user_links'].map((table) => count(house, table)),
    )),
    (await owner.get(`/api/v1/individuals/${id}`)).body.data?.status,
  ]
  const before = await kept()
  clock.set(AHEAD)
  for (let minutes = 0; minutes < 50; minutes += 10) {
    for (const run of [prune, offboard]) await run()
    expect(await checkpoints.prune()).toBe(0)
    clock.forward(10 * MINUTE)
  }
  clock.set('2027-06-15T12:50:00.000Z')
  expect(await kept()).toEqual(before)
  clock.set(AHEAD)
  for (let minutes = 0; minutes <= 60; minutes += 10) {
    for (const run of [prune, offboard]) await run()
    clock.forward(10 * MINUTE)
  }
  expect((await kept()).slice(0, 4)).toEqual([0, 0, 0, 0])
})

it('while the clock is ahead nothing is said to have begun or ended, and once it is right again what does is told', async () => {
  const house = await startHouse()
  const { engine, clock, owner } = house
  const look = byHand((schedule) => startClockChanges(engine, clock, logger, schedule))
  const location = await owner.create('/api/v1/locations', { name: 'Here' })
  const { id: individual_id } = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  const grant = (valid_from: string, valid_until: string) =>
    owner.create('/api/v1/access-grants', { individual_id, location_id: location.id, valid_from, valid_until })
  await grant('2027-06-15T12:30:00.000Z', '2028-01-01T00:00:00.000Z')
  const told = async () =>
    (await owner.get('/api/v1/changes?type=access-grant.*')).body.data.map(({ type }: { type: string }) => type)
  clock.set(AHEAD)
  for (let minutes = 0; minutes < 20; minutes += 10) {
    await look()
    clock.forward(10 * MINUTE)
  }
  clock.set('2027-06-15T12:20:00.000Z')
  await look()
  expect(await told()).toEqual(['access-grant.created'])
  clock.forward(10 * MINUTE)
  await look()
  expect(await told()).toEqual(['access-grant.created', 'access-grant.begun'])
})

it('who failed to log in while the clock was ahead does not wait until then', async () => {
  const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
  const { clock } = house
  const { email, password } = await newPerson(house)
  let host = 0
  const logIn = (given: string) =>
    withHeaders(house.anonymous, { 'x-forwarded-for': `2001:db8:9:${++host}::1` }).post('/api/v1/login', {
      email,
      password: given,
    })
  clock.set(AHEAD)
  for (let i = 0; i < 5; i++) expect((await logIn('wrong')).status).toBe(401)
  expect((await logIn(password)).status).toBe(429)
  clock.set(NOON)
  expect((await logIn(password)).status).toBe(200)
})

it('sessions that are ended while the clock is wrong stay ended, and one that was opened then is over once it is right', async () => {
  const house = await startHouse()
  const { clock } = house
  const [person, other] = [await newPerson(house), await newPerson(house)]
  clock.set(AHEAD)
  expect((await person.get('/api/v1/me')).status).toBe(401)
  expect(
    (await house.loggedIn((await house.member('Owner')).token).post(`/api/v1/users/${person.id}/suspend`)).status,
  ).toBe(200)
  const { email, password } = other
  const late = browser(house, cookieOf(await house.anonymous.post('/api/v1/login', { email, password })))
  expect((await late.get('/api/v1/me')).status).toBe(200)
  clock.set(NOON)
  const admin = house.loggedIn(house.owner.token)
  expect((await admin.post(`/api/v1/users/${person.id}/reactivate`)).status).toBe(200)
  expect([(await person.get('/api/v1/me')).status, (await late.get('/api/v1/me')).status]).toEqual([401, 401])
  expect((await other.get('/api/v1/me')).status).toBe(200)
})

it('what was taken on by a clock that was ahead, by a process that is gone, is taken on by the next', async () => {
  const house = await startHouse()
  const { engine, clock, owner, app } = house
  const admin = house.loggedIn(owner.token)
  const { id } = await admin.create('/api/v1/webhooks', { url: 'https://receiver.example/', types: ['*'] })
  const key = { org: 1, id }
  expect(await lease(engine, key, AHEAD, 'gone')).toBe(true)
  expect((await findFree(engine, clock.now())).map((free) => free.id)).toEqual([id])
  expect(await lease(engine, key, clock.now(), 'next')).toBe(true)
  expect(await lease(engine, key, clock.now(), 'another')).toBe(false)
  expect(await findFree(engine, clock.now())).toEqual([])

  const system = (await owner.create('/api/v1/access-control-systems', { name: 'x', kind: 'simulator' })).id
  const take = (now: string, holder: string) =>
    changeLive(engine, 1, now, (tx) => takeLease(tx, system, holder, new Date(Date.parse(now) + 15_000).toISOString()))
  expect([await take(AHEAD, 'gone'), await take(NOON, 'next'), await take(NOON, 'another')]).toEqual([
    true,
    true,
    false,
  ])

  const sent = { file: 'name\nEast\n', name: 'places.csv', fields: { resource: 'locations', dry_run: 'true' } }
  const made = (await uploadTo(app, owner, sent)).body.data
  const leave = `update imports set status = 'checking', claimed_until = $1 where id = $2`
  await engine.transaction((session) => session.run(leave, [AHEAD, made.id]))
  expect(await app.imports.takeUp()).toBe(1)
  await app.imports.settled()
  expect((await owner.get(`/api/v1/imports/${made.id}`)).body.data.status).toBe('checked')
})

it('a webhook is one process’s though the machine of another has slept: they do not take it from each other', async () => {
  const house = await startHouse()
  const { engine, clock, owner } = house
  const { id } = await house.loggedIn(owner.token).create('/api/v1/webhooks', {
    url: 'https://receiver.example/',
    types: ['key.issued'],
  })
  const senderOf = (on: Engine, by: Clock) => {
    const call = createCalls()
    const sender = new WebhookSender({ engine: on, clock: by, logger, mail: new MailOutbox(false), call })
    onTestFinished(() => sender.close())
    return sender
  }
  const slept = senderOf(engine, clock)
  await slept.look()
  await slept.settled()
  clock.set('2027-06-15T15:00:00.000Z')
  const other = senderOf((await house.neighbour()).house.engine, {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
  })
  const owners: Array<string | undefined> = []
  for (let n = 0; n < 4; n++) {
    clock.forward(3000)
    for (const sender of [other, slept]) {
      await sender.look()
      await sender.settled()
      const [row] = await engine.reader.all<{ lease_owner: string }>(
        'select lease_owner from webhook_states where webhook_id = $1',
        [id],
      )
      owners.push(row?.lease_owner)
    }
  }
  expect(owners).toEqual(owners.map(() => owners[0]))
})
