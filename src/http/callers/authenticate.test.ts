import { describe, expect, it } from 'vitest'
import { type Answer, actor, startHouse } from '../../../test/support/app.ts'
import { newTokenValue } from '../../core/secrets/token.ts'
import { change } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import { createOrganization } from '../../identity/organizations.ts'
import { createToken } from '../../identity/tokens/issue.ts'

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, anonymous, clock, engine } = house
const path = '/api/v1/locations'

let host = 0
/** From an address of its own: failures are counted per address. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.${Math.floor(++host / 250)}.${host % 250}` })
const withHeader = (authorization: string) => anonymous.get(path, { authorization, ...elsewhere() })
const refusal = ({ status, body }: Answer) => [status, body.error.code, body.error.reason]

/** A token that differs from a good one in its last character. */
const mistyped = (token: string) => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')

describe('Most endpoints require the header Authorization', () => {
  it('Authorization: Token <PERSONAL_ACCESS_TOKEN> is accepted', async () => {
    expect((await withHeader(`Token ${owner.token}`)).status).toBe(200)
  })

  it.each(['token', 'TOKEN', 'tOkEn'])('the scheme’s case does not matter: %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${owner.token}`)).status).toBe(200)
  })

  it('a personal access token under Bearer is 401, and the msg names the right scheme', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const answer = await withHeader(`${scheme} ${owner.token}`)
      expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED', 'wrong_scheme'])
      expect(answer.body.msg).toContain('Authorization: Token <token>')
    }
  })
})

describe('A request with a missing, malformed or insufficiently permitted credential is rejected with error code UNAUTHORIZED', () => {
  it('missing: 401', async () => {
    expect(refusal(await anonymous.get(path, elsewhere()))).toEqual([401, 'UNAUTHORIZED', 'missing_credential'])
  })

  it.each([
    ['no scheme', (token: string) => token, 'malformed_credential'],
    ['no value', () => 'Token', 'malformed_credential'],
    ['two values', (token: string) => `Token ${token} ${token}`, 'malformed_credential'],
    ['cut off', (token: string) => `Token ${token.slice(0, -3)}`, 'malformed_credential'],
    ['mistyped', (token: string) => `Token ${mistyped(token)}`, 'malformed_credential'],
    ['in quotes', (token: string) => `Token "${token}"`, 'malformed_credential'],
    ['another scheme', () => 'Basic dXNlcjpwYXNz', 'wrong_scheme'],
    ['a JWT that nobody issued', () => 'Bearer eyJhbGciOiJub25lIn0.e30.', 'invalid_credential'],
  ])('malformed, %s: 401', async (_name, header, reason) => {
    expect(refusal(await withHeader(header(owner.token)))).toEqual([401, 'UNAUTHORIZED', reason])
  })

  it('insufficiently permitted: 403, and the msg names the permission', async () => {
    const answer = await (await house.member('Auditor')).post(path, { name: 'x' })
    expect(refusal(answer)).toEqual([403, 'UNAUTHORIZED', 'insufficient_permissions'])
    expect(answer.body.msg).toContain('locations:write')
    expect(answer.headers['www-authenticate']).toBeUndefined()
  })

  it('401 comes with WWW-Authenticate, and both with a docs address and a req_id', async () => {
    const answer = await anonymous.get(path, elsewhere())
    expect(answer.headers['www-authenticate']).toBe(
      'Token realm="Gatehouse", Bearer realm="Gatehouse", ' +
        'resource_metadata="http://gatehouse.test/.well-known/oauth-protected-resource/api"',
    )
    expect(answer.body.error.docs).toBe('http://gatehouse.test/docs/api/errors/UNAUTHORIZED')
    expect(answer.body.error.req_id).toMatch(/^req_\d+$/)
    expect(answer.headers['x-request-id']).toBe(answer.body.error.req_id)
  })

  it('is checked before anything else of the request: path, parameters and body do not matter', async () => {
    for (const answer of [
      await anonymous.get(`${path}/nonsense`, elsewhere()),
      await anonymous.get(`${path}?limit=-1`, elsewhere()),
      await anonymous.post(path, { nonsense: true }, elsewhere()),
    ])
      expect(answer.status).toBe(401)
  })
})

describe('to the caller a token that is not good is just that', () => {
  it('unknown, expired, revoked, suspended and from elsewhere look alike', async () => {
    const answers: Answer[] = [await withHeader(`Token ${newTokenValue()}`)]

    const expiring = await createToken(engine, clock.now(), actor, {
      organization: 'Test',
      role: 'Auditor',
      expires: '2027-06-15T13:00:00Z',
    })
    const revoked = await house.member('Auditor')
    const suspended = await house.member('Auditor')
    const local = await house.member('Auditor')
    const me = async (client: typeof owner) => (await client.get('/api/v1/me')).body.data
    const [r, s, l] = [await me(revoked), await me(suspended), await me(local)]
    await owner.post(`/api/v1/service-users/${r.id}/tokens/${r.token.id}/revoke`)
    await owner.patch(`/api/v1/service-users/${s.id}`, { status: 'suspended' })
    const limited = await house.loggedIn(owner.token).create(`/api/v1/service-users/${l.id}/tokens`, {
      name: 'Local',
      expires_at: '2027-12-31',
      addresses: ['192.0.2.0/24'],
    })
    clock.set('2027-06-15T13:00:00.000Z')
    for (const token of [expiring.value, revoked.token, suspended.token, limited.value])
      answers.push(await withHeader(`Token ${token}`))

    const seen = answers.map(({ status, body, headers }) => {
      const { req_id: _, ...error } = body.error
      return JSON.stringify([status, body.msg, error, Object.keys(headers).sort()])
    })
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(1)
    expect(refusal(answers[0] as Answer)).toEqual([401, 'UNAUTHORIZED', 'invalid_credential'])
  })

  it('a token ends exactly at the instant it says, also while it is in use', async () => {
    const { value, expiresAt } = await createToken(engine, clock.now(), actor, {
      organization: 'Test',
      role: 'Auditor',
      expires: '2027-06-16',
    })
    expect(expiresAt).toBe('2027-06-16T23:59:59.999Z')
    const before = clock.now()
    clock.set('2027-06-16T23:59:59.998Z')
    expect((await withHeader(`Token ${value}`)).status).toBe(200)
    clock.set('2027-06-16T23:59:59.999Z')
    expect((await withHeader(`Token ${value}`)).status).toBe(401)
    clock.set(before)
  })

  it('a suspended service user’s tokens are refused, and taken again once it is active', async () => {
    const client = await house.member('Auditor')
    const { id } = (await client.get('/api/v1/me')).body.data
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' })
    expect((await client.get(path, elsewhere())).status).toBe(401)
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'active' })
    expect((await client.get(path)).status).toBe(200)
  })

  it('a suspended organization’s tokens are refused, all of them, and nobody else’s', async () => {
    const { key } = await createOrganization(engine, clock.now(), actor, 'Behind with payments')
    const client = await house.member('Owner', {}, 'Behind with payments')
    expect((await client.get(path)).status).toBe(200)
    await change(engine, key, clock.now(), actor, async (tx) => {
      await tx.run(sql`update organizations as o set status = 'suspended' where o.key = :org`)
      tx.record({
        action: 'organization.suspended',
        resource: 'organizations',
        resourceId: null,
        before: null,
        after: null,
      })
    })
    expect((await client.get(path, elsewhere())).status).toBe(401)
    expect((await owner.get(path)).status).toBe(200)
  })

  it('a token with an allow-list of addresses works from those and no others', async () => {
    const { id } = (await owner.get('/api/v1/me')).body.data
    const { value } = await house.loggedIn(owner.token).create(`/api/v1/service-users/${id}/tokens`, {
      name: 'From the office',
      expires_at: '2027-12-31',
      addresses: ['192.0.2.0/24', '2001:db8::/32'],
    })
    const from = async (address: string) => (await house.client(value).get(path, { 'x-forwarded-for': address })).status
    expect(await from('192.0.2.77')).toBe(200)
    expect(await from('192.0.3.1')).toBe(401)
    expect(await from('2001:db8:1::1')).toBe(200)
    expect(await from('2001:db9::1')).toBe(401)
    expect(await from('::ffff:192.0.2.77')).toBe(200)
    // A proxy puts the address it saw last; what stands before it, the caller wrote.
    expect(await from('192.0.3.1, 192.0.2.77')).toBe(200)
    expect(await from('192.0.2.77, 192.0.3.1')).toBe(401)
  })
})

describe('a typo costs no database work', () => {
  it('neither a mistyped token nor a missing one asks the database anything', async () => {
    const good = await house.member('Auditor')
    const statements: string[] = []
    const { reader } = engine
    const { all, run } = reader
    reader.all = (text, values) => {
      statements.push(text)
      return all.call(reader, text, values) as never
    }
    reader.run = (text, values) => {
      statements.push(text)
      return run.call(reader, text, values)
    }
    try {
      await withHeader(`Token ${mistyped(good.token)}`)
      await withHeader(`Token ${good.token.slice(0, 30)}`)
      await withHeader(`Bearer ${good.token}`)
      await anonymous.get(path, elsewhere())
      expect(statements).toEqual([])
      await withHeader(`Token ${newTokenValue()}`)
      expect(statements).toHaveLength(1)
    } finally {
      reader.all = all
      reader.run = run
    }
  })
})

describe('a token that is known', () => {
  /** What the database is asked while `work` goes on. */
  const asked = async (work: () => Promise<void>): Promise<number> => {
    const { reader } = engine
    const { all } = reader
    let statements = 0
    reader.all = (text, values, ...rest) => {
      if (text.includes('from tokens')) statements += 1
      return all.call(reader, text, values, ...rest) as never
    }
    try {
      await work()
    } finally {
      reader.all = all
    }
    return statements
  }

  it('is known however its header is written: blanks and case make no other credential of it', async () => {
    const { token } = await house.member('Auditor')
    const statements = await asked(async () => {
      for (let blanks = 1; blanks <= 30; blanks++)
        expect((await withHeader(`${blanks % 2 ? 'Token' : 'tOKEN'}${' '.repeat(blanks)}${token}`)).status).toBe(200)
      // The usual spelling leads to it without a digest, and under another scheme it leads nowhere.
      for (let times = 0; times < 3; times++) expect((await withHeader(`Token ${token}`)).status).toBe(200)
      expect((await withHeader(`Bearer ${token}`)).status).toBe(401)
      expect((await withHeader(`Basic ${token}`)).status).toBe(401)
    })
    expect(statements).toBe(1)
  })
})

describe('failed authentications are limited per address', () => {
  it('after 30 in a minute: 429 with Retry-After; a good token from the same address still works', async () => {
    const from = elsewhere()
    for (let i = 0; i < 30; i++) expect((await anonymous.get(path, from)).status).toBe(401)
    clock.forward(20_000)
    const limited = await anonymous.get(path, { ...from, authorization: `Token ${newTokenValue()}` })
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(limited.headers['retry-after']).toBe('40')
    expect(limited.headers['ratelimit-policy']).toBe('"failed-authentications";q=30;w=60')
    expect((await owner.get(path, from)).status).toBe(200)
    expect((await anonymous.get(path, elsewhere())).status).toBe(401)
    clock.forward(40_000)
    expect((await anonymous.get(path, from)).status).toBe(401)
  })

  it('a network of IPv6 addresses counts as one', async () => {
    for (let i = 0; i < 30; i++) await anonymous.get(path, { 'x-forwarded-for': `2001:db8:0:7::${i}` })
    expect((await anonymous.get(path, { 'x-forwarded-for': '2001:db8:0:7:ffff::1' })).status).toBe(429)
    expect((await anonymous.get(path, { 'x-forwarded-for': '2001:db8:0:8::1' })).status).toBe(401)
  })

  it('a missing permission is no failed authentication', async () => {
    const auditor = await house.member('Auditor')
    const from = elsewhere()
    for (let i = 0; i < 40; i++) expect((await auditor.post(path, { name: 'x' }, from)).status).toBe(403)
  })
})

describe('the last use of a token', () => {
  it('is noted with its time and address, at most once a minute', async () => {
    const client = await house.member('Auditor')
    const other = await house.member('Auditor')
    const where = async (of: typeof owner) => {
      const { id, token } = (await of.get('/api/v1/me')).body.data
      return `/api/v1/service-users/${id}/tokens/${token.id}`
    }
    const [first, second] = [await where(client), await where(other)]
    const noted = async (at: string) => {
      const { last_used_at, last_used_ip } = (await owner.get(at)).body.data
      return { last_used_at, last_used_ip }
    }
    const start = { last_used_at: clock.now(), last_used_ip: '127.0.0.1' }
    await expect.poll(() => noted(first)).toEqual(start)
    await expect.poll(() => noted(second)).toEqual(start)

    clock.forward(59_999)
    await client.get(path, { 'x-forwarded-for': '192.0.2.1' })
    clock.forward(1)
    await other.get(path, { 'x-forwarded-for': '192.0.2.2' })
    // Both would have been written together.
    await expect.poll(() => noted(second)).toEqual({ last_used_at: clock.now(), last_used_ip: '192.0.2.2' })
    expect(await noted(first)).toEqual(start)

    await client.get(path, { 'x-forwarded-for': '192.0.2.3' })
    await expect.poll(() => noted(first)).toEqual({ last_used_at: clock.now(), last_used_ip: '192.0.2.3' })
  })

  it('is written before the process ends', async () => {
    const client = await house.member('Auditor')
    const { id } = (await client.get('/api/v1/me')).body.data
    const lastUse = async () => (await owner.get(`/api/v1/service-users/${id}`)).body.data.last_used_at
    // What the first process has gathered is written before the clock jumps: otherwise it could come last.
    await expect.poll(lastUse, { timeout: 5000 }).toBe(clock.now())
    clock.forward(60_000)
    const process = await house.neighbour()
    await house.client(client.token, process).get(path)
    await process.close()
    expect(await lastUse()).toBe(clock.now())
  })
})
