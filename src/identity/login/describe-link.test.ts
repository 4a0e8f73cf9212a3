import { describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson, tokenIn, withHeaders } from '../../../test/support/people.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous } = house
const admin = house.loggedIn(owner.token)
const password = 'correct horse battery staple'

let host = 0
/** Failures are counted per address. */
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:1:${(++host).toString(16)}::1` })
const look = (kind: string, token: string) => elsewhere().post('/api/v1/login/link', { kind, token })
const reasonOf = async (kind: string, token: string) => {
  const { status, body } = await look(kind, token)
  return [status, body.error?.reason]
}
const dead = [401, 'invalid_link']

describe('a link that is looked at', () => {
  it('tells where it leads, for whom and until when, as often as one likes, and still works', async () => {
    const { link, link_expires_at } = await admin.create('/api/v1/users', {
      email: 'grace@example.org',
      name: 'Grace Hopper',
    })
    const { name: organization } = (await owner.get('/api/v1/organization')).body.data
    for (let times = 0; times < 2; times++) {
      const answer = await look('invitation', tokenIn(link))
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body.data).toEqual({
        ...{
          kind: 'invitation',
          organization,
          name: 'Grace Hopper',
          email: 'grace@example.org',
          expires_at: link_expires_at,
        },
      })
    }
    expect((await elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password })).status).toBe(200)
    expect(await reasonOf('invitation', tokenIn(link))).toEqual(dead)
  })

  it('is of one kind; one that has expired, was replaced or is of somebody suspended is dead', async () => {
    const { id, link } = await admin.create('/api/v1/users', { email: 'late@example.org', name: 'Late' })
    expect(await reasonOf('reset', tokenIn(link))).toEqual(dead)
    expect(await reasonOf('setup', tokenIn(link))).toEqual(dead)
    const newer = (await admin.post(`/api/v1/users/${id}/invite`)).body.data.link
    expect(await reasonOf('invitation', tokenIn(link))).toEqual(dead)
    clock.forward(7 * 86_400_000)
    expect(await reasonOf('invitation', tokenIn(newer))).toEqual(dead)
    const person = await newPerson(house)
    const reset = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data.link
    expect((await look('reset', tokenIn(reset))).body.data).toMatchObject({
      kind: 'reset',
      email: person.email,
      name: 'Ada Lovelace',
    })
    expect((await admin.post(`/api/v1/users/${person.id}/suspend`)).status).toBe(200)
    expect(await reasonOf('reset', tokenIn(reset))).toEqual(dead)
  })

  it('is not looked at from another site, by guessing, or with anything else in the body', async () => {
    const guess = 'A'.repeat(43)
    expect(await reasonOf('invitation', guess)).toEqual(dead)
    expect(await reasonOf('invitation', 'short')).toEqual(dead)
    const guesser = elsewhere()
    const statuses: number[] = []
    for (let times = 0; times < 50; times++)
      statuses.push((await guesser.post('/api/v1/login/link', { kind: 'reset', token: guess })).status)
    expect(statuses.at(-1)).toBe(429)
    const foreign = withHeaders(elsewhere(), { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })
    expect((await foreign.post('/api/v1/login/link', { kind: 'invitation', token: guess })).status).toBe(403)
    for (const body of [
      {},
      { kind: 'other', token: guess },
      { kind: 'invitation' },
      { kind: 'invitation', token: guess, password },
    ])
      expect((await elsewhere().post('/api/v1/login/link', body)).status).toBe(400)
  })
})
