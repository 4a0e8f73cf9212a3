import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  ask,
  authorize,
  Browser,
  call,
  consent,
  discover,
  newApplication,
  obtain,
  startListening,
} from '../../../test/support/peers/oauth.ts'
import { newPerson, type Person, page } from '../../../test/support/people.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startListening()
const { url } = house
const demand = async (value: boolean) =>
  expect(
    (await house.loggedIn(house.owner.token).patch('/api/v1/organization', { require_second_factor: value })).status,
  ).toBe(200)
afterEach(() => demand(false))

async function setUp(person: Person): Promise<void> {
  const { secret } = (await person.post('/api/v1/me/totp')).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await person.post('/api/v1/me/totp/confirm', { code })).status).toBe(200)
}

describe('where a second factor is demanded, an application', () => {
  it('gets no consent of whoever has none, by the API or by the pages, until they have set one up', async () => {
    const person = await newPerson(house, 'Owner')
    const config = await discover(url, await newApplication(house))
    const asked = await ask(config, 'spaces:read')
    const browser = new Browser(url, person.cookie)
    const { url: address } = await browser.open(asked.start)
    expect(address).toContain('/consent/')
    await demand(true)
    await expect(consent(person, address)).rejects.toThrow('second_factor_set_up_required')
    expect((await browser.open(address)).url).toContain('/login?return=')
    expect((await browser.submit(address, { decision: 'confirm' })).status).toBe(401)
    await setUp(person)
    expect((await browser.open(await consent(person, address))).url).toContain('code=')
  })

  it('gets no code of them for what they agreed to before', async () => {
    const application = await newApplication(house)
    const { person, browser, config, tokens } = await obtain(house, application)
    const again = async () => (await browser.open((await ask(config, 'spaces:read locations:read')).start)).url
    expect(await again()).toContain('code=')
    await demand(true)
    expect(await again()).toContain('/login?return=')
    // What was given out acts on: tokens are not concerned.
    expect((await call(url, tokens.access_token)).status).toBe(200)
    await setUp(person)
    expect(await authorize(house, person, await ask(config, 'spaces:read locations:read'))).toContain('code=')
  })

  it('is not gone on with by a plain form that knows of no second factor', async () => {
    const person = await newPerson(house, 'Owner')
    await demand(true)
    const given = { email: person.email, password: person.password, return: '/consent/x' }
    const answer = await fetch(`${url}/login`, { method: 'POST', body: new URLSearchParams(given), headers: page })
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('A second factor is demanded of you'),
    ])
  })
})
