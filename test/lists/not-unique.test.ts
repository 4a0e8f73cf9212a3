import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../support/app.ts'

const house = await startHouse()
const { owner } = house

let here: string
let elsewhere: string
let limited: Client
beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Site' })
  here = (await owner.create('/api/v1/buildings', { name: 'Here', location_id: location.id })).id
  elsewhere = (await owner.create('/api/v1/buildings', { name: 'Elsewhere', location_id: location.id })).id
  limited = await house.member('Owner', { building_id: here })
})

describe('a value that must be unique and is taken', () => {
  it('is refused with the item that has it, by id and name', async () => {
    const calendar = await owner.create('/api/v1/calendars', { name: 'Holidays' })
    const taken = await owner.post('/api/v1/calendars', { name: 'Holidays' })
    expect([taken.status, taken.body.error.reason]).toEqual([409, 'not_unique'])
    expect(taken.body.error.details).toEqual([
      {
        path: 'name',
        rule: 'not_unique',
        message: 'name is already taken by the calendar "Holidays"',
        id: calendar.id,
        name: 'Holidays',
      },
    ])
    const other = await owner.create('/api/v1/calendars', { name: 'Others' })
    const patched = await owner.patch(`/api/v1/calendars/${other.id}`, { name: 'Holidays' })
    expect(patched.body.error.details[0].id).toBe(calendar.id)
    const tried = await owner.post('/api/v1/calendars?dry_run=true', { name: 'Holidays' })
    expect(tried.body.error.details[0].id).toBe(calendar.id)
  })

  it('is that of a card in use, not of one that is over', async () => {
    const lost = await owner.create('/api/v1/credentials', { type: 'card', number: '4711', label: 'Old' })
    await owner.patch(`/api/v1/credentials/${lost.id}`, { status_reason: 'revoked' })
    const used = await owner.create('/api/v1/credentials', { type: 'card', number: '4711', label: 'New' })
    const taken = await owner.post('/api/v1/credentials', { type: 'card', number: '0004711' })
    expect(taken.body.error.details).toMatchObject([{ path: 'number', id: used.id, name: 'New' }])
  })

  it('in a batch names the item too, also one of the same batch', async () => {
    const operations = [1, 2].map(() => ({ op: 'create', body: { name: 'Twice' } }))
    const { body } = await owner.post('/api/v1/calendars/batch', { operations })
    const [made, refused] = body.data.results
    expect(refused.error.details[0]).toMatchObject({ id: made.data.id, name: 'Twice' })
    const atomic = await owner.post('/api/v1/calendars/batch', { atomic: true, operations })
    expect([atomic.status, atomic.body.error.details[0].path]).toEqual([409, 'operations[0].name'])
    expect(atomic.body.error.details[0].id).toBe(made.data.id)
  })

  it('tells a limited role nothing of an item that it does not see', async () => {
    const person = async (building_id: string) =>
      (await owner.create('/api/v1/individuals', { display_name: 'Somebody', building_id })).id
    const [theirs, mine] = [await person(elsewhere), await person(here)]
    const card = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '815',
      label: 'Secret label',
      individual_id: theirs,
    })
    const refused = await limited.post('/api/v1/credentials', { type: 'card', number: '815', individual_id: mine })
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'not_unique'])
    expect(refused.text).not.toContain(card.id)
    expect(refused.text).not.toContain('Secret label')
    const own = await owner.create('/api/v1/credentials', { type: 'card', number: '816', individual_id: mine })
    const seen = await limited.post('/api/v1/credentials', { type: 'card', number: '816', individual_id: mine })
    expect(seen.body.error.details[0].id).toBe(own.id)
  })
})
