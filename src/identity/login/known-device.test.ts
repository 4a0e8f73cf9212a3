import { describe, expect, it, vi } from 'vitest'
import { type Answer, actor, startHouse } from '../../../test/support/app.ts'
import { newPerson, type Person, withHeaders } from '../../../test/support/people.ts'
import { createOrganization } from '../organizations.ts'
import { LoginAttempts } from './attempts.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { anonymous, clock, engine } = house

let host = 0
const network = () => `2001:db8:7:${(++host).toString(16)}::1`
const from = (address: string, cookie = '') =>
  withHeaders(anonymous, { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) })
const logIn = ({ email, password }: Pick<Person, 'email' | 'password'>, address: string, cookie?: string) =>
  from(address, cookie).post('/api/v1/login', { email, password })

const deviceOf = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';', 1).join())
    .find((cookie) => cookie.includes('gatehouse_device=')) ?? ''

/** Wrong passwords from all over the world, until nobody is let try any more. */
async function guessElsewhere(email: string): Promise<void> {
  const attempts = new LoginAttempts(engine, clock)
  for (let i = 0; i < 5; i++)
    await attempts.attempt(
      email,
      { address: network() },
      async () => undefined,
      () => 'wrong',
    )
  const refused = await logIn({ email, password: 'wrong' }, network())
  expect([refused.status, refused.body.error.reason]).toEqual([429, 'failed_logins'])
}
/** How many of twenty wrong passwords are looked at. */
async function guessing({ email }: Person, address: string): Promise<{ judged: number }> {
  const attempts = new LoginAttempts(engine, clock)
  let judged = 0
  for (let i = 0; i < 20; i++)
    await attempts
      .attempt(
        email,
        { address },
        async () => ++judged,
        () => 'wrong',
      )
      .catch(() => undefined)
  return { judged }
}
const rows = async ({ reader } = engine) =>
  (await reader.all<{ n: number }>('select count(*) as n from login_attempts', []))[0]?.n

describe('a device', () => {
  it('is not known any more once the password is another: who once knew it has no counters left to guess by', async () => {
    const person = await newPerson(house)
    const devices = [deviceOf(await logIn(person, network())), deviceOf(await logIn(person, network()))]
    const next = 'another password altogether'
    expect(
      (await person.post('/api/v1/me/password', { current_password: person.password, new_password: next })).status,
    ).toBe(200)
    await guessElsewhere(person.email)
    for (const device of devices)
      expect((await logIn({ ...person, password: next }, network(), device)).status).toBe(429)
    clock.forward(60_000)
    const renewed = deviceOf(await logIn({ ...person, password: next }, network(), devices[0]))
    await guessElsewhere(person.email)
    expect((await logIn({ ...person, password: next }, network(), renewed)).status).toBe(200)
  })

  it('stays known when somebody logs out everywhere, and logs nobody in by itself', async () => {
    const person = await newPerson(house)
    const device = deviceOf(await logIn(person, network()))
    const sessions = (await person.get('/api/v1/sessions')).body.data as Array<{ id: string }>
    for (const { id } of sessions) expect([200, 401]).toContain((await person.delete(`/api/v1/sessions/${id}`)).status)
    expect((await from(network(), device).get('/api/v1/me')).status).toBe(401)
    await guessElsewhere(person.email)
    expect((await logIn(person, network(), device)).status).toBe(200)
  })

  it('of somebody with the same address in another organization is a stranger’s here, and their logins make up for no guess', async () => {
    const person = await newPerson(house)
    const own = deviceOf(await logIn(person, network()))
    await createOrganization(engine, clock.now(), actor, 'Elsewhere', 'Europe/Zurich')
    const theirs = house.loggedIn((await house.member('Owner', {}, 'Elsewhere')).token)
    const { link } = await theirs.create('/api/v1/users', { email: person.email, name: 'Mallory' })
    const password = 'the password of somebody else'
    const token = link.slice(link.indexOf('#') + 1)
    expect((await from(network()).post('/api/v1/invitations/accept', { token, password })).status).toBe(200)
    const mallory = { email: person.email, password, organization: 'Elsewhere' }
    const entered = await from(network()).post('/api/v1/login', mallory)
    expect(entered.status).toBe(200)
    // As often as they like, from wherever they like: five guesses are had, however many right logins come between
    // them.
    const guesses: number[] = []
    for (let i = 0; i < 8; i++) {
      const device = from(network(), deviceOf(entered))
      for (const of of [{ organization: 'Test' }, {}])
        guesses.push((await device.post('/api/v1/login', { email: person.email, password: 'a guess', ...of })).status)
      expect((await device.post('/api/v1/login', mallory)).status).toBe(200)
    }
    expect(guesses.filter((status) => status === 401)).toHaveLength(5)
    expect(guesses.filter((status) => status === 429)).toHaveLength(11)
    // Who is meant gets in on a device of their own, by the organization that they name.
    const meant = { email: person.email, password: person.password, organization: 'Test' }
    expect((await from(network(), own).post('/api/v1/login', meant)).status).toBe(200)
    expect((await from(network()).post('/api/v1/login', meant)).status).toBe(429)
  })
})

describe('while others guess', () => {
  it('the right password gets in on a device that is known, from wherever it is, and strangers still wait', async () => {
    const person = await newPerson(house)
    const device = deviceOf(await logIn(person, network()))
    expect(device).not.toBe('')
    await guessElsewhere(person.email)
    expect((await logIn(person, network())).status).toBe(429)
    const entered = await logIn(person, network(), device)
    expect(entered.status).toBe(200)
    // Logging in does not wipe the guessers’ slate.
    expect((await logIn(person, network())).status).toBe(429)
    // It is renewed, and remains the same device.
    expect((await logIn(person, network(), deviceOf(entered))).status).toBe(200)
  })

  it('the right password gets in from a network that is known; a wrong one there is told no more than a stranger is', async () => {
    const person = await newPerson(house)
    const home = network()
    expect((await logIn(person, home)).status).toBe(200)
    await guessElsewhere(person.email)
    const wrong = await logIn({ ...person, password: 'wrong' }, home)
    expect([wrong.status, wrong.body.error.reason]).toEqual([429, 'failed_logins'])
    expect((await logIn(person, home)).status).toBe(200)
    expect((await logIn(person, network())).status).toBe(429)
  })

  it('the right password gets in from a network that is known though others guess there, on whatever they guess', async () => {
    const [person, stranger] = [await newPerson(house), await newPerson(house)]
    const office = network()
    expect((await logIn(person, office)).status).toBe(200)
    const sprayed = async () => (await logIn({ email: `nobody-${++host}@example.org`, password: 'x' }, office)).status
    for (let i = 0; i < 5; i++) expect(await sprayed()).toBe(401)
    expect(await sprayed()).toBe(429)
    expect((await logIn(stranger, office)).status).toBe(429)
    expect((await logIn(person, office)).status).toBe(200)
    // It wipes nobody's slate.
    expect(await sprayed()).toBe(429)
    expect((await logIn(stranger, office)).status).toBe(429)
    // In a process that has heard of none of it.
    const there = await (await house.neighbour()).inject({
      method: 'POST',
      url: '/api/v1/login',
      headers: { 'x-forwarded-for': office },
      payload: { email: person.email, password: person.password },
    })
    expect(there.statusCode).toBe(200)
  })

  it('who shares a network with somebody known there cannot guess at them without end', async () => {
    const person = await newPerson(house)
    const office = network()
    expect((await logIn(person, office)).status).toBe(200)
    const { judged } = await guessing(person, office)
    // Five as anybody, five as somebody known: then even the right one waits.
    expect(judged).toBe(10)
    expect((await logIn(person, office)).status).toBe(429)
    clock.forward(60_000)
    expect((await logIn(person, office)).status).toBe(200)
  })

  it('a device has a counter of its own: who has taken it cannot guess without end, and the account does not notice', async () => {
    const person = await newPerson(house)
    const device = deviceOf(await logIn(person, network()))
    for (let i = 0; i < 5; i++)
      expect((await logIn({ ...person, password: 'wrong' }, network(), device)).status).toBe(401)
    expect((await logIn(person, network(), device)).status).toBe(429)
    expect((await logIn(person, network())).status).toBe(200)
    clock.forward(1000)
    expect((await logIn(person, network(), device)).status).toBe(200)
  })

  it('a cookie of another account, one that was altered, and one that is too old are worth nothing', async () => {
    const [person, other] = [await newPerson(house), await newPerson(house)]
    const own = deviceOf(await logIn(person, network()))
    const foreign = deviceOf(await logIn(other, network()))
    await guessElsewhere(person.email)
    const altered = own.replace(/.{9}$/, (end) => (end.startsWith('A') ? 'B' : 'A') + end.slice(1))
    for (const cookie of [foreign, altered, '__Host-gatehouse_device=x', '__Host-gatehouse_device='])
      expect((await logIn(person, network(), cookie)).status, cookie).toBe(429)
    expect((await logIn(person, network(), own)).status).toBe(200)
    clock.forward(181 * 86_400_000)
    await guessElsewhere(person.email)
    expect((await logIn(person, network(), own)).status).toBe(429)
  })
})

describe('who has to wait', () => {
  it('is refused without a row, a statement or a password looked at', async () => {
    // In a house of its own: elsewhere it is noted by and by who was there last.
    const { anonymous, engine } = await startHouse({ env: { TRUST_PROXY: 'on' } })
    const flooder = withHeaders(anonymous, { 'x-forwarded-for': network() })
    const tryTo = (email: string) => flooder.post('/api/v1/login', { email, password: 'x' })
    for (let i = 0; i < 5; i++) await tryTo(`nobody-${i}@example.org`)
    const before = await rows(engine)
    expect(before).toBeGreaterThan(0)
    const { transaction } = engine
    let transactions = 0
    engine.transaction = (...args: Parameters<typeof transaction>) => {
      transactions += 1
      return transaction.apply(engine, args) as never
    }
    for (let i = 0; i < 50; i++) expect((await tryTo(`another-${i}@example.org`)).status, String(i)).toBe(429)
    engine.transaction = transaction
    expect(transactions).toBe(0)
    expect(await rows(engine)).toBe(before)
  })

  it('leaves no row either where only the database knows that it has to wait', async () => {
    const neighbour = await house.neighbour()
    const flooder = network()
    for (let i = 0; i < 5; i++) await logIn({ email: `nobody-${i}@example.org`, password: 'x' }, flooder)
    const before = await rows()
    const there = await neighbour.inject({
      method: 'POST',
      url: '/api/v1/login',
      headers: { 'x-forwarded-for': flooder },
      payload: { email: 'somebody-new@example.org', password: 'x' },
    })
    expect(there.statusCode).toBe(429)
    expect(await rows()).toBe(before)
  })
})
