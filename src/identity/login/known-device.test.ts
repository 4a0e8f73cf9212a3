import { describe, expect, it, vi } from 'vitest'
import { type Answer, startHouse } from '../../../test/support/app.ts'
import { newPerson, type Person, withHeaders } from '../../../test/support/people.ts'
import { LoginAttempts } from './attempts.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { anonymous, clock, engine } = house

let host = 0
const network = () => `2001:db8:7:${(++host).toString(16)}::1`
const from = (address: string, cookie = '') => withHeaders(anonymous, { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) })
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
const rows = async () => (await engine.reader.all<{ n: number }>('select count(*) as n from login_attempts', []))[0]?.n

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

  it('a device has a counter of its own: who has taken it cannot guess without end, and the account does not notice', async () => {
    const person = await newPerson(house)
    const device = deviceOf(await logIn(person, network()))
    for (let i = 0; i < 5; i++) expect((await logIn({ ...person, password: 'wrong' }, network(), device)).status).toBe(401)
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
    const flooder = network()
    for (let i = 0; i < 5; i++) await logIn({ email: `nobody-${i}@example.org`, password: 'x' }, flooder)
    const before = await rows()
    const { transaction } = engine
    let transactions = 0
    engine.transaction = (...args: Parameters<typeof transaction>) => {
      transactions += 1
      return transaction.apply(engine, args) as never
    }
    try {
      for (let i = 0; i < 50; i++)
        expect((await logIn({ email: `another-${i}@example.org`, password: 'x' }, flooder)).status, String(i)).toBe(429)
    } finally {
      engine.transaction = transaction
    }
    expect(transactions).toBe(0)
    expect(await rows()).toBe(before)
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
