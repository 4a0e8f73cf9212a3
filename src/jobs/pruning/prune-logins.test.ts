import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import { LoginAttempts } from '../../identity/login/attempts.ts'
import { beginFlow } from '../../identity/login/flows.ts'
import { makeSetupLink } from '../../identity/setup/queries.ts'
import { pruneLogins } from './prune-logins.ts'

const house = await startHouse()
const { engine, clock, owner } = house
const admin = house.loggedIn(owner.token)
const HOUR = 3_600_000

const count = async (table: string) =>
  (await engine.reader.all<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n

it('sessions and links go when they have expired, failed logins after a day, and nothing before', async () => {
  await newPerson(house)
  await admin.create('/api/v1/users', { email: 'invited@example.org', name: 'x' })
  await makeSetupLink(engine, clock.now(), 'http://gatehouse.test')
  await new LoginAttempts(engine, clock).attempt(
    'a@example.org',
    { address: '192.0.2.1' },
    async () => undefined,
    () => 'wrong',
  )
  await beginFlow(engine, clock.now(), 'sign_on', 'state')
  const counts = async () =>
    Promise.all(['sessions', 'user_links', 'setup_links', 'login_attempts', 'login_flows'].map(count))
  // newPerson was invited too.
  expect(await counts()).toEqual([1, 2, 1, 2, 1])
  clock.forward(HOUR / 4)
  expect(await pruneLogins(engine, clock.now())).toBe(2)
  clock.forward(12 * HOUR - HOUR / 4)
  expect(await pruneLogins(engine, clock.now())).toBe(1)
  clock.forward(12 * HOUR)
  expect(await pruneLogins(engine, clock.now())).toBe(2)
  expect(await counts()).toEqual([0, 2, 0, 0, 0])
  clock.forward(6 * 24 * HOUR)
  expect(await pruneLogins(engine, clock.now())).toBe(2)
})
