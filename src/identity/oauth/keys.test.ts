import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { ask, call, newApplication, obtain, startListening } from '../../../test/support/peers/oauth.ts'
import { pruneOauth } from '../../jobs/pruning/prune-oauth.ts'
import { currentKid, rotateKeys, SigningKeys } from './keys.ts'

const house = await startListening()
const { url, engine, clock } = house
const DAY = 24 * 3_600_000
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const published = async () =>
  ((await (await fetch(`${url}/oauth/jwks`)).json()) as { keys: Array<Record<string, string>> }).keys
const later = (ms: number) => new Date(Date.now() + ms).toISOString()

describe('signing keys', () => {
  it('are made once, however many processes begin at once, and published without their private half', async () => {
    const sets = await Promise.all(Array.from({ length: 8 }, () => new SigningKeys(engine, clock).load()))
    expect(new Set(sets.map(({ generation }) => generation)).size).toBe(1)
    const keys = await published()
    expect(keys.map(({ kid }) => kid)).toEqual(sets[0]?.keys.map(({ kid }) => kid))
    expect(keys).toHaveLength(2)
    const [stored] = await engine.reader.all<{ private_jwk: string }>('select private_jwk from oauth_keys', [])
    expect(stored?.private_jwk).not.toContain('"d"')
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('rotate: the next signs, the former still verifies, in every process, and goes when nothing it signed is good any more', async () => {
    const neighbour = await house.neighbour()
    const { tokens, config } = await obtain(house, await newApplication(house))
    const [current, next] = await published()
    expect(kidOf(tokens.access_token)).toBe(current?.kid)
    await rotateKeys(engine, clock.now(), await currentKid(engine.reader))
    await expect.poll(async () => (await published())[0]?.kid, { timeout: 3000 }).toBe(next?.kid)
    const keys = await published()
    expect(keys).toHaveLength(3)
    expect(keys[2]?.kid).toBe(current?.kid)
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(kidOf(renewed.access_token)).toBe(next?.kid)
    for (const token of [tokens.access_token, renewed.access_token]) {
      expect((await call(url, token)).status).toBe(200)
      const there = await neighbour.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })
      expect(there.statusCode).toBe(200)
    }
    await pruneOauth(engine, later(DAY / 2))
    expect(await new SigningKeys(engine, clock).load()).toMatchObject({ keys: { length: 3 } })
    await pruneOauth(engine, later(DAY + 1000))
    expect(await new SigningKeys(engine, clock).load()).toMatchObject({ keys: { length: 2 } })
  })

  it('rotate once when several find them too old together, 90 days after they began to sign', async () => {
    const before = await currentKid(engine.reader)
    const at = (ms: number) => ({ now: () => later(ms), elapsed: () => ms })
    await new SigningKeys(engine, at(89 * DAY)).load()
    expect(await currentKid(engine.reader)).toBe(before)
    const sets = await Promise.all(Array.from({ length: 8 }, () => new SigningKeys(engine, at(91 * DAY)).load()))
    expect(sets.map(({ keys }) => keys.length)).toEqual(Array(8).fill(3))
    expect(await currentKid(engine.reader)).not.toBe(before)
    await pruneOauth(engine, later(100 * DAY))
    // So far ahead the former key is gone at once: the service has to have noticed before it signs again.
    await expect.poll(async () => (await published()).length).toBe(2)
  })

  it('are forgotten at once where one has leaked: every token before is refused within a second', async () => {
    const { tokens } = await obtain(house, await newApplication(house))
    expect((await call(url, tokens.access_token)).status).toBe(200)
    await rotateKeys(engine, clock.now(), await currentKid(engine.reader), true)
    await expect
      .poll(async () => (await call(url, tokens.access_token)).status, { timeout: 1500, interval: 50 })
      .toBe(401)
    expect(await new SigningKeys(engine, clock).load()).toMatchObject({ keys: { length: 2 } })
  })
})

describe('pruning', () => {
  it('removes what has expired or was used up a while ago, and nothing before', async () => {
    const count = async (table: string) =>
      (await engine.reader.all<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n ?? 0
    await pruneOauth(engine, later(200 * DAY))
    expect([await count('oauth_records'), await count('oauth_grants')]).toEqual([0, 0])
    const { tokens, config } = await obtain(house, await newApplication(house))
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const refreshTokens = async () =>
      (
        await engine.reader.all<{ n: number }>(
          `select count(*) as n from oauth_records where kind = 'RefreshToken'`,
          [],
        )
      )[0]?.n
    await pruneOauth(engine, later(6 * DAY))
    expect([await refreshTokens(), await count('oauth_grants')]).toEqual([2, 1])
    await pruneOauth(engine, later(8 * DAY))
    expect([await refreshTokens(), await count('oauth_grants')]).toEqual([1, 1])
    await pruneOauth(engine, later(91 * DAY))
    expect([await refreshTokens(), await count('oauth_grants')]).toEqual([0, 0])
  })

  it('of codes, tokens and sessions only digests are stored, also while somebody is being asked', async () => {
    const { tokens, browser, config } = await obtain(house, await newApplication(house))
    const { url: page } = await browser.open((await ask(config, 'locations:write')).start)
    expect(new URL(page).pathname).toMatch(/^\/consent\//)
    const rows = JSON.stringify([
      await engine.reader.all('select * from oauth_records', []),
      await engine.reader.all('select * from oauth_grants', []),
      await engine.reader.all('select content from audit_log', []),
    ])
    expect(rows).not.toContain(tokens.refresh_token)
    expect(rows).not.toContain(tokens.access_token)
    const session = browser.cookies.get('gatehouse_oauth /oauth')?.value.split('=')[1] ?? ''
    expect(session).toHaveLength(43)
    expect(rows).not.toContain(session)
  })
})
