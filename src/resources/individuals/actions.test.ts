import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { houseTrust } from '../../../test/support/audit-key.ts'
import { memberWith } from '../../../test/support/role.ts'
import { verifyAudit } from '../../audit/verify.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/individuals'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

const ada = (more: object = {}) => owner.create(PATH, { given_name: 'Ada', family_name: 'Byron', ...more })
const act = (id: string, verb: string, headers?: Record<string, string>) =>
  owner.post(`${PATH}/${id}/${verb}`, undefined, headers)
const audit = (id: string) =>
  engine.reader.all<{ action: string; content: string | null }>(
    'select action, content from audit_log where org = 1 and resource_id = $1 order by sequence',
    [id],
  )

/** A key in the hands of the individual. */
async function holdKey(individual_id: string): Promise<string> {
  const system = await owner.create('/api/v1/locking-system', { name: 'Main' })
  const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'GHS' })
  const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '17', status: 'in_stock' })
  const issued = await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id, due_back_on: '2027-07-01' })
  expect(issued.status).toBe(200)
  return key.id
}

describe('actions on individuals', () => {
  it('suspend and reactivate, and each says so in the audit log', async () => {
    const { id } = await ada({ status: 'invited' })
    expect((await act(id, 'reactivate')).body.data).toMatchObject({ status: 'active', version: 2 })
    expect((await act(id, 'suspend')).body.data.status).toBe('suspended')
    expect((await owner.get(`${PATH}/${id}`)).body.data.status).toBe('suspended')
    expect((await act(id, 'reactivate')).body.data.status).toBe('active')
    expect((await audit(id)).map((row) => row.action)).toEqual([
      'individual.created',
      'individual.reactivated',
      'individual.suspended',
      'individual.reactivated',
    ])
  })

  it('that make no sense are refused and change nothing', async () => {
    const { id } = await ada()
    for (const verb of ['reactivate', 'anonymise']) {
      const answer = await act(id, verb)
      expect(answer.status).toBe(409)
      expect(answer.body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'individual.active' })
    }
    expect((await owner.get(`${PATH}/${id}`)).body.data.version).toBe(1)
  })

  it('offboarding takes back credentials, grants and memberships, and names the keys still out', async () => {
    const person = await ada()
    const location = await owner.create('/api/v1/locations', { name: 'Campus' })
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '1', individual_id: person.id })
    const stolen = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '2',
      individual_id: person.id,
      status_reason: 'stolen',
    })
    const other = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '3',
      individual_id: (await ada()).id,
    })
    const grant = await owner.create('/api/v1/access-grants', { individual_id: person.id, location_id: location.id })
    const past = await owner.create('/api/v1/access-grants', {
      individual_id: person.id,
      location_id: location.id,
      valid_until: '2027-01-01T00:00:00Z',
    })
    const group = await owner.create('/api/v1/access-groups', { name: 'Leavers' })
    await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: person.id })
    const key = await holdKey(person.id)

    const answer = await act(person.id, 'offboard')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      id: person.id,
      status: 'offboarded',
      credentials: [{ id: card.id, type: 'card', label: null, number: '1' }],
      access_grants: [{ id: grant.id, effect: 'allow', target_name: 'Campus', valid_until: null }],
      memberships: [{ access_group_id: group.id, access_group_name: 'Leavers' }],
      keys_to_recover: [
        { id: key, number: '17', key_type_code: 'GHS', locking_system_name: 'Main', due_back_on: '2027-07-01' },
      ],
    })
    const reasonOf = async (id: string) => (await owner.get(`/api/v1/credentials/${id}`)).body.data.status_reason
    expect(await reasonOf(card.id)).toBe('revoked')
    expect(await reasonOf(stolen.id)).toBe('stolen')
    expect(await reasonOf(other.id)).toBe('none')
    expect((await owner.get(`/api/v1/access-grants/${grant.id}`)).body.data).toMatchObject({
      status: 'revoked',
      revoked_at: clock.now(),
    })
    expect((await owner.get(`/api/v1/access-grants/${past.id}`)).body.data.status).toBe('expired')
    expect((await owner.get(`/api/v1/access-groups/${group.id}`)).body.data.member_count).toBe(0)
    expect((await audit(card.id)).at(-1)?.action).toBe('credential.revoked')
    expect((await audit(grant.id)).at(-1)?.action).toBe('access_grant.revoked')
    expect((await audit(person.id)).at(-1)?.action).toBe('individual.offboarded')
    expect((await act(person.id, 'offboard')).status).toBe(409)
  })

  it('a person who comes back gets nothing back that was revoked', async () => {
    const person = await ada()
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '11', individual_id: person.id })
    await act(person.id, 'offboard')
    expect((await act(person.id, 'reactivate')).body.data.status).toBe('active')
    expect((await owner.get(`/api/v1/credentials/${card.id}`)).body.data.status_type).toBe('terminated')
  })

  it('nobody is anonymised while they hold a key', async () => {
    const person = await ada()
    const key = await holdKey(person.id)
    await act(person.id, 'offboard')
    const refused = await act(person.id, 'anonymise')
    expect(refused.status).toBe(409)
    expect(refused.body.error.reason).toBe('individual.holds_keys')
    expect(refused.body.msg).toContain('GHS 17')
    const clerk = await memberWith(house, ['individuals:write'])
    const untold = await clerk.post(`${PATH}/${person.id}/anonymise`)
    expect([untold.status, untold.body.error.reason]).toEqual([409, 'individual.holds_keys'])
    expect(untold.text).not.toContain('GHS 17')
    expect((await owner.post(`/api/v1/keys/${key}/return`)).status).toBe(200)
    expect((await act(person.id, 'anonymise')).status).toBe(200)
  })

  it('anonymising leaves no trace of the person anywhere, and an audit chain that holds', async () => {
    const secret = 'Unforgettable'
    const manager = await ada()
    const made = await owner.post(
      PATH,
      {
        given_name: secret,
        family_name: secret,
        email: `${secret}@example.com`,
        phone: secret,
        personnel_number: secret,
        company: secret,
        department: secret,
        external_id: secret,
        manager_id: manager.id,
      },
      { 'idempotency-key': 'k-1' },
    )
    const { id } = made.body.data
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    const plate = { type: 'plate', number: secret, label: secret, external_id: secret, individual_id: id }
    const car = await owner.create('/api/v1/credentials', plate)
    const card = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '4711',
      pin: '4711',
      label: secret,
      individual_id: id,
    })
    await owner.create('/api/v1/access-grants', { individual_id: id, location_id: location.id, reason: secret })
    await owner.create('/api/v1/access-requests', { individual_id: id, location_id: location.id, reason: secret })
    await act(id, 'offboard')

    const answer = await act(id, 'anonymise')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      status: 'anonymised',
      display_name: 'Anonymised person',
      given_name: '',
      family_name: '',
      email: null,
      phone: null,
      personnel_number: null,
      company: null,
      department: null,
      external_id: null,
      manager_id: null,
    })
    expect((await owner.get(`${PATH}?search=${secret}`)).body.data).toEqual([])
    expect((await owner.get(`/api/v1/credentials/${card.id}`)).body.data).toMatchObject({
      number: '4711',
      label: null,
      has_pin: false,
    })
    expect((await owner.get(`/api/v1/credentials/${car.id}`)).body.data).toMatchObject({
      number: null,
      label: null,
      external_id: null,
    })
    for (const table of [
      'individuals',
      'credentials',
      'access_grants',
      'access_requests',
      'audit_log',
      'idempotency_keys',
    ]) {
      const rows = await engine.reader.all(`select * from ${table}`, [])
      expect(rows.length, table).toBeGreaterThan(table === 'idempotency_keys' ? -1 : 0)
      expect(JSON.stringify(rows).toLowerCase(), table).not.toContain(secret.toLowerCase())
    }
    expect((await verifyAudit(engine, 1, houseTrust)).fault).toBeUndefined()
    expect((await audit(id)).map((row) => row.action)).toEqual([
      'individual.created',
      'individual.offboarded',
      'individual.anonymised',
    ])
  })

  it('anonymising erases what was noted when they had keys, and what was recorded of items deleted long since', async () => {
    const secret = 'Indelible'
    const { id } = await ada()
    const report = await ada({ manager_id: id })
    const system = await owner.create('/api/v1/locking-system', { name: 'Annex' })
    const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'A' })
    const makeKey = (number: string) =>
      owner.create('/api/v1/keys', { key_type_id: type.id, number, status: 'in_stock' })
    const handOver = async (key: string, verb: string, body: object) => {
      clock.set(new Date(Date.parse(clock.now()) + 1000).toISOString())
      const answer = await owner.post(`/api/v1/keys/${key}/${verb}`, body, {
        'idempotency-key': `${key}-${clock.now()}`,
      })
      expect(answer.status).toBe(200)
    }
    const texts = { purpose: secret, condition: secret, external_id: secret }
    const [lost, passedOn] = [await makeKey('1'), await makeKey('2')]
    await handOver(lost.id, 'issue', { individual_id: id, ...texts })
    await handOver(lost.id, 'report-lost', { note: secret })
    // The next holder's step tells, in its audit row, what was noted before.
    await handOver(passedOn.id, 'issue', { individual_id: id })
    await handOver(passedOn.id, 'return', { note: secret, return_condition: secret })
    await handOver(passedOn.id, 'issue', { individual_id: report.id, purpose: 'Theirs' })
    await handOver(passedOn.id, 'return', { note: 'Theirs too' })
    const location = await owner.create('/api/v1/locations', { name: 'Gone' })
    const group = await owner.create('/api/v1/access-groups', { name: 'Gone' })
    const body = { individual_id: id, external_id: secret }
    const gone = [
      ['/api/v1/credentials', { ...body, type: 'plate', number: secret, label: secret }],
      [`/api/v1/access-groups/${group.id}/members`, body],
      [
        '/api/v1/access-grants',
        { ...body, location_id: location.id, reason: secret, valid_from: '2028-01-01T00:00:00Z' },
      ],
    ] as const
    for (const [path, item] of gone) {
      const made = await owner.create(path, item)
      expect((await owner.delete(`${path}/${made.id}`)).status).toBe(200)
    }
    await act(id, 'offboard')
    expect((await act(id, 'anonymise')).status).toBe(200)

    for (const table of ['keys', 'key_handovers', 'audit_log', 'idempotency_keys']) {
      const rows = await engine.reader.all(`select * from ${table}`, [])
      expect(rows.length, table).toBeGreaterThan(0)
      expect(JSON.stringify(rows), table).not.toContain(secret)
    }
    expect((await verifyAudit(engine, 1, houseTrust)).fault).toBeUndefined()
    // What happened stays, and so does what was recorded of others.
    const handovers = (await owner.get(`/api/v1/key-handovers?individual_id=eq.${id}&order=issued_at`)).body.data
    expect(handovers.map((row: { outcome: string }) => row.outcome)).toEqual(['lost', 'returned'])
    expect((await owner.get(`/api/v1/key-handovers?individual_id=eq.${report.id}`)).body.data[0].purpose).toBe('Theirs')
    expect((await owner.get(`/api/v1/keys/${passedOn.id}`)).body.data.status_note).toBe('Theirs too')
    expect((await audit(passedOn.id)).at(-1)).toMatchObject({
      action: 'key.returned',
      content: expect.stringContaining('Theirs too'),
    })
    expect((await audit(report.id))[0]?.content).toContain(id)
    const told = (await owner.get('/api/v1/changes?type=key.lost')).body.data
    expect(told).toMatchObject([{ resource: 'keys', resource_id: lost.id, data: null }])
  })

  it('of many remembered answers, those that tell of them go and the others stay', async () => {
    const person = await owner.create(PATH, { display_name: 'Remembered' })
    const [org] = await house.engine.reader.all<{ key: number }>(
      "select key from organizations where name = 'Test'",
      [],
    )
    await house.engine.transaction(async (session) => {
      for (let n = 0; n < 1201; n++)
        await session.run(
          `insert into idempotency_keys (org, principal_id, credential, key, fingerprint, held, status, body,
            created_at)
           values ($1, $2, 'token', $3, '', '', 200, $4, $5)`,
          [org?.key, randomUUID(), `many-${n}`, n % 3 === 0 ? `{"id":"${person.id}"}` : '{}', clock.now()],
        )
    })
    await owner.post(`${PATH}/${person.id}/offboard`)
    expect((await owner.post(`${PATH}/${person.id}/anonymise`)).status).toBe(200)
    const left = await house.engine.reader.all<{ body: string }>(
      "select body from idempotency_keys where key like 'many-%'",
      [],
    )
    expect(left.map(({ body }) => body)).toEqual(Array.from({ length: 800 }, () => '{}'))
  })

  it('anonymising erases nothing that only mentions the id: whoever plants it hides nothing', async () => {
    const dummy = await ada()
    const other = await ada()
    const { id } = dummy
    const location = await owner.create('/api/v1/locations', { name: `Planted ${id}`, external_id: id })
    const planted = [
      await owner.create('/api/v1/credentials', { type: 'card', number: '1815', label: id, individual_id: other.id }),
      await owner.create('/api/v1/access-grants', {
        individual_id: other.id,
        location_id: location.id,
        reason: `{"individual_id":"${id}"}`,
      }),
      await owner.create('/api/v1/credentials', { type: 'card', number: '1816', label: `","individual_id":"${id}` }),
      location,
    ]
    const contents = async () =>
      (await Promise.all(planted.map((item) => audit(item.id)))).flat().map((row) => row.content)
    const before = await contents()
    // One that was somebody else's before: what was recorded of it then stays.
    const passedOn = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '1817',
      individual_id: other.id,
    })
    await owner.patch(`/api/v1/credentials/${passedOn.id}`, { individual_id: id })
    await act(id, 'offboard')
    expect((await act(id, 'anonymise')).status).toBe(200)
    expect(await contents()).toEqual(before)
    expect((await audit(passedOn.id)).map((row) => row.content === null)).toEqual([false, true, true, false])
    expect((await audit(id))[0]?.content).toBeNull()
    expect((await verifyAudit(engine, 1, houseTrust)).fault).toBeUndefined()
  })

  it('anonymising erases who was searched for in what was exported since they were entered, and nothing else', async () => {
    const exported = async (query: string) => {
      clock.set(new Date(Date.parse(clock.now()) + 1000).toISOString())
      expect((await owner.get(`${query}&format=csv`)).status).toBe(200)
      const [row] = await engine.reader.all<{ sequence: number }>(
        `select max(sequence) as sequence from audit_log where action like '%.exported'`,
        [],
      )
      return row?.sequence ?? 0
    }
    const before = await exported(`${PATH}?search=quixote`)
    clock.set(new Date(Date.parse(clock.now()) + 1000).toISOString())
    const { id } = await owner.create(PATH, {
      given_name: 'Álonso',
      family_name: 'Quixote',
      email: 'alonso.q@mancha.example',
      personnel_number: 'csv',
    })
    const named = [
      await exported(`${PATH}?search=QUIXOTE`),
      await exported(`${PATH}?display_name=ilike.*alonso%20quixote*`),
      await exported(`${PATH}?email=eq.alonso.q@mancha.example&status=eq.active`),
      await exported(`${PATH}?or=(family_name.eq.Quixote,family_name.eq.Sancho)`),
      await exported('/api/v1/credentials?search=quixote%20alonso'),
    ]
    const others = [
      before,
      await exported(`${PATH}?search=sancho`),
      await exported(`${PATH}?search=alonso`),
      await exported(`${PATH}?status=eq.active&search=quixotesque`),
    ]
    await act(id, 'offboard')
    expect((await act(id, 'anonymise')).status).toBe(200)
    const gone = await engine.reader.all<{ sequence: number }>(
      `select sequence from audit_log where action like '%.exported' and content is null order by sequence`,
      [],
    )
    expect(gone.map(({ sequence }) => sequence)).toEqual(named)
    expect(gone.map(({ sequence }) => sequence)).not.toContain(others[0])
    expect((await verifyAudit(engine, 1, houseTrust)).fault).toBeUndefined()
  })

  it('anonymising erases nothing that names another, who had the plate before', async () => {
    const [{ id }, other] = [await ada(), await ada()]
    const plate = await owner.create('/api/v1/credentials', { type: 'plate', number: 'HANDED ON 3' })
    for (const individual_id of [other.id, null, id, null]) {
      clock.set(new Date(Date.parse(clock.now()) + 1000).toISOString())
      expect((await owner.patch(`/api/v1/credentials/${plate.id}`, { individual_id })).status).toBe(200)
    }
    await act(id, 'offboard')
    expect((await act(id, 'anonymise')).status).toBe(200)
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${plate.id}&order=sequence`)).body
    const named = data.map(({ before, after }: Record<string, { individual_id: string | null } | null>) =>
      [before, after].map((state) => state?.individual_id === other.id),
    )
    expect(named.slice(1, 3)).toEqual([
      [false, true],
      [true, false],
    ])
    expect(data.slice(3, 5)).toMatchObject([
      { before: null, after: null },
      { before: null, after: null },
    ])
  })

  it('anonymising erases the plate that was theirs last, though nobody has it any more, and none that another has', async () => {
    const [mine, shared] = ['INDELIBLE 1', 'SHARED 2']
    const [{ id }, other] = [await ada(), await ada()]
    const plate = async (number: string) => {
      const made = await owner.create('/api/v1/credentials', { type: 'plate', number, label: number })
      return `/api/v1/credentials/${made.id}`
    }
    const give = async (path: string, individual_id: string | null) => {
      clock.set(new Date(Date.parse(clock.now()) + 1000).toISOString())
      expect((await owner.patch(path, { individual_id })).status).toBe(200)
    }
    const [own, passedOn] = [await plate(mine), await plate(shared)]
    for (const path of [own, passedOn]) {
      await give(path, id)
      await give(path, null)
      await owner.patch(path, { valid_until: '2030-01-01T00:00:00.000Z' })
    }
    await give(passedOn, other.id)
    await give(passedOn, null)
    await act(id, 'offboard')
    expect((await act(id, 'anonymise')).status).toBe(200)
    expect((await owner.get(own)).body.data).toMatchObject({ number: null, label: null })
    expect((await owner.get(passedOn)).body.data).toMatchObject({ number: shared })
    for (const table of ['credentials', 'credentials_history', 'audit_log', 'idempotency_keys'])
      expect(JSON.stringify(await engine.reader.all(`select * from ${table}`, [])), table).not.toContain(mine)
    expect((await verifyAudit(engine, 1, houseTrust)).fault).toBeUndefined()
  })

  it('an anonymised person is neither changed nor brought back', async () => {
    const { id } = await ada()
    await act(id, 'offboard')
    await act(id, 'anonymise')
    expect((await owner.patch(`${PATH}/${id}`, { given_name: 'Ada' })).body.error).toMatchObject({
      code: 'INVALID_STATE',
      reason: 'individual.anonymised',
    })
    for (const verb of ['suspend', 'reactivate', 'offboard', 'anonymise'])
      expect((await act(id, verb)).status).toBe(409)
  })

  it.each(['suspend', 'reactivate', 'offboard', 'anonymise'])('%s keeps the rules of every route', async (verb) => {
    const { id } = await ada()
    const path = `${PATH}/${id}/${verb}`
    const location = await owner.create('/api/v1/locations', { name: `Elsewhere ${verb}` })
    const local = await house.member('Facility manager', { location_id: location.id })
    const reader = await memberWith(house, ['individuals:read'])
    expect((await house.anonymous.post(path)).status).toBe(401)
    expect((await reader.post(path)).status).toBe(403)
    expect((await local.post(path)).status).toBe(404)
    expect((await act(NOBODY, verb)).status).toBe(404)
    expect((await owner.post(path, { note: 'x' })).status).toBe(400)
    expect((await act(id, verb, { 'if-match': '"7"' })).status).toBe(412)
    expect((await owner.get(`${PATH}/${id}`)).body.data.version).toBe(1)
  })

  it('sent twice with one Idempotency-Key happen once and answer the same', async () => {
    const { id } = await ada()
    const first = await act(id, 'suspend', { 'idempotency-key': 'once' })
    const second = await act(id, 'suspend', { 'idempotency-key': 'once' })
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect((await owner.get(`${PATH}/${id}`)).body.data.version).toBe(2)
  })
})
