import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { MailOutbox } from '../../src/db/mails.ts'
import { WebhookSender } from '../../src/jobs/webhooks/sender.ts'
import { recordClockChanges } from '../../src/live/changes/clock.ts'
import { createCalls } from '../../src/net/calls.ts'
import { startHouse } from '../support/app.ts'
import { isVerified, startReceiver } from '../support/peers/receiver.ts'
import { makeSite } from './site.ts'

interface Told {
  type: string
  data?: Record<string, unknown> | null
  [field: string]: unknown
}

const house = await startHouse({
  env: { OUTGOING_ALLOW: '127.0.0.1' },
  streamTimes: { heartbeatMs: 10_000, checkMs: 500, lastsMs: 3_600_000 },
})
const { app, engine, clock, owner } = house
await app.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** Whatever a stream tells from now on. */
async function follow(path: string): Promise<Told[]> {
  const told: Told[] = []
  const source = new EventSource(`${base}${path}`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Token ${owner.token}` } }),
  })
  onTestFinished(() => source.close())
  source.addEventListener('message', ({ data }) => void told.push(JSON.parse(data)))
  await new Promise<void>((resolve) => source.addEventListener('cursor', () => resolve(), { once: true }))
  return told
}

it('what happens at the doors of a building is told as it happens, on a stream and to a receiver', {
  timeout: 30_000,
}, async () => {
  const site = await makeSite({ house })
  const { door, other, building, ada, card } = site
  const fire = await owner.create('/api/v1/individuals', { display_name: 'Fire warden' })
  await owner.create('/api/v1/credentials', { type: 'card', number: '112', individual_id: fire.id })
  await owner.create('/api/v1/access-grants', {
    individual_id: fire.id,
    building_id: building.id,
    during_lockdown: true,
  })
  await site.round()

  const streams = [await follow('/api/v1/access-events/stream'), await follow('/api/v1/changes/stream')]
  const receiver = await startReceiver()
  const webhook = await house.loggedIn(owner.token).create('/api/v1/webhooks', { url: receiver.url, types: ['*'] })
  const call = createCalls(['127.0.0.1'])
  const sender = new WebhookSender({
    engine,
    clock,
    logger: pino({ level: 'silent' }),
    mail: new MailOutbox(false),
    call,
  })
  onTestFinished(() => sender.close())
  await sender.look()
  /** That it is told, by both, once each. */
  const seen = async (expected: Told) => {
    const fits = (told: Told) => expect.objectContaining(expected).asymmetricMatch(told)
    await expect.poll(() => streams.flat().filter(fits).length, { message: `${expected.type} on a stream` }).toBe(1)
    const received = () => receiver.received.map(({ body }) => body.data as unknown as Told).filter(fits).length
    await expect.poll(received, { message: `${expected.type} at the receiver` }).toBe(1)
  }
  const reasonOf = async (number: string) => {
    const reason = await site.swipe(number)
    await site.round()
    return reason
  }
  const act = async (action: string) => expect((await site.play({ action, access_point_id: door.id })).status).toBe(200)
  const modeOf = async () => (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.mode

  // A card that nobody knows is refused, and why.
  expect(await reasonOf('999')).toBe('unknown_credential')
  await seen({
    type: 'access.denied',
    reason: 'unknown_credential',
    credential_number: '999',
    access_point_id: door.id,
  })

  // The door is forced: an alarm, and somebody takes note.
  await act('force')
  await site.round()
  await seen({ type: 'door.forced', access_point_id: door.id })
  const [alarm] = (await owner.get('/api/v1/alarms?status=eq.open')).body.data
  expect(alarm).toMatchObject({ kind: 'forced_open', access_point_id: door.id })
  expect((await owner.get(`/api/v1/access-points/${door.id}`)).body.data.in_alarm).toBe(true)
  await owner.post(`/api/v1/alarms/${alarm.id}/acknowledge`, { note: 'On my way' })
  await seen({ type: 'alarm.acknowledged', resource_id: alarm.id })
  await act('close')
  await site.round()
  await seen({ type: 'door.closed', access_point_id: door.id })
  expect((await owner.get(`/api/v1/alarms/${alarm.id}`)).body.data).toMatchObject({
    status: 'closed',
    note: 'On my way',
  })

  // Unlocked from afar: the door's own event confirms it.
  const { id: command_id } = (await owner.post(`/api/v1/access-points/${other.id}/unlock`, { seconds: 30 })).body.data
  await seen({ type: 'command.created', resource_id: command_id })
  await site.round()
  await seen({ type: 'lock.unlocked', access_point_id: other.id, command_id })
  expect((await owner.get(`/api/v1/commands/${command_id}`)).body.data.status).toBe('confirmed')

  // Locked down: nobody gets in but whose grant holds during one; until it expires.
  const expires_at = new Date(Date.parse(clock.now()) + 600_000).toISOString()
  const lockdown = await owner.create('/api/v1/lockdowns', { kind: 'lockdown', building_id: building.id, expires_at })
  await seen({ type: 'lockdown.created', resource_id: lockdown.id })
  await site.round()
  expect([await modeOf(), await reasonOf(card.number), await reasonOf('112')]).toEqual([
    'locked_down',
    'locked_down',
    'granted',
  ])
  await seen({ type: 'access.denied', reason: 'locked_down', individual_id: ada.id })
  await seen({ type: 'access.granted', individual_id: fire.id })
  clock.forward(600_000)
  await recordClockChanges(engine, clock.now())
  await seen({ type: 'lockdown.expired', resource_id: lockdown.id })
  await site.round()
  expect([await modeOf(), await reasonOf(card.number)]).toEqual(['locked', 'granted'])
  await seen({ type: 'access.granted', individual_id: ada.id })

  // Evacuated: every door opens, and the muster list says who is still inside.
  const evacuation = (await owner.post('/api/v1/lockdowns/evacuate', { building_id: building.id })).body.data
  await seen({ type: 'lockdown.created', resource_id: evacuation.id })
  await site.round()
  expect(await modeOf()).toBe('evacuation')
  await seen({ type: 'lock.unlocked', access_point_id: other.id, command_id: null })
  await site.swipe('112', { direction: 'out' })
  await site.round()
  await seen({ type: 'access.granted', individual_id: fire.id, direction: 'out' })
  const muster = (await owner.get(`/api/v1/buildings/${building.id}/muster`)).body.data
  expect(muster.people.map(({ individual_id, status }: Record<string, string>) => [individual_id, status])).toEqual([
    [ada.id, 'unaccounted'],
    [fire.id, 'accounted'],
  ])

  await sender.settled()
  expect(receiver.received.filter((one) => !isVerified(one, webhook.secret))).toEqual([])
})
