import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'
import { type KeyAction, type KeyState, keyActions, keyAfter, keyStates } from '../../core/keys/key-states.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/keys'
type Item = { id: string }
let estate: Estate
let other: Estate
let type: Item
let ada: Item
let counter = 0
const make = (status = 'in_stock') => owner.create(PATH, { key_type_id: type.id, number: `N${++counter}`, status })
const act = (key: Item, action: KeyAction, body?: object) =>
  owner.post(`${PATH}/${key.id}/${action}`, action === 'issue' ? { individual_id: ada.id, ...body } : body)
const handoversOf = async (key: Item) => (await owner.get(`/api/v1/key-handovers?key_id=eq.${key.id}`)).body.data

/** The actions that lead to each state. */
const ways: Record<KeyState, KeyAction[]> = {
  ordered: [],
  in_stock: ['receive'],
  issued: ['receive', 'issue'],
  lost: ['receive', 'issue', 'report-lost'],
  stolen: ['receive', 'issue', 'report-stolen'],
  defective: ['receive', 'issue', 'mark-defective'],
  written_off: ['receive', 'issue', 'report-lost', 'write-off'],
  destroyed: ['receive', 'issue', 'mark-defective', 'destroy'],
}
async function keyIn(state: KeyState) {
  const { id } = await make('ordered')
  for (const action of ways[state]) await act({ id }, action)
  const key = (await owner.get(`${PATH}/${id}`)).body.data
  expect(key.status).toBe(state)
  return key
}

beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
  type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'G1' })
  ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
})

describe('what happens to a key', () => {
  it.each(keyStates)(
    'from %s every action does what the machine says, or is refused naming the state',
    async (state) => {
      for (const action of keyActions) {
        const key = await keyIn(state)
        const to = keyAfter(action, state)
        const answer = await act(key, action)
        if (to) {
          expect(answer.status).toBe(200)
          expect(answer.body.data).toMatchObject({ id: key.id, status: to, version: key.version + 1 })
        } else {
          expect(answer.status).toBe(409)
          expect(answer.body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'key.transition' })
          expect(answer.body.msg).toContain(state.replace('_', ' '))
          expect((await owner.get(`${PATH}/${key.id}`)).body.data).toEqual(key)
        }
      }
    },
  )

  it('a lost key cannot be issued, and the answer says what is possible', async () => {
    const answer = await act(await keyIn('lost'), 'issue')
    expect(answer.status).toBe(409)
    expect(answer.body.msg).toContain('found, write-off')
  })

  it('issuing opens an entry in the register', async () => {
    const key = await make()
    const terms = {
      due_back_on: '2027-07-01',
      purpose: 'Night shift',
      deposit_amount: 50,
      condition: 'new',
      external_id: 'form-1',
    }
    const answer = await act(key, 'issue', terms)
    expect(answer.body.data).toMatchObject({
      status: 'issued',
      individual_id: ada.id,
      due_back_on: '2027-07-01',
      status_since: house.clock.now(),
    })
    const [entry, ...more] = await handoversOf(key)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      ...terms,
      key_id: key.id,
      individual_id: ada.id,
      issued_at: house.clock.now(),
      outcome: 'held',
      returned_at: null,
      ended_at: null,
    })
    expect(entry.issued_by).toMatch(/^Owner /)
  })

  it('a return ends the entry, and the key is nobody’s', async () => {
    const key = await make()
    await act(key, 'issue', { due_back_on: '2027-07-01' })
    house.clock.forward(3_600_000)
    const answer = await act(key, 'return', { return_condition: 'bent', storage: 'Hook 3', note: 'check it' })
    expect(answer.body.data).toMatchObject({
      status: 'in_stock',
      individual_id: null,
      due_back_on: null,
      storage: 'Hook 3',
      status_note: 'check it',
      status_since: house.clock.now(),
    })
    const [entry] = await handoversOf(key)
    expect(entry).toMatchObject({
      outcome: 'returned',
      returned_at: house.clock.now(),
      ended_at: house.clock.now(),
      return_condition: 'bent',
    })
    expect(entry.received_by).toMatch(/^Owner /)
    expect(entry.due_back_on).toBe('2027-07-01')
    expect((await owner.get(`${PATH}?search=${encodeURIComponent('hook 3')}`)).body.data).toHaveLength(1)
  })

  it.each([
    ['report-lost', 'lost'],
    ['report-stolen', 'stolen'],
    ['mark-defective', 'defective'],
  ] as const)('%s ends the entry as %s and leaves it without a return', async (action, outcome) => {
    const key = await make()
    await act(key, 'issue')
    const answer = await act(key, action, { note: 'Left on a train' })
    expect(answer.body.data).toMatchObject({ status: outcome, individual_id: null, status_note: 'Left on a train' })
    expect(await handoversOf(key)).toMatchObject([
      { outcome, ended_at: house.clock.now(), returned_at: null, received_by: null },
    ])
  })

  it('a found key can be issued again, and the register keeps both entries', async () => {
    const key = await keyIn('lost')
    await act(key, 'found')
    house.clock.forward(1000)
    expect((await act(key, 'issue')).status).toBe(200)
    expect((await handoversOf(key)).map((entry: { outcome: string }) => entry.outcome)).toEqual(['lost', 'held'])
  })

  it('a step is audited under its own name, and the register with it', async () => {
    const key = await make()
    await act(key, 'issue')
    const rows = await house.engine.reader.all<{ action: string }>(
      'select action from audit_log where resource_id = $1 order by sequence desc limit 1',
      [key.id],
    )
    expect(rows).toEqual([{ action: 'key.issued' }])
  })

  it.each(['invited', 'suspended', 'offboarded'])('a key is not issued to somebody who is %s', async (status) => {
    const person = await owner.create('/api/v1/individuals', {
      display_name: 'Bob',
      ...(status === 'invited' ? { status } : {}),
    })
    const verbs: Record<string, string> = { suspended: 'suspend', offboarded: 'offboard' }
    if (verbs[status]) expect((await owner.post(`/api/v1/individuals/${person.id}/${verbs[status]}`)).status).toBe(200)
    const key = await make()
    const answer = await act(key, 'issue', { individual_id: person.id })
    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'individual.not_active' })
    expect(answer.body.msg).toContain(status)
    expect(await handoversOf(key)).toEqual([])
  })

  it('a key is not issued to somebody whose time is over, and is to somebody whose time is yet to begin', async () => {
    const gone = await owner.create('/api/v1/individuals', { display_name: 'Gone', valid_until: house.clock.now() })
    const coming = await owner.create('/api/v1/individuals', {
      display_name: 'Coming',
      valid_from: '2099-01-01T00:00:00Z',
    })
    expect((await act(await make(), 'issue', { individual_id: gone.id })).body.error.reason).toBe('individual.expired')
    expect((await act(await make(), 'issue', { individual_id: coming.id })).status).toBe(200)
  })

  it('of two who issue the same key at once, one does', async () => {
    const key = await make()
    const answers = await Promise.all([act(key, 'issue'), act(key, 'issue')])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(await handoversOf(key)).toHaveLength(1)
  })

  it('an action on another version than the one named is refused', async () => {
    const key = await make()
    const answer = await owner.post(`${PATH}/${key.id}/issue`, { individual_id: ada.id }, { 'if-match': '"9"' })
    expect(answer.status).toBe(412)
    expect(
      (await owner.post(`${PATH}/${key.id}/issue`, { individual_id: ada.id }, { 'if-match': '"1"' })).headers.etag,
    ).toBe('"2"')
  })

  it.each([
    ['issue', undefined],
    ['issue', {}],
    ['issue', { individual_id: 'Ada' }],
    ['issue', { individual_id: '01997d2a-4c00-7000-8000-00000000dead' }],
    ['issue', { individual_id: 'ada', due_back_on: '31.12.2027' }],
    ['issue', { individual_id: 'ada', deposit_amount: -1 }],
    ['issue', { individual_id: 'ada', key_id: '01997d2a-4c00-7000-8000-00000000dead' }],
    ['issue', { individual_id: 'ada', issued_by: 'somebody else' }],
    ['report-lost', { note: 5 }],
    ['report-lost', { storage: 'nowhere' }],
    ['mark-defective', { note: 'x'.repeat(2001) }],
    ['write-off', []],
  ])('%s with %j is refused before anything else is looked at', async (action, body) => {
    const key = await make()
    const sent = JSON.stringify(body)?.includes('"ada"') ? { ...body, individual_id: ada.id } : body
    const answer = await owner.post(`${PATH}/${key.id}/${action}`, sent)
    expect(answer.status).toBe(400)
    expect((await owner.get(`${PATH}/${key.id}`)).body.data).toEqual(key)
  })

  const handover: KeyAction[] = ['issue', 'return', 'report-lost', 'report-stolen', 'found']

  it.each(keyActions)('%s needs a credential and its own permission', async (action) => {
    const key = await make()
    const url = `${PATH}/${key.id}/${action}`
    const body = action === 'issue' ? { individual_id: ada.id } : undefined
    const needed = handover.includes(action) ? 'keys:handover' : 'keys:write'
    const without = await memberWith(house, ['keys:read', needed === 'keys:write' ? 'keys:handover' : 'keys:write'])
    const withIt = await memberWith(house, [needed])
    expect((await anonymous.post(url, body)).status).toBe(401)
    expect((await without.post(url, body)).status).toBe(403)
    expect([200, 409]).toContain((await withIt.post(url, body)).status)
  })

  it.each(keyActions)('%s of a key that is unknown or outside the caller’s places is 404', async (action) => {
    const body = action === 'issue' ? { individual_id: ada.id } : undefined
    const janitor = await house.member('Facility manager', { location_id: other.location.id })
    expect((await owner.post(`${PATH}/${randomUUID()}/${action}`, body)).status).toBe(404)
    const { id } = await make()
    expect((await janitor.post(`${PATH}/${id}/${action}`, body)).status).toBe(404)
  })

  it('whoever hands out keys in one building can hand out its keys to anybody', async () => {
    const porter = await house.member('Operator', { building_id: estate.building.id })
    const { id } = await make()
    const answer = await porter.post(`${PATH}/${id}/issue`, { individual_id: ada.id })
    expect(answer.status).toBe(200)
    expect((await handoversOf({ id }))[0].issued_by).toMatch(/^Operator /)
    expect((await porter.post(`${PATH}/${id}/return`)).status).toBe(200)
  })
})
