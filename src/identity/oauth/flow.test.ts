import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import {
  ask,
  authorize,
  Browser,
  call,
  consent,
  discover,
  newApplication,
  obtain,
  REDIRECT,
  startListening,
} from '../../../test/support/peers/oauth.ts'
import { newPerson } from '../../../test/support/people.ts'

const house = await startListening()
const { url } = house
const api = `${url}/api`

const namesOf = (me: { body: { data: { permissions: Array<{ permission: string }> } } }) =>
  me.body.data.permissions.map(({ permission }) => permission)

/** The token endpoint, asked without a client library. */
async function token(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers })
  return { status: answer.status, body: (await answer.json()) as Record<string, string>, headers: answer.headers }
}

describe('a client that nobody here wrote', () => {
  it('finds the service by its metadata, gets a code with PKCE, exchanges it, and calls the API', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'spaces:read locations:read' })
    const me = await call(url, tokens.access_token)
    expect([me.status, me.body.data.id]).toEqual([200, person.id])
    expect(namesOf(me)).toEqual(['locations:read', 'spaces:read'])
    const made = await call(url, tokens.access_token, '/api/v1/locations', {
      method: 'POST',
      body: '{"name":"x"}',
      headers: { 'content-type': 'application/json' },
    })
    expect([made.status, made.body.error.reason]).toEqual([403, 'insufficient_permissions'])
    expect(made.body.msg).toBe(
      'The access token lacks the scope locations:write: ask for it when you get the next token',
    )
    expect(made.headers.get('www-authenticate')).toBe(
      'Bearer realm="Gatehouse", error="insufficient_scope", scope="locations:write"',
    )
  })

  it('gets who it was by OpenID Connect, in an ID token signed with ES256', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house), {
      scope: 'openid profile email spaces:read',
    })
    expect(tokens.claims()).toMatchObject({
      iss: `${url}/oauth`,
      sub: person.id,
      name: 'Ada Lovelace',
      email: person.email,
    })
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('ES256')
    expect((await call(url, tokens.access_token)).status).toBe(200)
  })

  it('refreshes, gets another refresh token, and calls the API with the new access token', async () => {
    const { config, tokens, person } = await obtain(house, await newApplication(house))
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(next.refresh_token).toBeDefined()
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await call(url, next.access_token)).body.data.id).toBe(person.id)
    const narrower = await client.refreshTokenGrant(config, next.refresh_token ?? '', { scope: 'spaces:read' })
    expect(namesOf(await call(url, narrower.access_token))).toEqual(['spaces:read'])
  })

  it('gets a token by client credentials and acts as its service user, within what it may ask for', async () => {
    const member = await house.member('Auditor')
    const { id } = (await member.get('/api/v1/me')).body.data
    const application = await newApplication(house, { redirect_uris: [], service_user_id: id })
    const config = await discover(url, application)
    const tokens = await client.clientCredentialsGrant(config)
    // locations:write the application may ask for, but its service user does not have it.
    expect(tokens.scope).toBe('spaces:read locations:read locations:write')
    expect(tokens.refresh_token).toBeUndefined()
    const me = await call(url, tokens.access_token)
    expect(me.body.data).toMatchObject({
      kind: 'service_user',
      id,
      application: { id: application.client_id, name: 'Badge printer' },
    })
    await expect
      .poll(async () => (await house.owner.get(`/api/v1/service-users/${id}`)).body.data.last_used_at)
      .not.toBeNull()
    expect(namesOf(me)).toEqual(['locations:read', 'spaces:read'])
    // It has the scope; what is missing is the role's permission, and no other token would help.
    const write = await call(url, tokens.access_token, '/api/v1/locations', { method: 'POST', body: '{}' })
    expect([write.status, write.headers.get('www-authenticate')]).toEqual([403, null])
    expect(write.body.msg).toBe('This needs the permission locations:write, which your role does not have')
    const narrower = await client.clientCredentialsGrant(config, { scope: 'spaces:read users:write', resource: api })
    expect(namesOf(await call(url, narrower.access_token))).toEqual(['spaces:read'])
  })

  it('pushes its request first (PAR), and that request is used once', async () => {
    const application = await newApplication(house)
    const person = await newPerson(house, 'Owner')
    const config = await discover(url, application)
    const verifier = client.randomPKCECodeVerifier()
    const pushed = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT,
      scope: 'spaces:read',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const callback = await authorize(house, person, { config, verifier, state: '', start: pushed.href })
    const tokens = await client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier: verifier })
    expect((await call(url, tokens.access_token)).status).toBe(200)
    const again = await new Browser(url, person.cookie).open(pushed.href)
    expect(new URL(again.url).searchParams.get('error')).toBe('invalid_request_uri')
  })

  it('revokes its refresh token: the grant ends, and the access token with it', async () => {
    const { config, tokens } = await obtain(house, await newApplication(house))
    await client.tokenRevocation(config, tokens.refresh_token ?? '')
    expect((await call(url, tokens.access_token)).status).toBe(401)
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('introspects access and refresh tokens: active, and inactive once the grant is gone', async () => {
    const { config, tokens, person } = await obtain(house, await newApplication(house))
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      sub: person.id,
      aud: api,
      scope: 'spaces:read locations:read',
    })
    expect(await client.tokenIntrospection(config, tokens.refresh_token ?? '')).toMatchObject({
      active: true,
      sub: person.id,
    })
    const [grant] = (await person.get('/api/v1/me/grants')).body.data
    await person.delete(`/api/v1/me/grants/${grant.id}`)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
    expect(await client.tokenIntrospection(config, tokens.refresh_token ?? '')).toEqual({ active: false })
  })

  it('that is public has no secret, and uses a loopback address on whatever port is free', async () => {
    const application = await newApplication(house, {
      kind: 'public',
      redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
    })
    expect(application.client_secret).toBeUndefined()
    const config = await discover(url, application)
    const person = await newPerson(house, 'Owner')
    for (const redirect of ['http://127.0.0.1:54321/callback', 'com.example.app:/callback']) {
      const asked = await ask(config, 'spaces:read', { redirect_uri: redirect })
      const callback = await authorize(house, person, asked)
      expect(callback.startsWith(`${redirect}?`), callback).toBe(true)
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(callback),
        { pkceCodeVerifier: asked.verifier, expectedState: asked.state },
        { redirect_uri: redirect },
      )
      expect((await call(url, tokens.access_token)).status).toBe(200)
    }
  })

  it('finds it by RFC 8414 too, and what the API wants by RFC 9728, from a 401', async () => {
    const application = await newApplication(house)
    const config = await client.discovery(
      new URL(`${url}/oauth`),
      application.client_id,
      {},
      client.ClientSecretPost(application.client_secret),
      {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      },
    )
    expect(config.serverMetadata()).toMatchObject({
      issuer: `${url}/oauth`,
      authorization_endpoint: `${url}/oauth/auth`,
      token_endpoint: `${url}/oauth/token`,
      jwks_uri: `${url}/oauth/jwks`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      pushed_authorization_request_endpoint: `${url}/oauth/request`,
    })
    const { headers } = await fetch(`${url}/api/v1/spaces`)
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
    expect(await (await fetch(address)).json()).toMatchObject({
      resource: api,
      authorization_servers: [`${url}/oauth`],
    })
  })
})

describe('an access token', () => {
  it('is an RFC 9068 JWT: at+jwt, ES256, ten minutes, for the API, with scope, organization and grant', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    const claims = decodeJwt(tokens.access_token)
    const [grant] = (await person.get('/api/v1/me/grants')).body.data
    const { organization } = (await person.get('/api/v1/me')).body.data
    expect(claims).toEqual({
      iss: `${url}/oauth`,
      aud: api,
      sub: person.id,
      client_id: grant.application_id,
      scope: 'spaces:read locations:read',
      organization_id: organization.id,
      grant_id: grant.id,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 600,
    })
  })

  it('gives no more than the user has', async () => {
    const { tokens } = await obtain(house, await newApplication(house), {
      role: 'Operator',
      scope: 'spaces:read locations:write',
    })
    expect(namesOf(await call(url, tokens.access_token))).toEqual(['spaces:read'])
  })

  it('makes no tokens, no links and no applications, and does not agree in its user’s place', async () => {
    const application = await newApplication(house, {
      permissions: ['oauth-applications:write', 'tokens:write', 'users:write', 'service-users:read'],
    })
    const { tokens } = await obtain(house, application, {
      scope: 'oauth-applications:write tokens:write users:write service-users:read',
    })
    const post = (path: string, body: object) =>
      call(url, tokens.access_token, path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    const [user] = (await house.owner.get('/api/v1/service-users?limit=1')).body.data
    for (const answer of [
      await post('/api/v1/oauth-applications', { name: 'x' }),
      await post(`/api/v1/service-users/${user.id}/tokens`, { name: 'x', expires_at: '2027-01-01' }),
    ])
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'tokens_cannot_make_tokens'])
    expect((await post('/api/v1/oauth/interactions/x/confirm', {})).status).toBe(403)
  })

  it('says whom it acts for, and nothing of how they log in: their sessions and grants are theirs', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    const { data } = (await call(url, tokens.access_token)).body
    expect(data).toMatchObject({ id: person.id, name: 'Ada Lovelace', user: null, session: null, token: null })
    const [session] = (await person.get('/api/v1/sessions')).body.data
    const [grant] = (await person.get('/api/v1/me/grants')).body.data
    for (const [path, method] of [
      ['/api/v1/sessions', 'GET'],
      [`/api/v1/sessions/${session.id}`, 'DELETE'],
      ['/api/v1/me/grants', 'GET'],
      [`/api/v1/me/grants/${grant.id}`, 'DELETE'],
    ] as const) {
      const answer = await call(url, tokens.access_token, path, { method })
      expect([answer.status, answer.body.error.reason], path).toEqual([403, 'session_required'])
    }
    expect((await person.get('/api/v1/me')).body.data.user.email).toBe(person.email)
  })

  it('is introspected by an application without a secret only where it is its own', async () => {
    const { tokens } = await obtain(house, await newApplication(house))
    const config = await discover(url, await newApplication(house, { kind: 'public' }))
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
    const confidential = await discover(url, await newApplication(house))
    expect(await client.tokenIntrospection(confidential, tokens.access_token)).toMatchObject({ active: true })
  })

  it('is on the record of what is done with it, with the application', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house), {
      scope: 'locations:write locations:read',
    })
    const init = {
      method: 'POST',
      body: '{"name":"Made by an application"}',
      headers: { 'content-type': 'application/json' },
    }
    const made = await call(url, tokens.access_token, '/api/v1/locations', init)
    const [entry] = (await house.owner.get(`/api/v1/audit-log?resource_id=eq.${made.body.data.id}`)).body.data
    expect(entry).toMatchObject({
      actor_kind: 'user',
      actor_id: person.id,
      actor_name: 'Ada Lovelace (through Badge printer)',
    })
  })
})

describe('the provider refuses', () => {
  it('a request without PKCE, with plain PKCE, to another address, or of another kind', async () => {
    const application = await newApplication(house)
    const config = await discover(url, application)
    const person = await newPerson(house, 'Owner')
    const open = async (more: Record<string, string>, without: string[] = []) => {
      const start = new URL((await ask(config, 'spaces:read', more)).start)
      for (const name of without) start.searchParams.delete(name)
      return new Browser(url, person.cookie).open(start.href)
    }
    const errorIn = (address: string) => /[?&#]error=(\w+)/.exec(address)?.[1]
    expect(errorIn((await open({}, ['code_challenge', 'code_challenge_method'])).url)).toBe('invalid_request')
    expect(errorIn((await open({ code_challenge_method: 'plain' })).url)).toBe('invalid_request')
    expect(errorIn((await open({ response_type: 'token' })).url)).toMatch(
      /^(invalid_request|unsupported_response_type)$/,
    )
    expect(errorIn((await open({ response_type: 'code id_token' })).url)).toMatch(
      /^(invalid_request|unsupported_response_type)$/,
    )
    expect(errorIn((await open({ resource: 'https://other.example/api' })).url)).toBe('invalid_target')
    const elsewhere = await open({ redirect_uri: 'https://evil.example/callback' })
    expect([elsewhere.status, elsewhere.url.startsWith(url)]).toEqual([400, true])
    expect((await open({ redirect_uri: `${REDIRECT}/more` })).status).toBe(400)
  })

  it('a code with another verifier, another address or another client', async () => {
    const application = await newApplication(house)
    const other = await newApplication(house)
    const person = await newPerson(house, 'Owner')
    const config = await discover(url, application)
    const exchange = async (change: Record<string, string>, by = application) => {
      const asked = await ask(config, 'spaces:read')
      const code = new URL(await authorize(house, person, asked)).searchParams.get('code') ?? ''
      return token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        code_verifier: asked.verifier,
        client_id: by.client_id,
        client_secret: by.client_secret ?? '',
        ...change,
      })
    }
    expect((await exchange({})).status).toBe(200)
    expect((await exchange({ code_verifier: client.randomPKCECodeVerifier() })).body.error).toBe('invalid_grant')
    expect((await exchange({ redirect_uri: 'https://badges.example/other' })).body.error).toBe('invalid_grant')
    expect((await exchange({}, other)).body.error).toBe('invalid_grant')
    expect((await exchange({ code: 'no such code' })).body.error).toBe('invalid_grant')
  })

  it('a wrong secret, an unknown client, and grants that we do not have', async () => {
    const { client_id, client_secret = '' } = await newApplication(house)
    const wrong = await token({ grant_type: 'authorization_code', client_id, client_secret: 'wrong' })
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
    expect((await token({ grant_type: 'authorization_code', client_id: 'nobody', client_secret })).body.error).toBe(
      'invalid_client',
    )
    for (const grant_type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])
      expect((await token({ grant_type, client_id, client_secret, username: 'a', password: 'b' })).body.error).toBe(
        'unsupported_grant_type',
      )
    // It has no service user.
    expect((await token({ grant_type: 'client_credentials', client_id, client_secret })).body.error).toBe(
      'invalid_request',
    )
  })

  it('more than so many failures from one address', async () => {
    const alone = await startListening()
    const { client_id } = await newApplication(alone)
    const statuses = new Set<number>()
    for (let i = 0; i < 40; i++) {
      const body = new URLSearchParams({ grant_type: 'authorization_code', client_id, client_secret: 'wrong' })
      const answer = await fetch(`${alone.url}/oauth/token`, { method: 'POST', body })
      statuses.add(answer.status)
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect([...statuses]).toEqual([401, 429])
  })

  it('bodies in another form, and strange ones, without a fault of ours', async () => {
    for (const [type, body] of [
      ['application/json', '{}'],
      ['text/plain', 'x'],
      ['application/x-www-form-urlencoded', 'a=%ff&a=1&__proto__=x'],
      ['application/x-www-form-urlencoded', `a=${'x'.repeat(200_000)}`],
    ] as const) {
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', headers: { 'content-type': type }, body })
      expect(answer.status, type).toBeGreaterThanOrEqual(400)
      expect(answer.status, type).toBeLessThan(500)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_\d+$/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const strange = await fetch(`${url}/oauth/auth?client_id=%00&state=%00&scope=%ed%a0%80`, { redirect: 'manual' })
    expect(strange.status).toBe(400)
  })
})

describe('an answer to the browser', () => {
  it('carries state and iss, and the code, and nothing else', async () => {
    const application = await newApplication(house)
    const person = await newPerson(house, 'Owner')
    const asked = await ask(await discover(url, application), 'spaces:read', { state: 'a state with \u0000 in it' })
    const callback = new URL(await authorize(house, person, asked))
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.any(String),
      state: 'a state with \u0000 in it',
      iss: `${url}/oauth`,
    })
  })

  it('is asked for once of a confidential application, and every time of a public one', async () => {
    const person = await newPerson(house, 'Owner')
    for (const kind of ['confidential', 'public']) {
      const config = await discover(url, await newApplication(house, { kind }))
      const browser = new Browser(url, person.cookie)
      await authorize(house, person, await ask(config, 'spaces:read'), browser)
      const { url: second } = await browser.open((await ask(config, 'spaces:read')).start)
      expect(second.startsWith(kind === 'confidential' ? REDIRECT : `${url}/consent/`), `${kind} ${second}`).toBe(true)
      // In another browser, too, the consent is known.
      const { url: elsewhere } = await new Browser(url, person.cookie).open((await ask(config, 'spaces:read')).start)
      expect(elsewhere.startsWith(kind === 'confidential' ? REDIRECT : `${url}/consent/`), `${kind} ${elsewhere}`).toBe(
        true,
      )
      // More than was agreed to is asked for.
      const { url: more } = await browser.open((await ask(config, 'spaces:read locations:read')).start)
      expect(more.startsWith(`${url}/consent/`)).toBe(true)
      expect((await browser.open(await consent(person, more))).url.startsWith(REDIRECT)).toBe(true)
    }
    const { data } = (await person.get('/api/v1/me/grants?order=created_at')).body
    expect(data.map(({ permissions }: { permissions: string[] }) => permissions)).toEqual([
      ['spaces:read', 'locations:read'],
      ['spaces:read'],
      ['spaces:read', 'locations:read'],
    ])
  })
})
