import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { change } from '../../db/change.ts'
import { changeOrganization, organizationOf } from '../../identity/organization/queries.ts'
import { createOrganization } from '../../identity/organizations.ts'
import { giveTokenNotices, startTokenNotices } from './token-notices.ts'

const house = await startHouse()
const { engine, clock } = house
const DAY = 86_400_000

const admin = house.loggedIn((await house.member('Owner')).token)
/** The tokens that the clients of this file live by end too; the log says of whom it speaks. */
async function newToken(days: number): Promise<{ id: string; path: string }> {
  const { id: parent } = await owner().create('/api/v1/service-users', { name: 'Nightly' })
  const expires_at = new Date(Date.parse(clock.now()) + days * DAY).toISOString()
  const path = `/api/v1/service-users/${parent}/tokens`
  const { id } = await owner().create(path, { name: 'Job', expires_at })
  return { id, path: `${path}/${id}` }
}
let current = admin
const owner = () => current
/** A token of our own must not run out meanwhile. */
async function forward(ms: number): Promise<void> {
  clock.forward(ms)
  current = house.loggedIn((await house.member('Owner')).token)
}

interface Told {
  action: string
  days_left: number
}
const toldOf = async (id: string): Promise<Told[]> => {
  const { body } = await owner().get(`/api/v1/audit-log?resource_id=eq.${id}&action=like.token.expire*&order=sequence`)
  return body.data.map(({ action, after }: { action: string; after: { days_left: number } }) => ({
    action,
    days_left: after.days_left,
  }))
}
const events = async (id: string) =>
  (await owner().get(`/api/v1/changes?type=token.expire*&resource_id=${id}`)).body.data.map(
    ({ type }: { type: string }) => type,
  )

const soon = (days_left: number): Told => ({ action: 'token.expires_soon', days_left })
const expired: Told = { action: 'token.expired', days_left: 0 }

describe('a token that expires', () => {
  it('is told of 30, 7 and 1 days ahead and when it has expired, once each, as events and on the record', async () => {
    const { id } = await newToken(40)
    const expected: Told[] = []
    for (const [ms, told] of [
      [10 * DAY - 1, undefined],
      [1, soon(30)],
      [23 * DAY - 1, undefined],
      [1, soon(7)],
      [6 * DAY - 1, undefined],
      [1, soon(1)],
      [DAY - 1, undefined],
      [1, expired],
      [90 * DAY, undefined],
    ] as const) {
      await forward(ms)
      await giveTokenNotices(engine, clock.now())
      await giveTokenNotices(engine, clock.now())
      if (told) expected.push(told)
      expect(await toldOf(id)).toEqual(expected)
    }
    expect(await events(id)).toEqual([
      'token.expires_soon',
      'token.expires_soon',
      'token.expires_soon',
      'token.expired',
    ])
  })

  it('is told of with whose it is, what it is called and when it ends, and nothing more', async () => {
    const { id, path } = await newToken(31)
    const { body } = await owner().get(path)
    await forward(2 * DAY)
    await giveTokenNotices(engine, clock.now())
    const entry = (await owner().get(`/api/v1/audit-log?resource_id=eq.${id}&action=eq.token.expires_soon`)).body
      .data[0]
    const { service_user_id, name, expires_at } = body.data
    expect(entry).toMatchObject({ actor_kind: 'system', actor_name: 'Token expiry', resource: 'tokens', before: null })
    expect(entry.after).toEqual({ service_user_id, service_user_name: 'Nightly', name, expires_at, days_left: 30 })
    // It is no change of the token.
    expect((await owner().get(path)).body.data).toEqual({ ...body.data, status: 'active' })
  })

  it('is told of by one of two processes that look at the same moment, and not again by one that starts later', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => newToken(20)))
    const other = (await house.neighbour()).house.engine
    await forward(14 * DAY)
    const tell = (each: typeof engine) => giveTokenNotices(each, clock.now())
    // SQLite waits for its lock without letting the event loop turn: there, one process alone can only take turns.
    if (process.env.ENGINE === 'postgres') await Promise.all([engine, other, engine, other].map(tell))
    else for (const each of [engine, other]) await Promise.all([tell(each), tell(each)])
    await giveTokenNotices((await house.neighbour()).house.engine, clock.now())
    for (const { id } of made) expect(await toldOf(id)).toEqual([soon(7)])
  })

  it('is told of once, with the days that are left, when nobody was there to tell earlier', async () => {
    const { id } = await newToken(60)
    await forward(59.5 * DAY)
    await giveTokenNotices(engine, clock.now())
    expect(await toldOf(id)).toEqual([soon(1)])
  })

  it('is not told of for a time that was over when it was made', async () => {
    const short = await newToken(5)
    const day = await newToken(0.5)
    await giveTokenNotices(engine, clock.now())
    expect([await toldOf(short.id), await toldOf(day.id)]).toEqual([[], []])
    await forward(4.5 * DAY)
    await giveTokenNotices(engine, clock.now())
    expect([await toldOf(short.id), await toldOf(day.id)]).toEqual([[soon(1)], [expired]])
  })

  it('is not told of when it was revoked, and once it was replaced only when it has ended', async () => {
    const revoked = await newToken(20)
    await owner().post(`${revoked.path}/revoke`)
    const rotated = await newToken(20)
    const in90 = new Date(Date.parse(clock.now()) + 90 * DAY).toISOString()
    await owner().post(`${rotated.path}/rotate`, { expires_at: in90, grace_seconds: 3600 })
    await giveTokenNotices(engine, clock.now())
    expect([await toldOf(revoked.id), await toldOf(rotated.id)]).toEqual([[], []])
    await forward(20 * DAY)
    await giveTokenNotices(engine, clock.now())
    expect([await toldOf(revoked.id), await toldOf(rotated.id)]).toEqual([[], [expired]])
  })

  it('of a suspended organization is told of when that works again', async () => {
    const { key } = await createOrganization(engine, clock.now(), actor, 'Asleep')
    await house.member('Owner', {}, 'Asleep')
    const set = (status: 'active' | 'suspended') =>
      change(engine, key, clock.now(), actor, async (tx) =>
        changeOrganization(tx, await organizationOf(tx, 'all'), { status }),
      )
    await set('suspended')
    await forward(61 * DAY)
    const told = async () =>
      engine.reader.all("select action from audit_log where org = $1 and action like 'token.expire%'", [key])
    await giveTokenNotices(engine, clock.now())
    expect(await told()).toEqual([])
    await set('active')
    await giveTokenNotices(engine, clock.now())
    expect(await told()).toEqual([{ action: 'token.expires_soon' }])
  })

  it('is looked for shortly after the start and then every minute', async () => {
    const { id } = await newToken(31)
    const planned: Array<{ run: () => void; ms: number }> = []
    const job = startTokenNotices(engine, clock, pino({ level: 'silent' }), house.app.house.mail, (run, ms) => {
      planned.push({ run, ms })
      return { cancel: () => undefined }
    })
    await forward(2 * DAY)
    planned[0]?.run()
    await expect.poll(() => planned.map(({ ms }) => ms)).toEqual([10_000, 60_000])
    expect(await toldOf(id)).toEqual([soon(30)])
    await forward(28 * DAY)
    planned[1]?.run()
    await job.stop()
    expect(await toldOf(id)).toEqual([soon(30), soon(1)])
  })
})
