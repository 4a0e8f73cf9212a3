import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { isVerified, startReceiver } from '../../../test/support/peers/receiver.ts'

const house = await startHouse({ env: { OUTGOING_ALLOW: '127.0.0.1' } })
const owner = house.loggedIn(house.owner.token)
const path = '/api/v1/webhooks'
const body = { url: 'https://example.com/hook', types: ['access-grant.*', 'access.denied', '*.deleted', '*'] }

describe('webhooks', () => {
  it('are made, shown without their secret, changed and deleted', async () => {
    const made = await owner.post(path, { ...body, description: 'Tickets' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ ...body, status: 'active', failure_count: 0, disabled_reason: null })
    expect(made.body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { id, secret } = made.body.data
    for (const address of [
      `${path}/${id}`,
      path,
      `/api/v1/audit-log?resource_id=eq.${id}`,
      `/api/v1/changes?resource_id=${id}`,
    ])
      expect((await owner.get(address)).text).not.toContain(secret)
    expect((await owner.patch(`${path}/${id}`, { status: 'disabled' })).body.data).toMatchObject({
      status: 'disabled',
      version: 2,
    })
    expect((await owner.delete(`${path}/${id}`)).status).toBe(200)
    expect((await owner.get(`${path}/${id}`)).status).toBe(404)
  })

  it.each([
    [{ url: 'example.com' }, 'webhook.url'],
    [{ url: 'ftp://example.com/' }, 'webhook.url'],
    [{ url: 'https://me:pass@example.com/' }, 'webhook.url'],
    [{ url: 'https://10.0.0.5/hook' }, 'webhook.unreachable'],
    [{ url: 'https://[::1]/hook' }, 'webhook.unreachable'],
    [{ url: 'http://1.1.1.1/hook' }, 'webhook.unreachable'],
    [{ types: ['access_grant.created'] }, 'webhook.types'],
    [{ types: ['doors.opened'] }, 'webhook.types'],
    [{ types: ['access-grant'] }, 'webhook.types'],
    [{ types: ['Key.issued'] }, 'webhook.types'],
    [{ types: ['access-grant.creatd'] }, 'webhook.types'],
    [{ types: ['*.creatd'] }, 'webhook.types'],
    [{ types: [] }, undefined],
    [{ status: 'asleep' }, undefined],
    [{ secret: 'whsec_mine' }, undefined],
    [{ failure_count: 3 }, undefined],
  ])('refuses %j', async (wrong, reason) => {
    const answer = await owner.post(path, { ...body, ...wrong })
    expect(answer.status, answer.text).toBe(400)
    if (reason) expect(answer.body.error.reason).toBe(reason)
  })

  it('are changed to nothing that could never be reached, and left alone where they were so before', async () => {
    const { id } = await owner.create(path, body)
    const refused = await owner.patch(`${path}/${id}`, { url: 'https://192.168.1.4/hook' })
    expect([refused.status, refused.body.error.reason]).toEqual([400, 'webhook.unreachable'])
    expect(refused.body.msg).toContain('OUTGOING_ALLOW')
    await house.engine.transaction((session) =>
      session.run('update webhooks set url = $1 where id = $2', ['https://10.0.0.5/', id]),
    )
    expect((await owner.patch(`${path}/${id}`, { status: 'disabled' })).status).toBe(200)
    expect((await owner.patch(`${path}/${id}`, { status: 'active' })).status).toBe(400)
    expect((await owner.request('PUT', `${path}/by-external-id/x`, { ...body, url: 'https://10.0.0.5/' })).status).toBe(
      400,
    )
  })

  it('are made and changed by somebody who has logged in lately, never by a token, which they would outlive', async () => {
    const { id } = await owner.create(path, body)
    const token = house.owner
    for (const answer of [
      await token.post(path, body),
      await token.patch(`${path}/${id}`, { url: 'https://evil.example/' }),
      await token.post(`${path}/${id}/rotate-secret`),
    ])
      expect(answer.status, answer.text).toBe(403)
    expect((await token.get(`${path}/${id}`)).status).toBe(200)
  })

  it('are 401, 403 and 404 for those who may not', async () => {
    const { id } = await owner.create(path, body)
    expect((await house.anonymous.get(path)).status).toBe(401)
    const auditor = house.loggedIn((await house.member('Auditor')).token)
    expect([
      (await auditor.get(path)).status,
      (await auditor.post(path, body)).status,
      (await auditor.post(`${path}/${id}/test`)).status,
    ]).toEqual([200, 403, 403])
    const location = await owner.create('/api/v1/locations', { name: 'L' })
    const local = house.loggedIn((await house.member('Owner', { location_id: location.id })).token)
    expect([(await local.get(`${path}/${id}`)).status, (await local.get(`${path}/${id}/deliveries`)).status]).toEqual([
      404, 404,
    ])
    expect([(await local.get(path)).body.data, (await local.post(path, body)).status]).toEqual([[], 403])
  })

  it('pass to whoever says anew where they send what: nobody has others’ rights send to an address of their own', async () => {
    const { id, service_user_id } = await owner.create(path, body)
    const admin = house.loggedIn((await house.member('Administrator')).token)
    const me = (await admin.get('/api/v1/me')).body.data.id
    expect((await admin.patch(`${path}/${id}`, { description: 'Other words' })).body.data.service_user_id).toBe(
      service_user_id,
    )
    expect((await admin.patch(`${path}/${id}`, { url: 'https://example.org/' })).body.data.service_user_id).toBe(me)
    await admin.patch(`${path}/${id}`, { status: 'disabled' })
    expect((await owner.patch(`${path}/${id}`, { status: 'active' })).body.data.service_user_id).toBe(service_user_id)
  })

  it('that lost their secret with the key that sealed it are not made active before they have a new one', async () => {
    const { id } = await owner.create(path, { ...body, status: 'disabled' })
    await house.engine.transaction((session) => session.run('update webhooks set secret = null where id = $1', [id]))
    expect((await owner.patch(`${path}/${id}`, { status: 'active' })).body.error).toMatchObject({
      code: 'INVALID_STATE',
      reason: 'webhook.no_secret',
    })
    await owner.post(`${path}/${id}/rotate-secret`)
    expect((await owner.patch(`${path}/${id}`, { status: 'active' })).body.data.status).toBe('active')
  })

  it('are tested at once, with what came back', async () => {
    const receiver = await startReceiver((response, nth) =>
      response.writeHead(nth === 1 ? 200 : 418).end('I am a teapot'),
    )
    const { id, secret } = await owner.create(path, { ...body, url: receiver.url })
    const test = () => owner.post(`${path}/${id}/test`)
    expect((await test()).body.data).toMatchObject({
      result: 'delivered',
      status_code: 200,
      response: 'I am a teapot',
      error: null,
    })
    expect((await test()).body.data).toMatchObject({ result: 'failed', status_code: 418 })
    expect(receiver.types()).toEqual(['webhook.test', 'webhook.test'])
    expect(receiver.received.every((one) => isVerified(one, secret))).toBe(true)
    expect((await owner.post(`${path}/${id}/test?dry_run=true`)).body.data.result).toBe('failed')
    expect(receiver.received).toHaveLength(2)
    const inside = await owner.create(path, body)
    await house.engine.transaction((session) =>
      session.run('update webhooks set url = $1 where id = $2', ['https://10.0.0.1/', inside.id]),
    )
    expect((await owner.post(`${path}/${inside.id}/test`)).body.data).toMatchObject({
      result: 'failed',
      status_code: null,
      error: expect.stringContaining('OUTGOING_ALLOW'),
    })
  })

  it('are tried at once at another address, whatever failed at the one of before; disabled, they wait for nothing', async () => {
    const { id } = await owner.create(path, body)
    const next_at = new Date(Date.parse(house.clock.now()) + 36_000_000).toISOString()
    await house.engine.transaction((session) =>
      session.run(
        'update webhook_states set failure_count = 9, failing_since = $1, next_at = $2 where webhook_id = $3',
        [house.clock.now(), next_at, id],
      ),
    )
    const waits = async () => {
      const { failure_count, failing_since, next_attempt_at } = (await owner.get(`${path}/${id}`)).body.data
      return { failure_count, failing_since, next_attempt_at }
    }
    await owner.patch(`${path}/${id}`, { description: 'Of the same address' })
    expect(await waits()).toEqual({ failure_count: 9, failing_since: house.clock.now(), next_attempt_at: next_at })
    await owner.patch(`${path}/${id}`, { status: 'disabled' })
    expect((await waits()).next_attempt_at).toBeNull()
    await owner.patch(`${path}/${id}`, { url: 'https://example.org/mended' })
    expect(await waits()).toEqual({ failure_count: 0, failing_since: null, next_attempt_at: null })
  })

  it('with a type from before that nothing has are disabled all the same; its like is not set any more', async () => {
    const { id } = await owner.create(path, body)
    await house.engine.transaction((session) =>
      session.run('update webhooks set types = $1 where id = $2', [JSON.stringify(['key.isued']), id]),
    )
    expect((await owner.patch(`${path}/${id}`, { status: 'disabled' })).body.data).toMatchObject({
      status: 'disabled',
      types: ['key.isued'],
    })
    const slip = await owner.patch(`${path}/${id}`, { types: ['key.isued', 'key.returnd'] })
    expect([slip.status, slip.body.msg]).toEqual([400, expect.stringContaining('did you mean "key.issued"?')])
  })
})
