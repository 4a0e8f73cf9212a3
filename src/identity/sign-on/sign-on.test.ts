import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, actor, startHouse } from '../../../test/support/app.ts'
import { IdentityProvider } from '../../../test/support/peers/identity-provider.ts'
import {
  browser,
  newPerson,
  type Person,
  page,
  race,
  roleId,
  setStatus,
  tokenIn,
  withHeaders,
} from '../../../test/support/people.ts'
import { allResources } from '../../all-resources.ts'
import { buildApp } from '../../app.ts'
import { createLogger } from '../../http/logger.ts'
import { createOrganization } from '../organizations.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const corp = await IdentityProvider.start('http://gatehouse.test/login/sso/corp/callback')
const open = await IdentityProvider.start('http://gatehouse.test/login/sso/open/callback')
const env = {
  TRUST_PROXY: 'on',
  SSO_PROVIDERS: 'corp, open',
  OUTGOING_ALLOW: '127.0.0.1',
  ...corp.settings('corp'),
  ...open.settings('open'),
  SSO_OPEN_JOIN: 'Test / Auditor',
}
const house = await startHouse({ env })
const { owner, anonymous, clock, engine } = house
const admin = house.loggedIn(owner.token)

let host = 0
/** Failures are counted per address. */
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1`, ...page })
const providerOf = (id: string) => (id === 'open' ? open : corp)
const cookieIn = (answer: Answer, name: string): string | undefined =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((line) => line.startsWith(`__Host-${name}=`))
    ?.split(';')[0]
const pathOf = (url: string) => url.slice('http://gatehouse.test'.length)

interface Trip {
  cookie: string
  /** Where the provider sent the browser back to. */
  back: string
}

/** From the button to the moment before coming back. */
async function trip(begun: Answer, provider: IdentityProvider, change = (url: URL): URL => url): Promise<Trip> {
  expect(begun.status, begun.text).toBe(200)
  const cookie = cookieIn(begun, 'gatehouse_sign_on')!
  return { cookie, back: await provider.visit(change(new URL(begun.body.data.url)).href) }
}
const comeBack = ({ cookie, back }: Trip) =>
  withHeaders(elsewhere(), { cookie, 'sec-fetch-site': 'cross-site' }).get(pathOf(back))
const begin = (body: object = {}) => elsewhere().post('/api/v1/login/sso', { provider: 'corp', ...body })

async function logIn(
  account: IdentityProvider['account'],
  body: { provider?: string; organization?: string; return_to?: string } = {},
): Promise<Answer> {
  const provider = providerOf(body.provider ?? 'corp')
  provider.account = account
  return comeBack(await trip(await begin(body), provider))
}
const sessionOf = (answer: Answer) => browser(house, cookieIn(answer, 'gatehouse_session') ?? '')

/** Somebody who has connected an account. */
async function connected(sub = randomUUID() as string): Promise<{ person: Person; sub: string }> {
  const person = await newPerson(house)
  corp.account = { sub, email: 'ada@corp.example', email_verified: true }
  const done = await comeBack(
    await trip(await person.post('/api/v1/me/identities', { provider: 'corp', return_to: '/account' }), corp),
  )
  expect([done.status, done.headers.location], done.text).toEqual([303, '/account'])
  return { person, sub }
}
const audit = async (id: string) =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data.map(
    (entry: { action: string }) => entry.action,
  )
const withoutPassword = (person: Person) =>
  engine.transaction((s) => s.run('update users set password_hash = null where id = $1', [person.id]))

describe('the login page', () => {
  it('learns which ways there are', async () => {
    expect((await anonymous.get('/api/v1/login/providers')).body.data).toEqual({
      providers: [
        { id: 'corp', name: 'Name of corp' },
        { id: 'open', name: 'Name of open' },
      ],
      passkeys: true,
      password_reset: false,
    })
  })

  it('is sent to the provider with PKCE, state and nonce, and to none that is not configured', async () => {
    const { searchParams } = new URL((await begin()).body.data.url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: 'http://gatehouse.test/login/sso/corp/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect((await begin({ provider: 'evil' })).body.error.reason).toBe('sign_on.unknown_provider')
    for (const return_to of ['//evil.example', 'https://evil.example', '/\\evil.example', 'x', '/a b'])
      expect((await begin({ return_to })).status, return_to).toBe(400)
    expect(
      (await elsewhere().post('/api/v1/login/sso', { provider: 'corp' }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
  })
})

describe('while the organization is suspended, single sign-on', () => {
  it('lets nobody in, join, accept an invitation or connect an account', async () => {
    const { person, sub } = await connected()
    const invited = await admin.create('/api/v1/users', { email: `${randomUUID()}@example.org`, name: 'x' })
    corp.account = { sub: randomUUID() }
    const accepting = await trip(await begin({ invitation: tokenIn(invited.link) }), corp)
    const connecting = await trip(await person.post('/api/v1/me/identities', { provider: 'corp' }), corp)
    await setStatus(house, 'suspended')
    const email = `${randomUUID()}@open.example`
    for (const answer of [
      await logIn({ sub }),
      await logIn({ sub: randomUUID(), email, email_verified: true }, { provider: 'open' }),
      await comeBack(accepting),
      await comeBack(connecting),
      await begin({ invitation: tokenIn(invited.link) }),
    ])
      expect([answer.status, cookieIn(answer, 'gatehouse_session')], answer.text).toEqual([401, undefined])
    await setStatus(house, 'active')
    expect((await owner.get(`/api/v1/users?email=eq.${email}`)).body.data).toEqual([])
    expect((await owner.get(`/api/v1/users/${invited.id}`)).body.data.status).toBe('invited')
    expect((await person.get('/api/v1/me/identities')).body.data).toHaveLength(1)
    expect((await logIn({ sub })).status).toBe(303)
  })
})

describe('where a second factor is demanded, single sign-on', () => {
  const demand = async (value: boolean) =>
    expect((await admin.patch('/api/v1/organization', { require_second_factor: value })).status).toBe(200)

  it('is none, unless the provider says that it asked for one', async () => {
    const { person, sub } = await connected()
    await demand(true)
    const awaited = async (amr?: string[]) => {
      const session = sessionOf(await logIn({ sub, ...(amr ? { amr } : {}) }))
      const seen = (await session.get('/api/v1/me')).body.data.session.awaited_factor
      return [seen, (await session.get('/api/v1/sessions')).body.error?.reason]
    }
    const refused = ['set_up', 'second_factor_set_up_required']
    expect([await awaited(), await awaited(['pwd']), await awaited(['pwd', 'mfa'])]).toEqual([
      refused,
      refused,
      [null, undefined],
    ])
    const { secret } = (await sessionOf(await logIn({ sub })).post('/api/v1/me/totp')).body.data
    expect(await awaited()).toEqual(refused)
    const setUp = sessionOf(await logIn({ sub }))
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(clock.now()) })
    expect((await setUp.post('/api/v1/me/totp/confirm', { code: code() })).status).toBe(200)
    expect((await setUp.get('/api/v1/sessions')).status).toBe(200)
    // Who has one gives it here, whatever brought them.
    expect([await awaited(), await awaited(['mfa'])]).toEqual([
      ['confirm', 'second_factor_required'],
      [null, undefined],
    ])
    const later = sessionOf(await logIn({ sub }))
    expect((await later.post('/api/v1/me/totp/confirm', { code: code() })).body.error.reason).toBe(
      'second_factor_required',
    )
    clock.forward(30_000)
    expect((await later.post('/api/v1/me/confirm-code', { code: code() })).status).toBe(200)
    expect((await later.get('/api/v1/sessions')).status).toBe(200)
    expect(await audit(person.id)).toContain('user.code_confirmed')
    await demand(false)
  })

  it('lets whoever joins set one up, and nothing else', async () => {
    await demand(true)
    const account = { sub: randomUUID(), email: `${randomUUID()}@open.example`, email_verified: true }
    const session = sessionOf(await logIn(account, { provider: 'open' }))
    expect((await session.get('/api/v1/sessions')).body.error.reason).toBe('second_factor_set_up_required')
    expect((await session.post('/api/v1/me/totp')).status).toBe(200)
    await demand(false)
    expect((await session.get('/api/v1/sessions')).status).toBe(200)
  })
})

describe('single sign-on', () => {
  it('logs in whoever has connected the account, by issuer and subject', async () => {
    const { person, sub } = await connected()
    const answer = await logIn({ sub, email: 'new@corp.example' }, { return_to: '/doors?x=1' })
    expect([answer.status, answer.headers.location], answer.text).toEqual([303, '/doors?x=1'])
    const me = (await sessionOf(answer).get('/api/v1/me')).body.data
    expect([me.id, me.user.identities]).toEqual([person.id, 1])
    expect((await person.get('/api/v1/me/identities')).body.data).toMatchObject([
      {
        provider: 'corp',
        provider_name: 'Name of corp',
        issuer: corp.issuer,
        email: 'new@corp.example',
        last_used_at: clock.now(),
      },
    ])
    expect(await audit(person.id)).toContain('user.logged_in')
  })

  it('never knows anybody by e-mail address: an account that nobody has connected is told what to do', async () => {
    const person = await newPerson(house)
    const answer = await logIn({ sub: randomUUID(), email: person.email, email_verified: true })
    expect(answer.status).toBe(401)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.text).toContain('Nobody here is connected with this account of Name of corp')
    expect(answer.text).toContain('sign_on.unknown_identity')
    expect(cookieIn(answer, 'gatehouse_session')).toBeUndefined()
  })

  it('with the same subject at another provider is somebody else', async () => {
    const { sub } = await connected()
    expect((await logIn({ sub }, { provider: 'open' })).status).toBe(401)
  })

  it('is refused with another nonce, another state, another code, another issuer, or by the other provider', async () => {
    const { sub } = await connected()
    corp.account = { sub }
    const otherNonce = await trip(await begin(), corp, (url) => {
      url.searchParams.set('nonce', 'another')
      return url
    })
    const edited = async (edit: (back: URL) => void): Promise<Trip> => {
      const { cookie, back } = await trip(await begin(), corp)
      const url = new URL(back)
      edit(url)
      return { cookie, back: url.href }
    }
    const cases: Record<string, Trip> = {
      nonce: otherNonce,
      state: await edited((url) => url.searchParams.set('state', 'A'.repeat(43))),
      'no state': await edited((url) => url.searchParams.delete('state')),
      code: await edited((url) => url.searchParams.set('code', 'A'.repeat(43))),
      issuer: await edited((url) => url.searchParams.set('iss', open.issuer)),
      provider: await edited((url) => {
        url.pathname = '/login/sso/open/callback'
      }),
      'no provider': await edited((url) => {
        url.pathname = '/login/sso/evil/callback'
      }),
    }
    for (const [name, one] of Object.entries(cases)) {
      const answer = await comeBack(one)
      expect(answer.status, name).toBe(401)
      expect(cookieIn(answer, 'gatehouse_session')).toBeUndefined()
    }
  })

  it('is refused in another browser than it was begun in, and after 10 minutes', async () => {
    const { sub } = await connected()
    corp.account = { sub }
    const { back } = await trip(await begin(), corp)
    const other = cookieIn(await begin(), 'gatehouse_sign_on')!
    expect((await comeBack({ back, cookie: other })).status).toBe(401)
    const late = await trip(await begin(), corp)
    clock.forward(600_000)
    expect((await comeBack(late)).text).toContain('sign_on.expired')
  })

  it('comes back once: by 64 at once one is let in, and none later', async () => {
    const { sub } = await connected()
    corp.account = { sub }
    const one = await trip(await begin(), corp)
    expect(await race(64, () => comeBack(one))).toEqual({ 303: 1, 401: expect.any(Number) })
    expect((await comeBack(one)).status).toBe(401)
  })

  it('works in several tabs of one browser at once', async () => {
    const { sub } = await connected()
    corp.account = { sub }
    const first = await begin()
    const cookie = cookieIn(first, 'gatehouse_sign_on')!
    const second = await elsewhere().post('/api/v1/login/sso', { provider: 'corp' }, { cookie })
    expect((await comeBack(await trip(second, corp))).status).toBe(303)
    expect((await comeBack(await trip(first, corp))).status).toBe(303)
  })

  it('that the provider denies says so', async () => {
    const answer = await logIn({ sub: 'nobody' })
    expect([answer.status, answer.text.includes('Name of corp did not let you in')]).toEqual([401, true])
  })

  it('is refused while the user is suspended, on the record', async () => {
    const { person, sub } = await connected()
    await owner.post(`/api/v1/users/${person.id}/suspend`)
    expect((await logIn({ sub })).status).toBe(401)
    expect(await audit(person.id)).toContain('user.login_failed')
  })

  it('of one account in two organizations has to name one', async () => {
    const { sub } = await connected()
    await createOrganization(engine, clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    const { link } = await house.loggedIn(other.token).create('/api/v1/users', { email: 'x@example.org', name: 'x' })
    corp.account = { sub }
    expect((await comeBack(await trip(await begin({ invitation: tokenIn(link) }), corp))).status).toBe(303)
    const both = await logIn({ sub })
    expect([both.status, both.text.includes('Test and Other')]).toEqual([409, true])
    expect(
      (await sessionOf(await logIn({ sub }, { organization: 'Other' })).get('/api/v1/me')).body.data.organization.name,
    ).toBe('Other')
  })

  it('with a provider that cannot be reached is 502', async () => {
    const away = await startHouse({ env: { ...env, SSO_PROVIDERS: 'corp', SSO_CORP_ISSUER: 'http://127.0.0.1:9' } })
    const answer = await away.anonymous.post('/api/v1/login/sso', { provider: 'corp' })
    expect([answer.status, answer.body.error.code]).toEqual([502, 'SYSTEM_UNREACHABLE'])
    expect(answer.body.msg).toBe('Name of corp cannot be reached at present; try again later')
    const unlisted = await startHouse({ env: { ...env, OUTGOING_ALLOW: '' } })
    expect((await unlisted.anonymous.post('/api/v1/login/sso', { provider: 'corp' })).body.error.reason).toBe(
      'outgoing.refused',
    )
  })
})

it('no code, state, nonce, verifier or secret of the provider is in the log or lies open in the database', async () => {
  let log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = await buildApp({
    config: house.app.house.config,
    engine,
    clock,
    resources: allResources,
    logger: createLogger('trace', sink),
  })
  const { sub } = await connected()
  corp.account = { sub }
  const begun = await begin()
  const sent = new URL(begun.body.data.url).searchParams
  const flows = await engine.reader.all<{ payload: string }>('select * from login_flows', [])
  for (const name of ['state', 'nonce']) expect(JSON.stringify(flows)).not.toContain(sent.get(name) as string)
  expect(flows.length).toBeGreaterThan(0)
  for (const { payload } of flows) expect(payload).toMatch(/^sealed\.[\w.-]+$/)
  const { cookie, back } = await trip(begun, corp)
  const head = await app.inject({ method: 'HEAD', url: pathOf(back), headers: { cookie } })
  expect(head.statusCode).toBe(405)
  const wrong = await app.inject({ url: pathOf(back), headers: { cookie: 'x=y' } })
  const again = await trip(await begin(), corp)
  const done = await app.inject({ url: pathOf(again.back), headers: { cookie: again.cookie } })
  await app.close()
  expect([wrong.statusCode, done.statusCode]).toEqual([401, 303])
  expect(log).toContain('/login/sso/corp/callback')
  const secrets = [back, again.back].flatMap((url) =>
    ['code', 'state'].map((name) => new URL(url).searchParams.get(name) as string),
  )
  for (const secret of [...secrets, cookie.split('=')[1] as string, corp.clientSecret])
    expect(log.includes(secret), secret).toBe(false)
})

describe('an invitation', () => {
  it('is accepted with an account of the provider, once', async () => {
    const { id, link } = await admin.create('/api/v1/users', { email: 'invited@example.org', name: 'Invited' })
    const sub = randomUUID()
    corp.account = { sub }
    const trips = [
      await trip(await begin({ invitation: tokenIn(link) }), corp),
      await trip(await begin({ invitation: tokenIn(link) }), corp),
    ]
    const accepted = await comeBack(trips[0]!)
    expect(accepted.status, accepted.text).toBe(303)
    expect((await sessionOf(accepted).get('/api/v1/me')).body.data).toMatchObject({
      id,
      user: { has_password: false, identities: 1 },
    })
    expect((await sessionOf(accepted).get('/api/v1/me/identities')).body.data).toMatchObject([
      { last_used_at: clock.now() },
    ])
    expect((await comeBack(trips[1]!)).status).toBe(401)
    expect((await begin({ invitation: tokenIn(link) })).body.error.reason).toBe('invalid_link')
    expect(await audit(id)).toEqual(expect.arrayContaining(['user.accepted', 'user.logged_in']))
    expect((await logIn({ sub })).status).toBe(303)
  })

  it('is not used up by an account that is somebody else’s', async () => {
    const { sub } = await connected()
    const { link } = await admin.create('/api/v1/users', { email: 'second@example.org', name: 'Second' })
    corp.account = { sub }
    expect((await comeBack(await trip(await begin({ invitation: tokenIn(link) }), corp))).status).toBe(409)
    corp.account = { sub: randomUUID() }
    expect((await comeBack(await trip(await begin({ invitation: tokenIn(link) }), corp))).status).toBe(303)
  })
})

describe('an account at a provider', () => {
  it('is connected after a recent login only, and to one person', async () => {
    const { sub } = await connected()
    const other = await newPerson(house)
    corp.account = { sub }
    const taken = await comeBack(await trip(await other.post('/api/v1/me/identities', { provider: 'corp' }), corp))
    expect([taken.status, taken.text.includes('with somebody else')]).toEqual([409, true])
    expect((await owner.post('/api/v1/me/identities', { provider: 'corp' })).body.error.reason).toBe('session_required')
    clock.forward(11 * 60_000)
    expect((await other.post('/api/v1/me/identities', { provider: 'corp' })).body.error.reason).toBe(
      'recent_login_required',
    )
  })

  it('is not connected when the session has ended meanwhile', async () => {
    const person = await newPerson(house)
    corp.account = { sub: randomUUID() }
    const one = await trip(await person.post('/api/v1/me/identities', { provider: 'corp' }), corp)
    await person.post('/api/v1/logout')
    expect((await comeBack(one)).status).toBe(401)
  })

  it('is disconnected by whoever it belongs to, unless it is the last way in', async () => {
    const { person, sub } = await connected()
    const [{ id }] = (await person.get('/api/v1/me/identities')).body.data
    expect((await (await newPerson(house)).delete(`/api/v1/me/identities/${id}`)).status).toBe(404)
    await withoutPassword(person)
    expect((await person.delete(`/api/v1/me/identities/${id}`)).body.error.reason).toBe('user.last_way_in')
    expect((await person.post('/api/v1/me/password', { new_password: 'correct horse battery staple' })).status).toBe(
      200,
    )
    expect((await person.delete(`/api/v1/me/identities/${id}`)).body.data).toMatchObject({
      id,
      provider_name: 'Name of corp',
    })
    expect((await logIn({ sub })).status).toBe(401)
    expect(await audit(id)).toEqual(expect.arrayContaining(['identity.connected', 'identity.disconnected']))
  })
})

describe('where the portal is', () => {
  it('what went wrong is told by its pages: at the login, on the way to where somebody wanted to go, or in the profile', async () => {
    const portal = await startHouse({ env, portal: { state: { is: 'failed' } } })
    const visitor = () =>
      withHeaders(portal.anonymous, { 'x-forwarded-for': `2001:db8:1:${(++host).toString(16)}::1`, ...page })
    const cameBack = async (begun: Answer, account: IdentityProvider['account']) => {
      corp.account = account
      const { cookie, back } = await trip(begun, corp)
      const answer = await withHeaders(visitor(), { cookie }).get(pathOf(back))
      expect([answer.status, cookieIn(answer, 'gatehouse_session')]).toEqual([303, undefined])
      const { pathname, searchParams } = new URL(answer.headers.location as string, 'http://gatehouse.test')
      return { page: pathname, ...Object.fromEntries(searchParams) }
    }
    const request = expect.stringMatching(/^req_/)
    const logIn = (body: object) => visitor().post('/api/v1/login/sso', { provider: 'corp', ...body })
    const unknown = await cameBack(await logIn({ return_to: '/keys?page=2' }), { sub: randomUUID() })
    expect(unknown).toEqual({
      page: '/login',
      sso: 'corp',
      reason: 'sign_on.unknown_identity',
      return: '/keys?page=2',
      request,
    })
    expect(await cameBack(await logIn({}), { sub: 'nobody' })).toEqual({
      page: '/login',
      sso: 'corp',
      reason: 'sign_on.denied',
      request,
    })

    const [person, other] = [await newPerson(portal), await newPerson(portal)]
    const connect = (who: Person) => who.post('/api/v1/me/identities', { provider: 'corp' })
    const account = { sub: randomUUID() }
    corp.account = account
    const { cookie, back } = await trip(await connect(person), corp)
    expect((await withHeaders(visitor(), { cookie }).get(pathOf(back))).headers.location).toBe('/')
    expect(await cameBack(await connect(person), account)).toEqual({
      page: '/profile',
      sso: 'corp',
      reason: 'identity.exists',
      request,
    })
    expect(await cameBack(await connect(other), account)).toMatchObject({ page: '/profile', reason: 'identity.taken' })
    const late = await connect(other)
    await other.post('/api/v1/logout')
    expect(await cameBack(late, { sub: randomUUID() })).toMatchObject({ page: '/login', reason: 'invalid_credential' })
  })
})

describe('where a provider lets people join', () => {
  it('whoever is not known becomes a user with the role that is configured', async () => {
    const sub = randomUUID()
    const account = { sub, email: `${sub}@open.example`, email_verified: true, name: 'Grace Hopper' }
    const answer = await logIn(account, { provider: 'open' })
    expect(answer.status, answer.text).toBe(303)
    const me = (await sessionOf(answer).get('/api/v1/me')).body.data
    expect(me).toMatchObject({
      name: 'Grace Hopper',
      user: { email: account.email, has_password: false },
      roles: [{ name: 'Auditor' }],
    })
    expect(me.roles[0].role_id).toBe(await roleId(house, 'Auditor'))
    expect((await sessionOf(answer).get('/api/v1/me/identities')).body.data).toMatchObject([
      { last_used_at: clock.now() },
    ])
    const again = await logIn(account, { provider: 'open' })
    expect((await sessionOf(again).get('/api/v1/me')).body.data.id).toBe(me.id)
  })

  it('into an organization that does not exist, the log says so', async () => {
    const wrong = await startHouse({ env: { ...env, SSO_OPEN_JOIN: 'Nowhere / Auditor' } })
    let log = ''
    const sink = new Writable({
      write(chunk, _encoding, done) {
        log += chunk
        done()
      },
    })
    const { config } = wrong.app.house
    const app = await buildApp({
      config,
      engine: wrong.engine,
      clock: wrong.clock,
      resources: allResources,
      logger: createLogger('info', sink),
    })
    open.account = { sub: randomUUID(), email: 'lost@open.example', email_verified: true }
    const begun = await app.inject({
      method: 'POST',
      url: '/api/v1/login/sso',
      headers: page,
      payload: { provider: 'open' },
    })
    const cookie = String(begun.headers['set-cookie']).split(';')[0] as string
    const answer = await app.inject({ url: pathOf(await open.visit(begun.json().data.url)), headers: { cookie } })
    await app.close()
    expect([answer.statusCode, log.includes('SSO_OPEN_JOIN names an organization that does not exist')]).toEqual([
      500,
      true,
    ])
  })

  it('nobody joins without an address that the provider vouches for, nor takes over one that is here already', async () => {
    const person = await newPerson(house)
    const taken = await logIn({ sub: randomUUID(), email: person.email, email_verified: true }, { provider: 'open' })
    expect([taken.status, taken.text.includes('sign_on.unknown_identity')]).toEqual([401, true])
    const vouchedFor = { email_verified: true }
    for (const account of [
      { email: 'unverified@open.example' },
      {},
      { email: 'no address', ...vouchedFor },
      { email: 'a@b@open.example', ...vouchedFor },
      { email: 'new\nline@open.example', ...vouchedFor },
      { email: `${'long'.repeat(70)}@open.example`, ...vouchedFor },
    ])
      expect((await logIn({ sub: randomUUID(), ...account }, { provider: 'open' })).text).toContain('sign_on.no_email')
  })

  it('nobody is known by a subject that none can be', async () => {
    for (const sub of ['s'.repeat(256), 'a\u0000b', ' '])
      expect(
        (await logIn({ sub, email: 'sub@open.example', email_verified: true }, { provider: 'open' })).text,
        JSON.stringify(sub.slice(0, 5)),
      ).toContain('sign_on.refused')
  })
})
