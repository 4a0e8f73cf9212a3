import { describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/me'

describe('my account', () => {
  it('has the name and the language that I choose, on the record, whatever my role', async () => {
    const person = await newPerson(house)
    const { status, body, text } = await person.patch(PATH, { name: 'Grace Hopper', language: 'de' })
    expect(status, text).toBe(200)
    expect(body.data).toMatchObject({ id: person.id, name: 'Grace Hopper', language: 'de' })
    const me = (await person.get(PATH)).body.data
    expect([me.name, me.user.language]).toEqual(['Grace Hopper', 'de'])
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&action=eq.user.updated`)).body.data
    expect(entry).toMatchObject({ actor_id: person.id, after: { name: 'Grace Hopper' } })
  })

  it.each([
    { email: 'other@example.org' },
    { external_id: 'x' },
    { status: 'active' },
    { name: '' },
    { name: null },
    { language: 'fr' },
  ])('does not take %j', async (body) => {
    const person = await newPerson(house)
    const answer = await person.patch(PATH, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is a person’s: a token has none to change, and nobody else either', async () => {
    expect((await owner.patch(PATH, { name: 'X' })).status).toBe(403)
    expect((await anonymous.patch(PATH, { name: 'X' })).status).toBe(401)
  })

  it('that somebody changed meanwhile is not overwritten', async () => {
    const person = await newPerson(house)
    const answer = await person.patch(PATH, { name: 'Late' }, { 'if-match': '"99"' })
    expect([answer.status, answer.body.error.code]).toEqual([412, 'VERSION_CONFLICT'])
  })
})
