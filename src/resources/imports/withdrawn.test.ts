import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { discover, newApplication, obtain, startListening } from '../../../test/support/peers/oauth.ts'
import { newPerson } from '../../../test/support/people.ts'
import { uploadTo } from '../../../test/support/upload.ts'

/** Another issuer whose tokens are trusted here. */
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
const idp = createServer((_request, response) => void response.end(JSON.stringify({ keys: [jwk] }))).listen(
  0,
  '127.0.0.1',
)
await once(idp, 'listening')
atEnd(() => void idp.close())
const issuer = `http://127.0.0.1:${(idp.address() as AddressInfo).port}`
const trusted = [{ issuer, audience: 'gatehouse', jwks_uri: `${issuer}/jwks` }]

const house = await startListening({ TRUSTED_ISSUERS: JSON.stringify(trusted), OUTGOING_ALLOW: '127.0.0.1' })
const { app, owner, engine } = house
const admin = house.loggedIn(owner.token)
const permissions = ['imports:write', 'locations:write', 'locations:read']
const scope = permissions.join(' ')

/** Of a file that was sent by this access token: what became of its two rows, where something happened in the midst. */
async function outcome(
  token: string,
  happens: () => Promise<{ status: number }>,
): Promise<[created: number, failed: number]> {
  const sent = {
    file: 'name\nEast\nWest\n',
    name: 'places.csv',
    fields: { resource: 'locations', dry_run: 'true' },
    scheme: 'Bearer',
  } as const
  const { body } = await uploadTo(app, { token }, sent)
  expect(body.data).toMatchObject({ status: 'checked', created: 2 })
  // It was under way, as another process left it.
  const no = engine.dialect.name === 'postgres' ? 'false' : '0'
  const reset = `update imports set status = 'running', dry_run = ${no}, row_done = 0, created = 0 where id = $1`
  await engine.transaction((session) => session.run(reset, [body.data.id]))
  expect((await happens()).status).toBe(200)
  expect(await app.imports.takeUp()).toBe(1)
  await app.imports.settled()
  const { data } = (await owner.get(`/api/v1/imports/${body.data.id}`)).body
  expect(data.status).toBe('done')
  return [data.created, data.failed]
}

const nothing = async () => ({ status: 200 })

describe('a file that was sent through an application', () => {
  const granted = async () => {
    const application = await newApplication(house, { permissions })
    const { tokens, person } = await obtain(house, application, { scope })
    return { token: tokens.access_token, person, path: `/api/v1/oauth-applications/${application.client_id}` }
  }

  it('goes on while the application may', async () => {
    expect(await outcome((await granted()).token, nothing)).toEqual([2, 0])
  })

  it('stops when the application is suspended, deleted or may do less', async () => {
    for (const end of [
      (path: string) => owner.patch(path, { status: 'suspended' }),
      (path: string) => owner.delete(path),
      (path: string) => owner.patch(path, { permissions: permissions.filter((one) => one !== 'locations:write') }),
    ]) {
      const { token, path } = await granted()
      expect(await outcome(token, () => end(path)), end.toString()).toEqual([0, 2])
    }
  })

  it('stops when its user takes back what they let the application do; what another let it do does not count', async () => {
    const application = await newApplication(house, { permissions })
    const { tokens, person } = await obtain(house, application, { scope })
    await obtain(house, application, { scope })
    const revoke = async () => {
      const [grant] = (await person.get('/api/v1/me/grants')).body.data
      return person.delete(`/api/v1/me/grants/${grant.id}`)
    }
    expect(await outcome(tokens.access_token, revoke)).toEqual([0, 2])
  })

  it('in its own name stops when it is another’s, or suspended', async () => {
    for (const end of [{ status: 'suspended' }, { service_user_id: null }]) {
      const { id: service_user_id } = (await (await house.member('Owner')).get('/api/v1/me')).body.data
      const application = await newApplication(house, { permissions, service_user_id })
      const { access_token } = await client.clientCredentialsGrant(await discover(house.url, application), { scope })
      const path = `/api/v1/oauth-applications/${application.client_id}`
      expect(await outcome(access_token, nothing)).toEqual([2, 0])
      expect(await outcome(access_token, () => admin.patch(path, end)), JSON.stringify(end)).toEqual([0, 2])
    }
  })
})

it('a file that was sent by a token of another issuer stops when that is nobody’s here any more, or may do less', async () => {
  const path = '/api/v1/external-identities'
  const { id: user_id } = await newPerson(house, 'Owner')
  for (const [subject, end] of [
    ['kept', nothing],
    ['deleted', (id: string) => owner.delete(`${path}/${id}`)],
    ['less', (id: string) => admin.patch(`${path}/${id}`, { permissions: ['locations:read'] })],
  ] as const) {
    const { id } = await admin.create(path, { issuer, subject, user_id, permissions })
    const claims = { iss: issuer, aud: 'gatehouse', sub: subject }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    expect(await outcome(token, () => end(id)), subject).toEqual(subject === 'kept' ? [2, 0] : [0, 2])
  }
})
