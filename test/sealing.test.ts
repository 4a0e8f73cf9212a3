import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { Sealer } from '../src/core/secrets/sealed.ts'
import { change } from '../src/db/change.ts'
import { OrgHandle } from '../src/db/org.ts'
import { checkSealKey, seal, sealWith, unseal } from '../src/db/sealing.ts'
import { forgetSealed, whatIsLost } from '../src/jobs/forget-sealed.ts'
import { sealKeysOf } from '../src/jobs/seal-key.ts'
import { sealStored } from '../src/jobs/seal-stored.ts'
import { actor, startHouse } from './support/app.ts'
import { newPerson } from './support/people.ts'

const house = await startHouse()
const { clock } = house
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const openSealer = (config: Parameters<typeof sealKeysOf>[0]) => sealKeysOf(config).find() ?? sealKeysOf(config).make()
const base64 = (bytes = 32) => randomBytes(bytes).toString('base64')

describe('secrets of an earlier version', () => {
  it('that lie in the database as they are work as they did, and are sealed at the start, once', async () => {
    const person = await newPerson(house, 'Owner')
    const { secret } = (await person.post('/api/v1/me/totp')).body.data
    const code = () => new TOTP({ secret }).generate({ timestamp: Date.parse(clock.now()) })
    expect((await person.post('/api/v1/me/totp/confirm', { code: code() })).status).toBe(200)
    const settings = { host: 'x', api_key: 'not sealed' }
    const system = await house.owner.create('/api/v1/access-control-systems', { name: 'Old', settings })
    await house.engine.transaction(async (session) => {
      await session.run('update users set totp_secret = $1 where id = $2', [secret, person.id])
      const secrets = JSON.stringify({ 'settings.api_key': 'not sealed' })
      await session.run('update access_control_systems set secrets = $1 where id = $2', [secrets, system.id])
    })
    const stored = async () =>
      JSON.stringify([
        await house.engine.reader.all('select totp_secret from users where id = $1', [person.id]),
        await house.engine.reader.all('select secrets from access_control_systems where id = $1', [system.id]),
      ])
    const change = (more: object) =>
      house.owner.patch(`/api/v1/access-control-systems/${system.id}`, { settings: { api_key: '•••', ...more } })
    expect((await change({ host: 'y' })).status).toBe(200)
    expect(await stored()).toContain('not sealed')

    await sealStored(house.engine, clock.now())
    const sealed = await stored()
    expect(sealed).not.toMatch(new RegExp(`not sealed|${secret}`))
    await sealStored(house.engine, clock.now())
    expect(await stored()).toBe(sealed)
    const { data } = (await house.owner.get('/api/v1/audit-log?action=eq.organization.secrets_sealed')).body
    expect(data).toMatchObject([{ after: { users: [person.id], access_control_systems: [system.id] } }])

    clock.forward(30_000)
    const login = await house.anonymous.post('/api/v1/login', {
      email: person.email,
      password: person.password,
      code: code(),
    })
    expect(login.status, login.text).toBe(200)
    expect((await change({ host: 'z' })).body.data.settings).toEqual({ host: 'z', api_key: '•••' })
  })
})

describe('the key that seals secrets', () => {
  it('is made at first need, once, and only for us to read', () => {
    const config = { dataDir: join(folder, 'new'), secretKeys: [] }
    const sealed = openSealer(config).seal('a secret', 'here')
    expect(openSealer(config).open(sealed, 'here')).toBe('a secret')
    expect(statSync(join(config.dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(join(config.dataDir, 'secret-key'), 'utf8'), 'base64')).toHaveLength(32)
  })

  it('is that of SECRET_KEY where it is set, the newest first', () => {
    const [old, fresh] = [base64(), base64()]
    const before = openSealer(readConfig({ SECRET_KEY: old })).seal('a secret', '')
    expect(openSealer(readConfig({ SECRET_KEY: `${fresh}, ${old}` })).open(before, '')).toBe('a secret')
  })

  it.each([base64(31), base64(33), 'secret', `${base64()},x`])(
    'stops the start when it is wrong, without showing it',
    (text) => {
      let error: unknown
      try {
        readConfig({ SECRET_KEY: text })
      } catch (caught) {
        error = caught
      }
      expect(error).toBeInstanceOf(ConfigError)
      expect((error as Error).message).toContain('SECRET_KEY')
      for (const part of text.split(',')) expect((error as Error).message).not.toContain(`"${part}`)
    },
  )

  it('is one for all processes: another one seals nothing, and a start with it is refused', async () => {
    const write = (engine: typeof house.engine, secret: string) =>
      change(engine, 1, clock.now(), actor, async (tx) => {
        tx.event({ action: 'test.updated', resource: 'test', resourceId: null, before: null, after: null })
        return seal(tx, secret, 'test')
      })
    const sealed = await write(house.engine, 'a secret')
    const { engine: other } = (await house.neighbour()).house
    const read = () => unseal(new OrgHandle(other, 1, clock.now()), sealed, 'test')
    expect(read()).toBe('a secret')
    await checkSealKey(other)

    const neighbour = (await house.neighbour()).house.engine
    const stranger = new Sealer([randomBytes(32)])
    sealWith(neighbour, { find: () => stranger, make: () => stranger })
    await expect(checkSealKey(neighbour)).rejects.toThrow('SECRET_KEY')
    await expect(write(neighbour, 'another')).rejects.toThrow(stranger.keyId)
  })

  it('opens a secret in its own organization only', async () => {
    const sealed = await change(house.engine, 1, clock.now(), actor, async (tx) => {
      tx.event({ action: 'test.updated', resource: 'test', resourceId: null, before: null, after: null })
      return seal(tx, 'a secret', 'test')
    })
    expect(() => unseal(new OrgHandle(house.engine, 2, clock.now()), sealed, 'test')).toThrow()
  })
})

describe('secrets that only a lost key could open', () => {
  it('are given up on the record: people log in with the password alone, and set up another app', async () => {
    const person = await newPerson(house, 'Owner')
    const { secret } = (await person.post('/api/v1/me/totp')).body.data
    const code = new TOTP({ secret }).generate({ timestamp: Date.parse(clock.now()) })
    expect((await person.post('/api/v1/me/totp/confirm', { code })).status).toBe(200)
    expect((await whatIsLost(house.engine, clock.now())).factors).toBeGreaterThan(0)
    await forgetSealed(house.engine, clock.now(), actor)
    expect(await whatIsLost(house.engine, clock.now())).toEqual({
      factors: 0,
      systems: 0,
      pins: 0,
      codes: 0,
      mails: 0,
      flows: 0,
      oauthKeys: 0,
      webhooks: 0,
      imports: 0,
    })
    const login = await house.anonymous.post('/api/v1/login', { email: person.email, password: person.password })
    expect(login.status, login.text).toBe(200)
    const { data } = (await house.owner.get('/api/v1/audit-log?action=eq.organization.secrets_forgotten')).body
    expect(data[0].after.users).toContain(person.id)
    expect((await person.post('/api/v1/me/totp')).status).toBe(200)
  })
})
