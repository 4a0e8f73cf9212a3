import * as client from 'openid-client'
import { beforeAll, expect, it } from 'vitest'
import {
  type Application,
  authorize,
  Browser,
  call,
  discover,
  newApplication,
  obtain,
  REDIRECT,
  startListening,
} from '../../../test/support/peers/oauth.ts'
import { newPerson } from '../../../test/support/people.ts'
import { createOrganization } from '../organizations.ts'

const house = await startListening()
const { url } = house
const actor = { kind: 'command_line', id: null, name: 'Test', address: null, reqId: null } as const

/** An application of another organization, with a secret: it could do the most. */
let foreign: client.Configuration
let application: Application

beforeAll(async () => {
  await createOrganization(house.engine, house.clock.now(), actor, 'Other')
  const other = await house.member('Owner', {}, 'Other')
  const { id, client_secret } = await house.loggedIn(other.token).create('/api/v1/oauth-applications', {
    name: 'Foreign',
    redirect_uris: [REDIRECT],
    permissions: ['spaces:read'],
  })
  foreign = await discover(url, { client_id: id, client_secret })
  application = await newApplication(house)
})

it('an application of another organization learns nothing of a token, and ends none', async () => {
  const { config, tokens } = await obtain(house, application)
  for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
    expect(await client.tokenIntrospection(foreign, token)).toEqual({ active: false })
    // Whatever it is told, nothing has ended.
    await client.tokenRevocation(foreign, token).catch(() => undefined)
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true })
  }
  expect((await call(url, tokens.access_token)).status).toBe(200)
})

it('an application of another organization refreshes no grant, and using its token does not end that', async () => {
  const { config, tokens } = await obtain(house, application)
  await expect(client.refreshTokenGrant(foreign, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).toBeDefined()
})

it('a request that one application pushed is not begun in the name of another organization’s', async () => {
  const config = await discover(url, application)
  const verifier = client.randomPKCECodeVerifier()
  const pushed = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: REDIRECT,
    scope: 'spaces:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const person = await newPerson(house, 'Owner')
  const borrowed = new URL(pushed)
  borrowed.searchParams.set('client_id', foreign.clientMetadata().client_id)
  const refused = await new Browser(url, person.cookie).open(borrowed.href)
  const told = new URL(refused.url).searchParams
  expect([told.get('error'), told.get('code')]).toEqual(['invalid_request_object', null])
  const callback = await authorize(house, person, { config, verifier, state: '', start: pushed.href })
  expect(new URL(callback).searchParams.get('code')).not.toBeNull()
})
