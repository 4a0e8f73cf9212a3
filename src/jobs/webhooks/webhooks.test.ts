import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { isVerified, startReceiver } from '../../../test/support/peers/receiver.ts'
import { makeWebhook } from '../../../test/support/peers/webhook.ts'
import { memberWith } from '../../../test/support/role.ts'
import { MailOutbox } from '../../db/mails.ts'
import { pruneEvents } from '../../live/retention.ts'
import { createCalls } from '../../net/calls.ts'
import { WebhookSender } from './sender.ts'

const house = await startHouse({ env: { OUTGOING_ALLOW: '127.0.0.1' } })
const { engine, clock } = house
const owner = house.loggedIn(house.owner.token)
const path = '/api/v1/webhooks'
const [SECOND, HOUR] = [1000, 3_600_000]

const newSender = (on = engine, timeoutMs = 300, mail = new MailOutbox(false)) => {
  const logger = pino({ level: 'silent' })
  const sender = new WebhookSender({
    engine: on,
    clock,
    logger,
    mail,
    call: createCalls(['127.0.0.1']),
    timeoutMs,
  })
  onTestFinished(() => sender.close())
  return sender
}
/** Looks once and sends whatever can be. */
const send = async (sender: WebhookSender) => {
  await sender.look()
  await sender.settled()
}
const hook = (url: string, types = ['location.*']) => owner.create(path, { url, types })
const place = (name: string) => owner.create('/api/v1/locations', { name })
const shown = async (id: string) => (await owner.get(`${path}/${id}`)).body.data

describe('a webhook', () => {
  it('sends what happens after it was made, in order, once, signed, and of its types alone', async () => {
    const receiver = await startReceiver()
    await place('Before')
    const { id, secret } = await hook(receiver.url)
    const sender = newSender()
    const names = Array.from({ length: 120 }, (_, i) => `Place ${i}`)
    for (const name of names) await place(name)
    await owner.create('/api/v1/access-groups', { name: 'Not asked for' })
    await send(sender)
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(names)
    expect(receiver.received.every((one) => isVerified(one, secret))).toBe(true)
    expect(receiver.received[0]?.body).toMatchObject({ type: 'location.created', data: { resource: 'locations' } })
    expect(await shown(id)).toMatchObject({ failure_count: 0, last_delivered_at: clock.now(), blocked_reason: null })
    const { data } = (await owner.get(`${path}/${id}/deliveries?limit=1&order=sequence.desc`)).body
    expect(data[0]).toMatchObject({
      type: 'location.created',
      attempt: 1,
      result: 'delivered',
      status_code: 200,
      response: 'ok',
    })
    // What is sent as it happens needs no look.
    await place('Live')
    await expect.poll(() => receiver.received.length).toBe(121)
  })

  it('writes down together what it has sent in quick succession, at the latest when it is quiet', async () => {
    const receiver = await startReceiver()
    const { id } = await hook(receiver.url)
    const sender = newSender()
    await send(sender)
    const names = Array.from({ length: 8 }, (_, i) => `Quick ${i}`)
    for (const [nth, name] of names.entries()) {
      await place(name)
      await expect.poll(() => receiver.received.length, { interval: 1 }).toBe(nth + 1)
    }
    const written = async () => (await owner.get(`${path}/${id}/deliveries?limit=20`)).body.meta.pagination.total
    await expect.poll(written).toBe(names.length)
    // Another goes on behind it.
    await sender.close()
    await send(newSender())
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(names)
  })

  it('goes where somebody sets it though it is ahead of what is written down', async () => {
    const receiver = await startReceiver()
    const { id } = await hook(receiver.url)
    const sender = newSender()
    await place('First')
    await send(sender)
    const { data } = (await owner.get(`${path}/${id}/deliveries?limit=1`)).body
    for (const name of ['Second', 'Third']) {
      await place(name)
      await expect.poll(() => receiver.received.at(-1)?.body.data.data?.name, { interval: 1 }).toBe(name)
    }
    const replayed = await owner.post(`${path}/${id}/replay`, { after: data[0].sequence - 1 })
    expect(replayed.status, replayed.text).toBe(200)
    await send(sender)
    const sent = receiver.received.map(({ body }) => body.data.data?.name)
    expect(sent.slice(3)).toEqual(['First', 'Second', 'Third'])
    expect(await shown(id)).toMatchObject({ failure_count: 0 })
  })

  it('tries again with growing gaps what does not arrive, keeps the order, and goes on when it does', async () => {
    const receiver = await startReceiver((response, nth) => response.writeHead(nth < 3 ? 500 : 204).end())
    const { id } = await hook(receiver.url)
    const sender = newSender()
    await place('A')
    await place('B')
    await send(sender)
    await send(sender)
    expect([receiver.received.length, await shown(id)]).toMatchObject([
      1,
      { failure_count: 1, failing_since: clock.now() },
    ])
    clock.forward(5 * SECOND)
    await send(sender)
    clock.forward(29 * SECOND)
    await send(sender)
    expect(receiver.received.length).toBe(2)
    clock.forward(SECOND)
    await send(sender)
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(['A', 'A', 'A', 'B'])
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(2)
    const attempts = (await owner.get(`${path}/${id}/deliveries?select=attempt,result,status_code`)).body.data
    expect(attempts.map((one: { attempt: number }) => one.attempt)).toEqual([1, 2, 3, 1])
    expect(await shown(id)).toMatchObject({ failure_count: 0, failing_since: null, next_attempt_at: null })
  })

  it('is disabled after three days of failing, on the record, and goes on where it was when it is made active', async () => {
    const receiver = await startReceiver((response) => response.writeHead(503).end('busy'))
    const { id } = await hook(receiver.url)
    const sender = newSender()
    await place('Waits')
    for (let hours = 0; hours <= 80; hours += 4) {
      await send(sender)
      clock.forward(4 * HOUR)
    }
    const fresh = house.loggedIn((await house.member('Owner')).token)
    const read = async () => (await fresh.get(`${path}/${id}`)).body.data
    expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'it answered 503' })
    expect((await fresh.get(`/api/v1/changes?type=webhook.disabled&resource_id=${id}`)).body.data).toHaveLength(1)
    const before = receiver.received.length
    await send(sender)
    expect(receiver.received.length).toBe(before)
    receiver.behaviour.answer = (response) => response.end()
    expect((await fresh.patch(`${path}/${id}`, { status: 'active' })).body.data).toMatchObject({
      status: 'active',
      disabled_reason: null,
    })
    await send(sender)
    expect(receiver.received.at(-1)?.body.data.data?.name).toBe('Waits')
    expect(await read()).toMatchObject({ failure_count: 0 })
  })

  it('says once what was not kept until it could be sent, and goes on with what is there', async () => {
    const receiver = await startReceiver()
    const report = () => owner.create('/api/v1/access-events', { type: 'system.clock_set' })
    const { id } = await hook(receiver.url, ['system.*'])
    await owner.patch(`${path}/${id}`, { status: 'disabled' })
    const first = await report()
    const last = await report()
    // Made before there was anything: what came first is missed too.
    expect(first.sequence).toBe(1)
    clock.forward(2 * 24 * HOUR)
    expect(await pruneEvents(engine, clock.now(), { access: 0, door: 0, system: 1 })).toBe(2)
    await report()
    await owner.patch(`${path}/${id}`, { status: 'active' })
    const sender = newSender()
    await send(sender)
    await send(sender)
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['system.clock_set'])
    const { data } = (await owner.get(`${path}/${id}/deliveries?order=id`)).body
    expect(data.map(({ type, result }: Record<string, string>) => [type, result])).toEqual([
      ['webhook.passed_over', 'failed'],
      ['system.clock_set', 'delivered'],
    ])
    expect(data[0].error).toContain(`the sequences ${first.sequence} to ${last.sequence} `)
    // Whoever may not read the feed goes back to where it begins at most: nothing is missed by that.
    const writer = await memberWith(house, ['webhooks:write'])
    expect((await writer.post(`${path}/${id}/replay`, { after: 1 })).status).toBe(200)
    await send(sender)
    const since = (await owner.get(`${path}/${id}/deliveries?order=id`)).body.data.slice(data.length)
    expect(since.map(({ type }: Record<string, string>) => type)).toEqual(['system.clock_set'])
  })

  it('that is disabled is told of to its owner by a letter', async () => {
    const gone = await startReceiver((response) => response.writeHead(410).end())
    const user = await owner.create('/api/v1/users', { email: 'ada@example.com', name: 'Ada' })
    const [role] = (await owner.get('/api/v1/roles?name=eq.Owner')).body.data
    await owner.create('/api/v1/role-assignments', { role_id: role.id, user_id: user.id })
    await engine.transaction((session) => session.run(`update users set status = 'active' where id = $1`, [user.id]))
    await makeWebhook(engine, 'Test', user.id, gone.url, ['location.*'], 'user')
    const sender = newSender(engine, 300, new MailOutbox(true))
    await place('Nobody hears of it')
    await send(sender)
    const mails = await engine.reader.all<{ user_id: string; kind: string }>('select user_id, kind from mails', [])
    expect(mails).toEqual([{ user_id: user.id, kind: 'webhook_disabled' }])
  })

  it('whose receiver is gone for good (410) is disabled at once', async () => {
    const receiver = await startReceiver((response) => response.writeHead(410).end())
    const current = house.loggedIn((await house.member('Owner')).token)
    const { id } = await current.create(path, { url: receiver.url, types: ['*'] })
    await current.create('/api/v1/locations', { name: 'X' })
    await send(newSender())
    expect((await current.get(`${path}/${id}`)).body.data.status).toBe('disabled')
  })

  it('that is slow, redirects, answers too much or is not there delays no other', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const good = await startReceiver()
    const elsewhere = await startReceiver()
    const bad = [
      await startReceiver(() => undefined),
      await startReceiver((response) => response.writeHead(302, { location: elsewhere.url }).end()),
      await startReceiver((response) => response.writeHead(500).end('x'.repeat(1_000_000))),
      { url: 'http://127.0.0.1:9/' },
      { url: 'http://127.0.0.1:10/' },
    ]
    const made = []
    for (const { url } of [...bad, good]) made.push(await current.create(path, { url, types: ['location.*'] }))
    // What may be called is looked at before every attempt: it may have been more when this one was made.
    await engine.transaction((session) =>
      session.run('update webhooks set url = $1 where url = $2', ['http://127.0.0.2:9/', 'http://127.0.0.1:10/']),
    )
    await current.create('/api/v1/locations', { name: 'Y' })
    const sender = newSender()
    await sender.look()
    await expect.poll(() => good.received.length).toBe(1)
    await sender.settled()
    expect(elsewhere.received).toEqual([])
    const results = []
    for (const { id } of made) {
      const [last] = (await current.get(`${path}/${id}/deliveries`)).body.data
      results.push([last.result, last.status_code, last.error])
    }
    expect(results).toEqual([
      ['failed', null, expect.stringContaining('did not answer in time')],
      ['failed', 302, null],
      ['failed', 500, null],
      ['failed', null, expect.stringContaining('cannot be reached')],
      ['failed', null, expect.stringContaining('OUTGOING_ALLOW')],
      ['delivered', 200, null],
    ])
  })

  it('that is answered 200 at great length is delivered', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver((response) => response.end('x'.repeat(1_000_000)))
    const hook = await current.create(path, { url: receiver.url, types: ['location.*'] })
    await current.create('/api/v1/locations', { name: 'Long' })
    const sender = newSender()
    await sender.look()
    await sender.settled()
    const [last] = (await current.get(`${path}/${hook.id}/deliveries`)).body.data
    expect([last.result, last.status_code, last.response]).toEqual(['delivered', 200, 'x'.repeat(500)])
  })

  it('is sent for by one of several processes, and by another when that one is gone', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    await current.create(path, { url: receiver.url, types: ['location.*'] })
    const [first, second] = [newSender(), newSender((await house.neighbour()).house.engine)]
    for (let i = 0; i < 20; i++) await current.create('/api/v1/locations', { name: `Z${i}` })
    await Promise.all([send(first), send(second)])
    await send(second)
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(
      Array.from({ length: 20 }, (_, i) => `Z${i}`),
    )
    await first.close()
    await current.create('/api/v1/locations', { name: 'Later' })
    await send(second)
    await expect.poll(() => receiver.received.at(-1)?.body.data.data?.name).toBe('Later')
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length)
  })

  it('is one process’s while its receiver takes longer than a lease lasts, and another’s soon after that one has died', async () => {
    let answer = () => {}
    const receiver = await startReceiver((response) => {
      answer = () => response.end()
    })
    await hook(receiver.url)
    const [first, second] = [
      newSender(engine, 60 * SECOND),
      newSender((await house.neighbour()).house.engine, 60 * SECOND),
    ]
    await place('Slow')
    await first.look()
    await expect.poll(() => receiver.received.length).toBe(1)
    for (let passed = 0; passed < 9; passed += 3) {
      clock.forward(3 * SECOND)
      await first.look()
      await second.look()
    }
    expect(receiver.received.length).toBe(1)
    // It looks no more.
    clock.forward(6 * SECOND)
    await second.look()
    await expect.poll(() => receiver.received.length).toBe(2)
    receiver.behaviour.answer = (response) => response.end()
    answer()
    await second.settled()
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  })

  it('sends what its owner may read at that moment, and nothing when they are suspended; it says why', async () => {
    const admin = house.loggedIn((await house.member('Owner')).token)
    const here = await admin.create('/api/v1/locations', { name: 'Here' })
    const role = await admin.create('/api/v1/roles', {
      name: 'Hooks',
      permissions: ['webhooks:read', 'webhooks:write', 'changes:read', 'buildings:read'],
    })
    const member = house.loggedIn((await house.member('Hooks')).token)
    const me = (await member.get('/api/v1/me')).body.data
    const receiver = await startReceiver()
    const { id } = await member.create(path, { url: receiver.url, types: ['*'] })
    const sender = newSender()
    const building = (name: string) => admin.create('/api/v1/buildings', { name, location_id: here.id })
    await building('Seen')
    await send(sender)
    expect(receiver.types().filter((type) => !type.startsWith('webhook.'))).toEqual(['building.created'])
    await admin.patch(`/api/v1/roles/${role.id}`, { permissions: ['webhooks:read', 'webhooks:write'] })
    await building('Unseen')
    await send(sender)
    expect((await admin.get(`${path}/${id}`)).body.data.blocked_reason).toBe('owner_lacks_permission')
    await admin.patch(`/api/v1/service-users/${me.id}`, { status: 'suspended' })
    await send(sender)
    expect((await admin.get(`${path}/${id}`)).body.data.blocked_reason).toBe('owner_suspended')
    expect(receiver.types().filter((type) => type === 'building.created')).toHaveLength(1)
    // Whoever says anew where it sends is who it sends for.
    await admin.patch(`${path}/${id}`, { types: ['building.*'] })
    await send(sender)
    expect(receiver.received.at(-1)?.body.data.data?.name).toBe('Unseen')
  })

  it.each([
    ['is disabled', [], (id: string) => owner.patch(`${path}/${id}`, { status: 'disabled' })],
    [
      'has lost its owner’s right',
      [],
      async (id: string) => {
        const { service_user_id } = await shown(id)
        const [given] = (await owner.get(`/api/v1/role-assignments?service_user_id=eq.${service_user_id}`)).body.data
        return owner.delete(`/api/v1/role-assignments/${given.id}`)
      },
    ],
    ['is of other types', [], (id: string) => owner.patch(`${path}/${id}`, { types: ['key.*'] })],
    ['is of the same types', ['Second', 'Third'], (id: string) => owner.patch(`${path}/${id}`, { description: 'x' })],
  ])('that %s while its receiver takes its time sends what waits by that', async (_what, rest, act) => {
    const admin = house.loggedIn((await house.member('Owner')).token)
    let answer = () => {}
    const receiver = await startReceiver((response) => {
      answer = () => response.end()
    })
    const { id } = await admin.create(path, { url: receiver.url, types: ['location.*'] })
    for (const name of ['First', 'Second', 'Third']) await place(name)
    const sender = newSender(engine, 60 * SECOND)
    await sender.look()
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.behaviour.answer = (response) => response.end()
    expect((await act(id)).status).toBe(200)
    clock.forward(SECOND)
    answer()
    await sender.settled()
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(['First', ...rest])
  })

  it('whose receiver takes its time has what happens at the doors sent between changes, not behind all of them', async () => {
    const receiver = await startReceiver((response) => {
      clock.forward(SECOND)
      response.end()
    })
    const { id } = await hook(receiver.url, ['location.*', 'system.*'])
    const names = Array.from({ length: 5 }, (_, i) => `Change ${i}`)
    for (const name of names) await place(name)
    for (let i = 0; i < 2; i++) await owner.post('/api/v1/access-events', { type: 'system.clock_set' })
    await send(newSender())
    const sent = receiver.received.map(({ body }) => body.data.data?.name ?? body.type)
    expect(sent).toEqual([names[0], 'system.clock_set', names[1], 'system.clock_set', ...names.slice(2)])
    expect(await shown(id)).toMatchObject({ failure_count: 0 })
  })

  it('and so has what comes behind many events that it is not sent', async () => {
    const receiver = await startReceiver((response) => {
      clock.forward(SECOND)
      response.end()
    })
    await hook(receiver.url, ['location.*', 'system.*'])
    for (let i = 0; i < 8; i++) await place(`Beside ${i}`)
    const events = Array.from({ length: 120 }, () => ({ type: 'door.opened' }))
    const told = [...events, { type: 'system.clock_set' }]
    expect((await owner.post('/api/v1/access-events/batch', { events: told })).status).toBe(200)
    await send(newSender())
    const sent = receiver.received.map(({ body }) => body.type)
    expect(sent).toHaveLength(9)
    // A page of fifty is looked through for each message until then.
    expect(sent.indexOf('system.clock_set')).toBeLessThan(5)
  })

  it('says by the clock of the machine when it is sent, also right after that was set: receivers refuse what is old', async () => {
    const admin = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    await admin.create(path, { url: receiver.url, types: ['location.*'] })
    const sender = newSender()
    await send(sender)
    // As after a machine has slept: no time was counted.
    const before = clock.now()
    const at = new Date(Date.parse(before) + 3 * HOUR).toISOString()
    clock.set(at)
    await place('After the sleep')
    await send(sender)
    const late = await startReceiver()
    await admin.create(path, { url: late.url, types: ['location.*'] })
    await place('To one made since')
    await send(sender)
    const timestamps = [...receiver.received, ...late.received].map(({ headers }) => headers['webhook-timestamp'])
    expect(timestamps).toEqual(Array.from({ length: 3 }, () => String(Date.parse(at) / SECOND)))
    clock.set(before)
  })

  it('that is set anew while its receiver says that it is gone is not disabled for it', async () => {
    const admin = house.loggedIn((await house.member('Owner')).token)
    let answer = () => {}
    const gone = await startReceiver((response) => {
      answer = () => response.writeHead(410).end()
    })
    const receiver = await startReceiver()
    const { id } = await admin.create(path, { url: gone.url, types: ['location.*'] })
    await place('Moved')
    const sender = newSender(engine, 60 * SECOND)
    await sender.look()
    await expect.poll(() => gone.received.length).toBe(1)
    expect((await admin.patch(`${path}/${id}`, { url: receiver.url })).status).toBe(200)
    answer()
    await sender.settled()
    await send(sender)
    expect((await admin.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'active', failure_count: 0 })
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(['Moved'])
  })

  it('is not given up after few attempts, however long ago the first was: the service may have been away', async () => {
    const admin = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver((response) => response.writeHead(503).end())
    const { id } = await admin.create(path, { url: receiver.url, types: ['location.*'] })
    await place('Before the holidays')
    const before = newSender()
    await send(before)
    await before.close()
    clock.forward(96 * HOUR)
    await send(newSender())
    const fresh = house.loggedIn((await house.member('Owner')).token)
    expect((await fresh.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'active', failure_count: 2 })
  })

  it('is signed with both secrets for a day after one was replaced', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    const { id, secret: old } = await current.create(path, { url: receiver.url, types: ['location.*'] })
    const rotated = await current.post(`${path}/${id}/rotate-secret`)
    expect(rotated.body.data.secret).toMatch(/^whsec_/)
    const sender = newSender()
    await current.create('/api/v1/locations', { name: 'Both' })
    await send(sender)
    clock.forward(24 * HOUR)
    const later = house.loggedIn((await house.member('Owner')).token)
    await later.create('/api/v1/locations', { name: 'One' })
    await send(sender)
    const secrets = [old, rotated.body.data.secret]
    expect(receiver.received.map((one) => secrets.map((secret) => isVerified(one, secret)))).toEqual([
      [true, true],
      [false, true],
    ])
    const rows = JSON.stringify([
      await engine.reader.all('select * from webhooks', []),
      await engine.reader.all('select content from audit_log', []),
    ])
    for (const secret of secrets) expect(rows).not.toContain(secret)
  })

  it('is signed for a day with each secret that was replaced, though it was replaced more than once', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    const { id, secret } = await current.create(path, { url: receiver.url, types: ['location.*'] })
    const secrets = [secret]
    const rotate = async () => {
      clock.forward(60_000)
      const { status, body } = await current.post(`${path}/${id}/rotate-secret`)
      if (status === 200) secrets.push(body.data.secret)
      return status === 200 ? undefined : [status, body.error.reason, body.msg]
    }
    for (const _ of [1, 2, 3, 4, 5]) expect(await rotate()).toBeUndefined()
    const first = new Date(Date.parse(clock.now()) + 24 * HOUR - 4 * 60_000).toISOString()
    expect(await rotate()).toEqual([409, 'webhook.rotated_often', expect.stringContaining(first)])
    const sender = newSender()
    await current.create('/api/v1/locations', { name: 'Each' })
    await send(sender)
    clock.forward(Date.parse(first) - Date.parse(clock.now()))
    const later = house.loggedIn((await house.member('Owner')).token)
    await later.create('/api/v1/locations', { name: 'All but the first' })
    await send(sender)
    expect(receiver.received.map((one) => secrets.map((secret) => isVerified(one, secret)))).toEqual([
      [true, true, true, true, true, true],
      [false, true, true, true, true, true],
    ])
  })

  it('replays from a sequence, under the ids of before', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    const { id } = await current.create(path, { url: receiver.url, types: ['location.*'] })
    const sender = newSender()
    for (const name of ['1', '2', '3']) await current.create('/api/v1/locations', { name })
    await send(sender)
    const from = receiver.received[0]?.body.data.sequence ?? 0
    expect((await current.post(`${path}/${id}/replay`, { after: from })).status).toBe(200)
    await send(sender)
    expect(receiver.received.map(({ body }) => body.data.data?.name)).toEqual(['1', '2', '3', '2', '3'])
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(3)
    const ahead = await current.post(`${path}/${id}/replay`, { after: 10_000_000 })
    const newest = ahead.body.error.details[0].message
    expect([ahead.body.error.reason, newest]).toEqual(['feed.ahead', expect.stringMatching(/^\d+$/)])
    // Whoever may not read the feed finds no end of it by trying: within it and beyond, the answer is the same.
    const writer = await memberWith(house, ['webhooks:write'])
    for (const after of [from, Number(newest) + 1, 10_000_000]) {
      const untold = await writer.post(`${path}/${id}/replay?dry_run=true`, { after })
      expect([untold.status, untold.body.msg]).toEqual([200, expect.stringContaining(`after ${after}`)])
    }
    expect((await writer.post(`${path}/${id}/replay`, { after: 10_000_000 })).status).toBe(200)
    const before = receiver.received.length
    await current.create('/api/v1/locations', { name: 'next' })
    await send(sender)
    expect(receiver.received.slice(before).map(({ body }) => body.data.data?.name)).toEqual(['next'])
    for (const feed of ['gossip', 'access-events'])
      expect((await current.post(`${path}/${id}/replay`, { after: 0, feed })).body.error.reason, feed).toBe(
        'webhook.feed',
      )
  })

  it('replays the feed that its types are of, and says that a disabled one sends nothing', async () => {
    const current = house.loggedIn((await house.member('Owner')).token)
    const receiver = await startReceiver()
    const { id } = await current.create(path, { url: receiver.url, types: ['door.*'] })
    const sender = newSender()
    const { id: location_id } = await place('Of the door')
    const { id: building_id } = await owner.create('/api/v1/buildings', { name: 'Of the door', location_id })
    const { id: space_id } = await owner.create('/api/v1/spaces', { name: 'Of the door', building_id })
    const { id: access_point_id } = await owner.create('/api/v1/access-points', { name: 'Watched', space_id })
    const { sequence } = await current.create('/api/v1/access-events', { type: 'door.opened', access_point_id })
    await send(sender)
    const again = await current.post(`${path}/${id}/replay`, { after: sequence - 1 })
    expect([again.status, again.body.msg]).toEqual([200, `Replaying access-events after ${sequence - 1}`])
    await send(sender)
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['door.opened', 'door.opened'])
    await current.patch(`${path}/${id}`, { status: 'disabled' })
    expect((await current.post(`${path}/${id}/replay`, { after: 0 })).body.error.reason).toBe('webhook.disabled')
  })
})
