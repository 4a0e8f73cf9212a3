import { describe, expect, it } from 'vitest'
import {
  ask,
  authorize,
  call,
  discover,
  newApplication,
  obtain,
  REDIRECT,
  startListening,
} from '../../../test/support/peers/oauth.ts'
import { newPerson } from '../../../test/support/people.ts'

const house = await startListening()
const { url } = house
const AT_ONCE = 64

/**
 * So many at once; how many had which outcome. Those that wait too long for the database (503) were let try nothing.
 */
async function race(form: Record<string, string>): Promise<{ outcomes: Record<string, number>; accessToken: string }> {
  let accessToken = ''
  const outcomes: Record<string, number> = {}
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
      const body = (await answer.json()) as { error?: string; access_token?: string }
      if (answer.status === 503) return
      if (body.access_token) accessToken = body.access_token
      const outcome = body.error ?? 'success'
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }),
  )
  return { outcomes, accessToken }
}

describe(`redeemed by ${AT_ONCE} parallel requests`, () => {
  it('an authorization code gives tokens exactly once, and the others end its grant', async () => {
    const application = await newApplication(house)
    const person = await newPerson(house, 'Owner')
    const asked = await ask(await discover(url, application), 'spaces:read')
    const code = new URL(await authorize(house, person, asked)).searchParams.get('code') ?? ''
    const { outcomes, accessToken } = await race({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: asked.verifier,
      client_id: application.client_id,
      client_secret: application.client_secret ?? '',
    })
    expect(outcomes.success, JSON.stringify(outcomes)).toBe(1)
    expect(Object.keys(outcomes).sort()).toEqual(['invalid_grant', 'success'])
    expect((await call(url, accessToken)).status).toBe(401)
    const [entry] = (
      await house.owner.get('/api/v1/audit-log?action=eq.oauth_grant.revoked&order=sequence.desc&limit=1')
    ).body.data
    expect(entry.after).toEqual({ reason: 'code_reused' })
  })

  it('a refresh token is rotated exactly once, and the others end its grant', async () => {
    const application = await newApplication(house)
    const { tokens } = await obtain(house, application)
    const { outcomes, accessToken } = await race({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: application.client_id,
      client_secret: application.client_secret ?? '',
    })
    expect(outcomes.success, JSON.stringify(outcomes)).toBe(1)
    expect(Object.keys(outcomes).sort()).toEqual(['invalid_grant', 'success'])
    expect((await call(url, accessToken)).status).toBe(401)
    const [entry] = (
      await house.owner.get('/api/v1/audit-log?action=eq.oauth_grant.revoked&order=sequence.desc&limit=1')
    ).body.data
    expect(entry.after).toEqual({ reason: 'refresh_token_reused' })
  })
})
