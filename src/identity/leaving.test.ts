import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { Authenticator } from '../../test/support/peers/authenticator.ts'
import { ask, Browser, discover, newApplication, startListening } from '../../test/support/peers/oauth.ts'
import { newPerson, page, tokenIn } from '../../test/support/people.ts'
import type { SignOnProvider } from '../config.ts'
import { logInByIdentity } from './sign-on/queries.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startListening()
const { url, engine, app, owner, clock } = house
const admin = house.loggedIn(owner.token)
const password = 'correct horse battery staple'

/** Asks while another change of the organization goes on, and leaves before the end of it. */
async function leave(path: string, body: object, cookie = ''): Promise<void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  // As many as are let in at once on either engine, and some that wait.
  const holding = Array.from({ length: 20 }, () => engine.writers.take(1, () => held))
  const waiting = engine.writers.waitingCount
  try {
    const arrived = once(app.server, 'request')
    const asked = request(`${url}${path}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', cookie, ...page },
    })
    asked.on('error', () => undefined).end(JSON.stringify(body))
    const [, response] = (await arrived) as [unknown, ServerResponse]
    await expect.poll(() => engine.writers.waitingCount, { interval: 5 }).toBe(waiting + 1)
    const left = once(response, 'close')
    asked.destroy()
    await left
  } finally {
    release()
  }
  await Promise.all(holding)
  // Behind what may still wait.
  await engine.writers.take(1, async () => undefined)
}

const audit = async (id: string): Promise<string[]> =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data.map(
    (entry: { action: string }) => entry.action,
  )

it('a login whose caller has left is neither let in nor refused', async () => {
  const person = await newPerson(house)
  const before = await audit(person.id)
  await leave('/api/v1/login', { email: person.email, password: person.password })
  await leave('/api/v1/login', { email: person.email, password: 'a wrong one' })
  expect(await audit(person.id)).toEqual(before)
})

it('a link whose caller has left can still be used', async () => {
  const { id, link } = await admin.create('/api/v1/users', {
    email: `${randomUUID()}@example.org`,
    name: 'Grace Hopper',
  })
  const accept = { token: tokenIn(link), password }
  await leave('/api/v1/invitations/accept', accept)
  expect((await house.anonymous.post('/api/v1/invitations/accept', accept, page)).status).toBe(200)
  const reset = {
    token: tokenIn((await admin.post(`/api/v1/users/${id}/reset-link`)).body.data.link),
    password: `${password} again`,
  }
  await leave('/api/v1/password-reset', reset)
  expect((await house.anonymous.post('/api/v1/password-reset', reset, page)).status).toBe(200)
})

it('a passkey whose owner has left was not used', async () => {
  const person = await newPerson(house)
  const device = new Authenticator(url)
  const { options } = (await person.post('/api/v1/me/passkeys/options')).body.data
  const { id } = await person.create('/api/v1/me/passkeys', { name: 'Phone', response: device.create(options) })
  const login = (await house.anonymous.post('/api/v1/login/passkey/options', undefined, page)).body.data.options
  await leave('/api/v1/login/passkey', { response: device.get(login) })
  expect((await person.get('/api/v1/me/passkeys')).body.data).toMatchObject([{ id, last_used_at: null }])
})

it('an application is granted nothing by somebody who has left', async () => {
  const person = await newPerson(house, 'Operator')
  const asked = await ask(await discover(url, await newApplication(house)), 'spaces:read')
  const { url: address } = await new Browser(url, person.cookie).open(asked.start)
  await leave(
    `/api/v1/oauth/interactions/${new URL(address).pathname.replace('/consent/', '')}/confirm`,
    {},
    person.cookie,
  )
  expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
})

it('nobody joins by single sign-on who has left', async () => {
  const email = `${randomUUID()}@example.org`
  const provider = { id: 'corp', name: 'Corp', join: { organization: 'Test', role: 'Auditor' } } as SignOnProvider
  const identity = {
    issuer: 'https://corp.example',
    subject: email,
    email,
    isEmailVerified: true,
    name: null,
    isByFactors: false,
  }
  const join = (signal: AbortSignal) =>
    logInByIdentity(engine, clock.now(), provider, identity, undefined, {
      address: '::1',
      userAgent: undefined,
      reqId: 'req_1',
      signal,
    })
  await expect(join(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  const { user } = await join(new AbortController().signal)
  expect(user.email).toBe(email)
  const before = await audit(user.id)
  await expect(join(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(await audit(user.id)).toEqual(before)
})
