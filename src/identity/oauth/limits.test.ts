import { describe, expect, it } from 'vitest'
import { newApplication, REDIRECT, startListening } from '../../../test/support/peers/oauth.ts'

const house = await startListening({ TRUST_PROXY: 'on' })
const { url, engine } = house
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const parameters = (client_id: string, more: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ client_id, redirect_uri: REDIRECT, response_type: 'code', scope: 'spaces:read' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more },
  })
const from = (address: string) => ({ 'x-forwarded-for': address })
const begin = (client_id: string, address: string) =>
  fetch(`${url}/oauth/auth?${parameters(client_id, { state: 'x' })}`, { redirect: 'manual', headers: from(address) })
const push = (client_id: string, address: string, more?: Record<string, string>) =>
  fetch(`${url}/oauth/request`, { method: 'POST', body: parameters(client_id, more), headers: from(address) })
const rows = async (kind: string) =>
  (await engine.reader.all<{ n: number }>('select count(*) as n from oauth_records where kind = $1', [kind]))[0]?.n

/** In batches: the first that is refused, if any. */
async function flood(times: number, ask: () => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = []
  for (let i = 0; i < times; i += 10) answers.push(...(await Promise.all(Array.from({ length: 10 }, ask))))
  return answers
}

describe('requests for authorization without end', () => {
  it('are refused after 120 a minute of one client in one network, told to the application, and leave no more rows', async () => {
    const [application, other] = [
      await newApplication(house, { kind: 'public' }),
      await newApplication(house, { kind: 'public' }),
    ]
    const answers = await flood(140, () => begin(application.client_id, '198.51.100.7'))
    const refused = answers.filter(({ headers }) => headers.get('location')?.includes('error=temporarily_unavailable'))
    expect(refused).toHaveLength(20)
    expect(refused[0]?.headers.get('location')).toContain(`${REDIRECT}?`)
    expect(refused[0]?.headers.get('retry-after')).toBe('60')
    expect(await rows('Interaction')).toBe(120)
    // Nobody else notices: another application there, the same one elsewhere.
    for (const one of [await begin(other.client_id, '198.51.100.8'), await begin(application.client_id, '203.0.113.7')])
      expect(one.headers.get('location')).toContain('/oauth/interaction/')
  })

  it('are refused after 240 a minute of a network, whatever the client; pushed ones count alike and are told in the RFC’s body', async () => {
    const applications = await Promise.all([1, 2, 3].map(() => newApplication(house, { kind: 'public' })))
    const answers: Response[] = []
    for (const { client_id } of applications) answers.push(...(await flood(90, () => push(client_id, '192.0.2.9'))))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([statuses.get(201)?.length, statuses.get(429)?.length]).toEqual([240, 30])
    const [refused] = statuses.get(429) ?? []
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(await refused?.json()).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: expect.stringContaining('too many'),
    })
    expect(await rows('PushedAuthorizationRequest')).toBe(240)
  })

  it('with parameters larger than anybody needs are refused, and not stored', async () => {
    const { client_id } = await newApplication(house, { kind: 'public' })
    const before = await rows('PushedAuthorizationRequest')
    const answer = await push(client_id, '100.64.0.9', { state: 'x'.repeat(20_000) })
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
    expect((await push(client_id, '100.64.0.9', { state: 'x'.repeat(1000) })).status).toBe(201)
    expect(await rows('PushedAuthorizationRequest')).toBe((before ?? 0) + 1)
  })
})
