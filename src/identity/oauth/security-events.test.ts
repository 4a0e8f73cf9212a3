import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { discover, newApplication, obtain, startListening } from '../../../test/support/peers/oauth.ts'

const house = await startListening({ TRUST_PROXY: 'on' }, { securityEventsMs: 0 })
const { url, owner } = house

const use = async (token: string, address: string) =>
  (
    await house.app.inject({
      url: '/api/v1/me',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    })
  ).statusCode
const entriesOf = async (id: string, action: string) =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&action=eq.${action}&order=sequence&limit=100`)).body.data
const until = (id: string, action: string, count: number) =>
  expect.poll(async () => (await entriesOf(id, action)).length, { timeout: 5000 }).toBe(count)

describe('an access token', () => {
  it('of a grant, from where the grant never was used, is on the record once, with who used it through what', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    const [{ id }] = (await person.get('/api/v1/me/grants')).body.data
    for (const address of ['192.0.2.1', '192.0.2.1', '198.51.100.1', '192.0.2.1'])
      expect(await use(tokens.access_token, address), address).toBe(200)
    await until(id, 'oauth_grant.used_from_new_address', 2)
    const [first, second] = await entriesOf(id, 'oauth_grant.used_from_new_address')
    expect(first).toMatchObject({
      ...{
        resource: 'oauth-grants',
        actor_kind: 'user',
        actor_id: person.id,
        actor_name: 'Ada Lovelace (through Badge printer)',
      },
      ...{
        address: '192.0.2.1',
        req_id: expect.stringMatching(/^req_\d+$/),
        after: { user_id: person.id, network: '192.0.2.1' },
      },
    })
    expect(second.address).toBe('198.51.100.1')
  })

  it('whose grant is over, or whose application is suspended, is refused on the record, at most once a minute; what nobody signed is not', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    const [{ id }] = (await person.get('/api/v1/me/grants')).body.data
    await person.delete(`/api/v1/me/grants/${id}`)
    for (const _ of [1, 2, 3]) expect(await use(tokens.access_token, '192.0.2.2')).toBe(401)

    const { id: service_user_id } = (await (await house.member('Auditor')).get('/api/v1/me')).body.data
    const application = await newApplication(house, { service_user_id })
    const { access_token } = await client.clientCredentialsGrant(await discover(url, application))
    const path = `/api/v1/oauth-applications/${application.client_id}`
    await owner.patch(path, { status: 'suspended' })
    const forged = `${access_token.slice(0, -4)}AAAA`
    expect([await use(forged, '192.0.2.9'), await use(access_token, '192.0.2.3')]).toEqual([401, 401])

    await until(application.client_id, 'oauth_application.refused', 1)
    const [refused] = await entriesOf(application.client_id, 'oauth_application.refused')
    expect(refused).toMatchObject({
      actor_kind: 'system',
      actor_id: null,
      address: '192.0.2.3',
      after: { reason: 'not_active' },
    })
    const [ended, ...more] = await entriesOf(id, 'oauth_grant.refused')
    expect([ended, more]).toMatchObject([
      { resource: 'oauth-grants', address: '192.0.2.2', after: { reason: 'not_active' } },
      [],
    ])
  })

  it('by client credentials is used from a new address like the secret itself', async () => {
    const { id: service_user_id } = (await (await house.member('Auditor')).get('/api/v1/me')).body.data
    const application = await newApplication(house, { service_user_id })
    const { access_token } = await client.clientCredentialsGrant(await discover(url, application))
    const id = application.client_id
    // From the application's own machine, and from one that must have it from there.
    for (const address of ['127.0.0.1', '203.0.113.7']) expect(await use(access_token, address)).toBe(200)
    await until(id, 'oauth_application.used_from_new_address', 2)
    const [own, other] = await entriesOf(id, 'oauth_application.used_from_new_address')
    expect([own, other]).toMatchObject([
      { address: '127.0.0.1' },
      { address: '203.0.113.7', actor_id: service_user_id },
    ])
  })
})
