import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newTokenValue } from '../../core/secrets/token.ts'

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, anonymous } = house
const path = '/api/v1/tokens/report-leaked'
let host = 0
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++host}` })

describe('reporting a leaked token', () => {
  it('needs no credential and ends the token at once, on the record', async () => {
    const victim = await house.member('Auditor')
    const { token } = (await victim.get('/api/v1/me')).body.data
    const from = elsewhere()
    expect((await anonymous.post(path, { token: victim.token }, from)).status).toBe(200)
    expect((await victim.get('/api/v1/me')).status).toBe(401)
    const [, entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${token.id}`)).body.data
    expect(entry).toMatchObject({
      action: 'token.revoked',
      actor_kind: 'system',
      actor_id: null,
      address: from['x-forwarded-for'],
    })
    expect(entry.after.status).toBe('revoked')
  })

  it('answers the same whatever it is handed', async () => {
    const good = await house.member('Auditor')
    const answers = []
    for (const token of [
      good.token,
      good.token,
      newTokenValue(),
      'acs_pat_nonsense',
      '',
      ` ${(await house.member('Auditor')).token}\n`,
    ]) {
      const { status, body, headers } = await anonymous.post(path, { token }, elsewhere())
      answers.push(JSON.stringify([status, body, Object.keys(headers).sort()]))
    }
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '')[0]).toBe(200)
  })

  it('takes many at once, of any organization, the good among the wrong', async () => {
    const one = await house.member('Auditor')
    const two = await house.member('Operator')
    await anonymous.post(path, { tokens: ['rubbish', one.token, newTokenValue(), two.token, one.token] }, elsewhere())
    expect((await one.get('/api/v1/me')).status).toBe(401)
    expect((await two.get('/api/v1/me')).status).toBe(401)
    expect((await owner.get('/api/v1/me')).status).toBe(200)
  })

  it('with a wrong body is 400', async () => {
    const wrong = [
      undefined,
      {},
      { token: 1 },
      { tokens: [] },
      { tokens: 'x' },
      { tokens: Array(101).fill('x') },
      { token: 'x', tokens: ['x'] },
      { secret: 'x' },
    ]
    for (const body of wrong) expect((await anonymous.post(path, body, elsewhere())).status).toBe(400)
    expect((await anonymous.post(path, { tokens: Array(100).fill('x') }, elsewhere())).status).toBe(200)
  })

  it('counts against the address’s limit of failures, and a good token from there still works', async () => {
    const from = elsewhere()
    for (let i = 0; i < 30; i++) expect((await anonymous.post(path, { token: 'x' }, from)).status).toBe(200)
    const limited = await anonymous.post(path, { token: owner.token }, from)
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(limited.headers['retry-after']).toBe('60')
    expect((await anonymous.get('/api/v1/me', from)).status).toBe(429)
    expect((await owner.get('/api/v1/me', from)).status).toBe(200)
  })
})
