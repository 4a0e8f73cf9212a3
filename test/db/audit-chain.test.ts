import { beforeEach, describe, expect, it } from 'vitest'
import { eraseHistory } from '../../src/audit/erase.ts'
import { verifyAudit } from '../../src/audit/verify.ts'
import { appendAudit, storeAudit } from '../../src/db/audit.ts'
import { change } from '../../src/db/change.ts'
import type { Session } from '../../src/db/engine.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { individuals } from '../../src/resources/individuals/schema.ts'
import { actor, type Client, startHouse } from '../support/app.ts'
import { houseTrust } from '../support/audit-key.ts'

const house = await startHouse()
const { engine, clock } = house
const ROWS = 12

/** A chain of its own for each test. */
let org: number
let owner: Client
let count = 0
beforeEach(async () => {
  const name = `Organization ${++count}`
  org = (await createOrganization(engine, clock.now(), actor, name)).key
  owner = await house.member('Owner', {}, name)
  const [{ rows } = { rows: 0 }] = await engine.reader.all<{ rows: number }>(
    'select count(*) as rows from audit_log where org = $1',
    [org],
  )
  for (let i = rows; i < ROWS; i++) await owner.create('/api/v1/locations', { name: `Location ${i}` })
})

const tamper = (text: string, values: unknown[]) => engine.transaction((session) => session.run(text, values))

it('entries of a change of very many are made in turns with others', async () => {
  const record = {
    action: 'location.created',
    resource: 'locations',
    resourceId: null,
    before: null,
    after: { name: 'x'.repeat(500) },
  } as const
  // Nothing is stored: what is looked at is how often others have a turn meanwhile.
  const session = { run: async () => 0 } as unknown as Session
  const head = { key: org, id: 'x', sequence: 0, hash: '' }
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const { last, entries } = await appendAudit({ head, now: clock.now(), actor }, Array(5_000).fill(record))
  const before = turns
  await storeAudit(engine, session, head, entries)
  clearImmediate(timer)
  expect(last.sequence).toBe(5_000)
  expect(before).toBeGreaterThan(1)
  expect(turns).toBeGreaterThan(before)
})

describe('the audit log', () => {
  it('that nobody touched is whole', async () => {
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({ rows: ROWS })
  })

  it('of one organization says nothing of another’s', async () => {
    const other = (await createOrganization(engine, clock.now(), actor, `Other ${count}`)).key
    await tamper('update audit_log set content = $1 where org = $2', ['{}', other])
    expect((await verifyAudit(engine, other, houseTrust)).fault?.sequence).toBe(1)
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({ rows: ROWS })
  })

  it.each(['action', 'resource', 'actor_kind', 'actor_name', 'address', 'req_id'])(
    'with another %s is found, the first such row named',
    async (column) => {
      await tamper(`update audit_log set ${column} = $1 where org = $2 and sequence in (7, 9)`, ['altered', org])
      expect(await verifyAudit(engine, org, houseTrust)).toEqual({
        rows: 6,
        fault: { sequence: 7, fault: 'the row or its place in the chain was altered' },
      })
    },
  )

  it.each(['id', 'resource_id', 'actor_id'])('with another %s is found, the first such row named', async (column) => {
    await tamper(`update audit_log set ${column} = $1 where org = $2 and sequence = 7`, [
      '01997d2a-4c00-7000-8000-000000000001',
      org,
    ])
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(7)
  })

  it('with another moment is found', async () => {
    await tamper('update audit_log set occurred_at = $1 where org = $2 and sequence = 3', [
      '2020-01-01T00:00:00.000Z',
      org,
    ])
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(3)
  })

  it('with another content is found', async () => {
    await tamper('update audit_log set content = $1 where org = $2 and sequence = 5', [
      '{"before":null,"after":null}',
      org,
    ])
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({
      rows: 4,
      fault: { sequence: 5, fault: 'its content was altered' },
    })
  })

  it('with another content and a hash to match it is found', async () => {
    await tamper('update audit_log set content = $1, salt = $1, content_hash = $2 where org = $3 and sequence = 5', [
      'x',
      // SHA-256 of "xx".
      '5dde896887f6754c9b15bfe3a441ae4806df2fde94001311e08bf110622e0bbe',
      org,
    ])
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({
      rows: 4,
      fault: { sequence: 5, fault: 'the row or its place in the chain was altered' },
    })
  })

  it.each([1, 6])('without row %i is found', async (sequence) => {
    await tamper('delete from audit_log where org = $1 and sequence = $2', [org, sequence])
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({
      rows: sequence - 1,
      fault: { sequence, fault: 'the row is missing' },
    })
  })

  it('with a row cut out and the rest moved up is found', async () => {
    await tamper('delete from audit_log where org = $1 and sequence = 6', [org])
    for (let sequence = 7; sequence <= ROWS; sequence++)
      await tamper('update audit_log set sequence = $1 where org = $2 and sequence = $3', [sequence - 1, org, sequence])
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(6)
  })

  it('cut at its end is found', async () => {
    await tamper('delete from audit_log where org = $1 and sequence > 8', [org])
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({
      rows: 8,
      fault: { sequence: 9, fault: 'the row is missing' },
    })
  })

  it('emptied is found', async () => {
    await tamper('delete from audit_log where org = $1', [org])
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({
      rows: 0,
      fault: { sequence: 1, fault: 'the row is missing' },
    })
  })

  it('with two rows in each other’s place is found', async () => {
    await tamper('update audit_log set sequence = 1000 where org = $1 and sequence = 4', [org])
    await tamper('update audit_log set sequence = 4 where org = $1 and sequence = 5', [org])
    await tamper('update audit_log set sequence = 5 where org = $1 and sequence = 1000', [org])
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(4)
  })

  it('with a row added at its end is found', async () => {
    await tamper(
      `insert into audit_log (org, sequence, id, occurred_at, action, resource, actor_kind, actor_name, salt,
        content_hash, hash)
       select org, sequence + 1, $1, occurred_at, action, resource, actor_kind, actor_name, salt, content_hash, hash
       from audit_log where org = $2 and sequence = $3`,
      ['01997d2a-4c00-7000-8000-000000000001', org, ROWS],
    )
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(ROWS + 1)
  })

  it('whose last row was written anew, hash and all, is found', async () => {
    await tamper('update audit_log set hash = $1 where org = $2 and sequence = $3', ['0'.repeat(64), org, ROWS])
    expect((await verifyAudit(engine, org, houseTrust)).fault?.sequence).toBe(ROWS)
  })

  it('whose contents were erased, as anonymising does, is still whole', async () => {
    const { id } = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
    await change(engine, org, clock.now(), actor, (tx) =>
      eraseHistory(tx, { individualId: id, individuals, belongings: [], searched: { since: '', by: {} } }),
    )
    const [row] = await engine.reader.all('select content, salt from audit_log where org = $1 and sequence = $2', [
      org,
      ROWS + 1,
    ])
    expect(row).toEqual({ content: null, salt: '' })
    const erasure = { sequence: ROWS + 2, occurred_at: clock.now(), actor_name: 'test', entries: [ROWS + 1] }
    expect(await verifyAudit(engine, org, houseTrust)).toEqual({ rows: ROWS + 2, erasures: [erasure] })
    // Nobody signed it whose key is known here.
    expect((await verifyAudit(engine, org)).fault).toMatchObject({ sequence: ROWS + 2 })
  })

  it('whose contents somebody else erased is found', async () => {
    await tamper(`update audit_log set content = null, salt = '' where org = $1 and sequence in (5, 7)`, [org])
    expect((await verifyAudit(engine, org, houseTrust)).fault).toEqual({
      sequence: 5,
      fault: 'its content was removed, and no entry says so',
    })
  })
})
