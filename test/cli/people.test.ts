import { describe, expect, it } from 'vitest'
import { freshHouse, gatehouse, migratedHouse, serve } from './child.ts'

const post = async (address: string, path: string, body: object) => {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    cookie: answer.headers.get('set-cookie') ?? '',
    body: (await answer.json()) as { data: { id: string } },
  }
}
const setup = (token: string) => ({
  token,
  organization: 'Test',
  time_zone: 'Europe/Zurich',
  name: 'Ada',
  email: 'ada@example.org',
  password: 'correct horse battery staple',
})
const LINK = /^\s*(http:\/\/\S+\/setup)#([\w-]{43})$/m

describe('the set-up link', () => {
  it('is printed by serve on an empty database, for people and not in the log, and works', async () => {
    const env = await freshHouse()
    const first = await serve([], env)
    await expect.poll(first.err).toMatch(LINK)
    const [, page, token = ''] = LINK.exec(first.err()) ?? []
    expect(page).toBe(`${first.address}/setup`)
    expect((await post(first.address, '/api/v1/setup', setup(token))).status).toBe(200)
    expect(first.out()).not.toContain(token)
    first.signal('SIGTERM')
    await first.ended
    const second = await serve([], env)
    expect((await fetch(`${second.address}/livez`)).status).toBe(200)
    expect(second.err()).not.toMatch(LINK)
    const refused = await gatehouse(['setup-link'], env)
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('There is an organization already')
  })

  it('is made afresh by the command, alone on standard output', async () => {
    const env = await migratedHouse()
    const { address } = await serve([], env)
    const made = await gatehouse(['setup-link'], { ...env, BASE_URL: address })
    expect([made.code, made.err]).toEqual([0, ''])
    const [, , token = ''] = LINK.exec(made.out) ?? []
    expect((await post(address, '/api/v1/setup', setup(token))).status).toBe(200)
  })
})

describe('serve --demo', () => {
  it('prints a login that works; without --demo there is nobody', async () => {
    const env = await migratedHouse()
    const { address, err } = await serve(['--demo'], env)
    const line = /^ {2}(demo@example\.com) {2}(\S+)$/m
    await expect.poll(err, { timeout: 20_000 }).toMatch(line)
    const [, email, password] = line.exec(err()) ?? []
    const { status, cookie } = await post(address, '/api/v1/login', { email, password })
    expect(status).toBe(200)
    expect(cookie).toMatch(/^gatehouse_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax(?:,|$)/)
    const [own = ''] = cookie.split(';')
    const me = await fetch(`${address}/api/v1/me`, { headers: { cookie: own } })
    expect(((await me.json()) as { data: unknown }).data).toMatchObject({ kind: 'user', roles: [{ name: 'Owner' }] })
  })
})

it('a user who cannot log in gets a link to a new password from whoever runs the service', async () => {
  const env = await migratedHouse()
  const { address } = await serve([], env)
  const made = await gatehouse(['setup-link'], { ...env, BASE_URL: address })
  const [, , token = ''] = LINK.exec(made.out) ?? []
  await post(address, '/api/v1/setup', setup(token))
  const link = await gatehouse(['user', 'reset-link', 'ADA@example.org'], { ...env, BASE_URL: address })
  expect(link).toMatchObject({ code: 0, err: expect.stringContaining('Valid until') })
  const [, secret = ''] = /^\S+\/reset#([\w-]{43})\n$/.exec(link.out) ?? []
  const password = 'another horse battery staple'
  expect((await post(address, '/api/v1/password-reset', { token: secret, password })).status).toBe(200)
  expect((await post(address, '/api/v1/login', { email: 'ada@example.org', password })).status).toBe(200)
  expect(await gatehouse(['user', 'reset-link', 'eve@example.org'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nobody'),
  })
})
