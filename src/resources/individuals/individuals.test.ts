import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/individuals'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

const ada = (more: object = {}) => owner.create(PATH, { given_name: 'Ada', family_name: 'Byron', ...more })

describe('individuals', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { given_name: 'Zoë', family_name: 'Müller', email: 'zoe@example.com' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      display_name: 'Zoë Müller',
      kind: 'employee',
      status: 'active',
      valid_from: null,
      manager_id: null,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=zoe%20muller`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { department: 'Research' })).body.data).toMatchObject({
      department: 'Research',
      version: 2,
    })
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('need both names, or a display name', async () => {
    for (const body of [
      {},
      { given_name: 'Ada' },
      { family_name: 'Byron' },
      { given_name: '', family_name: 'Byron' },
    ]) {
      const answer = await owner.post(PATH, body)
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe('body.required')
    }
    expect((await owner.create(PATH, { display_name: 'Cleaning crew', kind: 'service' })).given_name).toBe('')
  })

  it('show a display name that follows the names until somebody chooses another', async () => {
    const { id, display_name } = await ada()
    expect(display_name).toBe('Ada Byron')
    const path = `${PATH}/${id}`
    expect((await owner.patch(path, { family_name: 'Lovelace' })).body.data.display_name).toBe('Ada Lovelace')
    expect((await owner.patch(path, { display_name: 'The Countess' })).body.data.display_name).toBe('The Countess')
    expect((await owner.patch(path, { family_name: 'King' })).body.data.display_name).toBe('The Countess')
    expect((await owner.get(`${PATH}?search=countess%20king`)).body.data).toHaveLength(1)
  })

  it('never report to themselves, however long the chain', async () => {
    const top = await ada()
    const middle = await ada({ manager_id: top.id })
    const bottom = await ada({ manager_id: middle.id })
    for (const manager of [top, middle, bottom]) {
      const answer = await owner.patch(`${PATH}/${top.id}`, { manager_id: manager.id })
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe('reference.cycle')
    }
    expect((await owner.patch(`${PATH}/${bottom.id}`, { manager_id: top.id })).status).toBe(200)
  })

  it.each([
    [
      'a window that ends before it begins',
      { valid_from: '2027-07-01T00:00:00Z', valid_until: '2027-06-01T00:00:00Z' },
      'window.empty',
    ],
    [
      'a window of no length',
      { valid_from: '2027-07-01T00:00:00Z', valid_until: '2027-07-01T02:00:00+02:00' },
      'window.empty',
    ],
    ['an e-mail address that is none', { email: 'ada at example.com' }, 'body.format'],
    ['a manager that does not exist', { manager_id: NOBODY }, 'reference.not_found'],
    ['a status that only an action leads to', { status: 'suspended' }, 'body.enum'],
    ['a field that does not exist', { nickname: 'A' }, 'body.unknown_field'],
    ['a point in time beyond the calendar', { valid_until: '9999-12-31T23:59:59-12:00' }, 'body.range'],
  ])('refuse %s', async (_what, more, reason) => {
    const answer = await owner.post(PATH, { given_name: 'Ada', family_name: 'Byron', ...more })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('do not change their status by a patch', async () => {
    const { id } = await ada({ status: 'invited' })
    const answer = await owner.patch(`${PATH}/${id}`, { status: 'active' })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('body.read_only')
  })

  it('are there only for those who may see them', async () => {
    const { id } = await ada()
    const location = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    const auditor = await house.member('Auditor')
    const local = await house.member('Facility manager', { location_id: location.id })
    const blind = await memberWith(house, ['spaces:read'])
    expect((await house.anonymous.get(`${PATH}/${id}`)).status).toBe(401)
    expect((await blind.get(PATH)).status).toBe(403)
    expect((await auditor.get(`${PATH}/${id}`)).status).toBe(200)
    expect((await auditor.post(PATH, { display_name: 'X' })).status).toBe(403)
    expect((await auditor.patch(`${PATH}/${id}`, { company: 'X' })).status).toBe(403)
    expect((await auditor.delete(`${PATH}/${id}`)).status).toBe(403)
    // Individuals belong to the organization as a whole; a role limited to a place does not reach them.
    expect((await local.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await local.get(PATH)).body.data).toEqual([])
    expect((await owner.get(`${PATH}/${NOBODY}`)).status).toBe(404)
  })

  it('that somebody reports to are not deleted', async () => {
    const top = await ada()
    await ada({ manager_id: top.id })
    const answer = await owner.delete(`${PATH}/${top.id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('RESOURCE_IN_USE')
  })
})
