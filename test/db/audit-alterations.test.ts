import { hash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditTrust } from '../../src/audit/position.ts'
import { anchorStatement, checkpointStatement } from '../../src/audit/signing.ts'
import { type AuditVerdict, verifyAudit } from '../../src/audit/verify.ts'
import type { Session } from '../../src/db/engine.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, startHouse } from '../support/app.ts'
import { fixHead, recompute, type Signing, startSigning, strangersKey } from '../support/audit.ts'
import { Chance } from '../support/hostile.ts'

const house = await startHouse()
const { engine, clock } = house
const ALTERATIONS = engine.dialect.name === 'postgres' ? 300 : 1000
const DAYS = 30

let signing: Signing
let trust: AuditTrust
let org: number
let id: string
/** The sequences that are there, and of checkpoints. */
let entries: number[]
let signed: number[]

/**
 * A log with everything in it: a beginning that was removed, contents that were erased, several checkpoints, the last
 * at the head.
 */
beforeAll(async () => {
  signing = await startSigning(engine, clock, DAYS)
  const made = await createOrganization(engine, clock.now(), actor, 'Altered')
  org = made.key
  id = made.id
  const owner = await house.member('Owner', {}, 'Altered')
  const add = async (count: number) => {
    for (let i = 0; i < count; i++) await owner.create('/api/v1/locations', { name: `Location ${randomUUID()}` })
    await signing.sign()
  }
  await add(5)
  await add(5)
  clock.forward((DAYS + 1) * 86_400_000)
  await add(8)
  const { id: person } = await owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'Byron' })
  await owner.post(`/api/v1/individuals/${person}/offboard`)
  await owner.post(`/api/v1/individuals/${person}/anonymise`)
  await add(6)
  expect(await signing.prune()).toBeGreaterThan(5)
  await add(6)
  await add(3)
  const numbers = async (table: string) =>
    (
      await engine.reader.all<{ sequence: number }>(`select sequence from ${table} where org = $1 order by sequence`, [
        org,
      ])
    ).map(({ sequence }) => sequence)
  entries = await numbers('audit_log')
  signed = await numbers('audit_checkpoints')
  trust = await signing.trust(id)
})

class Undone extends Error {}

/** Alters by SQL, verifies what that left, and takes it back. */
async function altered(
  alter: (session: Session) => Promise<unknown>,
  believing: AuditTrust = trust,
): Promise<AuditVerdict> {
  let verdict: AuditVerdict | undefined
  const work = engine.transaction(async (session) => {
    await alter(session)
    verdict = await verifyAudit({ reader: session }, org, believing)
    throw new Undone()
  })
  await expect(work).rejects.toThrow(Undone)
  return verdict as AuditVerdict
}

type Row = Record<string, unknown>
const uuids = new Set(['id', 'resource_id', 'actor_id'])
const columns: Record<string, readonly string[]> = {
  audit_log: [
    ...[
      'org',
      'sequence',
      'id',
      'occurred_at',
      'action',
      'resource',
      'resource_id',
      'actor_kind',
      'actor_id',
      'actor_name',
    ],
    ...['address', 'req_id', 'salt', 'content', 'content_hash', 'hash'],
  ],
  audit_checkpoints: ['org', 'number', 'sequence', 'hash', 'signed_at', 'key_id', 'signature'],
  audit_anchors: ['org', 'sequence', 'hash', 'removed', 'checkpoint', 'signed_at', 'key_id', 'signature'],
  organizations: ['audit_sequence', 'audit_hash', 'audit_checkpoint'],
}
const nullable = new Set(['resource_id', 'actor_id', 'address', 'req_id', 'content'])

/** Another value that the column can hold. */
function otherValue(chance: Chance, column: string, now: unknown): unknown {
  // The organization that the house comes with.
  if (column === 'org') return 1
  if (now !== null && nullable.has(column) && chance.isOneIn(3)) return null
  if (uuids.has(column)) return randomUUID()
  if (column.endsWith('_at'))
    return new Date(Date.parse(now as string) + (chance.below(2) * 2 - 1) * (1 + chance.below(1e9))).toISOString()
  if (typeof now === 'number') return chance.isOneIn(2) ? now + 1000 + chance.below(1000) : -1 - chance.below(1000)
  const text = (now as string | null) ?? ''
  const at = chance.below(text.length + 1)
  return chance.pick([`${text.slice(0, at)}x${text.slice(at)}`, hash('sha256', `${text}${at}`), `${text} `])
}

async function changeColumn(session: Session, chance: Chance, table: string, sequence: number): Promise<string> {
  const key = table === 'organizations' ? 'key' : 'org'
  const only = table === 'audit_log' || table === 'audit_checkpoints' ? ` and sequence = ${sequence}` : ''
  const [row] = await session.all<Row>(`select * from ${table} where ${key} = $1${only}`, [org])
  const column = chance.pick(columns[table] as string[])
  const value = otherValue(chance, column, row?.[column])
  // An entry of that number may be there in the other organization.
  if (column === 'org') await session.run(`delete from ${table} where org = 1`, [])
  await session.run(`update ${table} set ${column} = $1 where ${key} = $2${only}`, [value, org])
  return `${table}.${column} of ${sequence}: ${row?.[column]} became ${value}`
}

async function swap(session: Session, a: number, b: number): Promise<void> {
  const move = (from: number, to: number) =>
    session.run('update audit_log set sequence = $1 where org = $2 and sequence = $3', [to, org, from])
  await move(a, -1)
  await move(b, a)
  await move(-1, b)
}

/** A row like another one, saying something else. */
const forge = (session: Session, like: number, sequence: number) =>
  session.run(
    `insert into audit_log (org, sequence, id, occurred_at, action, resource, resource_id, actor_kind, actor_id,
      actor_name, address, req_id, salt, content, content_hash, hash)
     select org, $3, $4, occurred_at, 'key.returned', resource, resource_id, actor_kind, actor_id, actor_name, address,
     req_id, salt, content, content_hash, hash
     from audit_log where org = $1 and sequence = $2`,
    [org, like, sequence, randomUUID()],
  )

const rewrite = (session: Session, sequence: number) =>
  session.run(`update audit_log set actor_name = 'Somebody else' where org = $1 and sequence = $2`, [org, sequence])
const cut = (session: Session, table: string, from: number) =>
  session.run(`delete from ${table} where org = $1 and sequence >= $2`, [org, from])

interface Alteration {
  name: string
  /** Gives the words for it, and the entry that must be named where that is certain. */
  make(session: Session, chance: Chance): Promise<{ what: string; first?: number }>
}

const last = () => entries.at(-1) as number

const alterations: Alteration[] = [
  {
    name: 'a column of an entry is changed',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      const what = await changeColumn(session, chance, 'audit_log', sequence)
      return { what, first: sequence }
    },
  },
  {
    name: 'a column of a checkpoint is changed',
    make: async (session, chance) => ({
      what: await changeColumn(session, chance, 'audit_checkpoints', chance.pick(signed)),
    }),
  },
  {
    name: 'the record of what was removed is changed',
    make: async (session, chance) => ({ what: await changeColumn(session, chance, 'audit_anchors', 0) }),
  },
  {
    name: 'the head is changed',
    make: async (session, chance) => ({ what: await changeColumn(session, chance, 'organizations', 0) }),
  },
  {
    name: 'an entry is deleted',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      await session.run('delete from audit_log where org = $1 and sequence = $2', [org, sequence])
      return { what: `${sequence}`, first: sequence }
    },
  },
  {
    name: 'an entry is deleted, and those after it move up in a chain made anew',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      await session.run('delete from audit_log where org = $1 and sequence = $2', [org, sequence])
      for (let next = sequence + 1; next <= last(); next++)
        await session.run('update audit_log set sequence = $1 where org = $2 and sequence = $3', [next - 1, org, next])
      await recompute(session, org, sequence)
      return { what: `${sequence}` }
    },
  },
  {
    name: 'the end is cut off',
    async make(session, chance) {
      const from = chance.pick(entries)
      await cut(session, 'audit_log', from)
      return { what: `from ${from}`, first: from }
    },
  },
  {
    name: 'the end is cut off with its checkpoints, and the head made to fit',
    async make(session, chance) {
      const from = chance.pick(entries.slice(1))
      await cut(session, 'audit_log', from)
      await cut(session, 'audit_checkpoints', from)
      await fixHead(session, org)
      return { what: `from ${from}` }
    },
  },
  {
    name: 'two entries change places',
    async make(session, chance) {
      const a = chance.pick(entries)
      const b = chance.pick(entries.filter((sequence) => sequence !== a))
      await swap(session, a, b)
      return { what: `${a} and ${b}`, first: Math.min(a, b) }
    },
  },
  {
    name: 'two entries change places in a chain made anew',
    async make(session, chance) {
      const a = chance.pick(entries)
      const b = chance.pick(entries.filter((sequence) => sequence !== a))
      await swap(session, a, b)
      await recompute(session, org, Math.min(a, b))
      return { what: `${a} and ${b}` }
    },
  },
  {
    name: 'an entry is put at an end',
    async make(session, chance) {
      const sequence = chance.pick([last() + 1, (entries[0] as number) - 1, 0, -1, last() + 1 + chance.below(100)])
      await forge(session, chance.pick(entries), sequence)
      return { what: `${sequence}` }
    },
  },
  {
    name: 'an entry is put between others, in a chain made anew',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      for (let next = last(); next >= sequence; next--)
        await session.run('update audit_log set sequence = $1 where org = $2 and sequence = $3', [next + 1, org, next])
      await forge(session, sequence + 1, sequence)
      await recompute(session, org, sequence)
      return { what: `${sequence}` }
    },
  },
  {
    name: 'an entry is changed in a chain made anew',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      await rewrite(session, sequence)
      await recompute(session, org, sequence)
      return { what: `${sequence}`, first: signed.find((checkpoint) => checkpoint >= sequence) as number }
    },
  },
  {
    name: 'an entry is changed in a chain made anew, and the checkpoints that know better are gone',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      await rewrite(session, sequence)
      await cut(session, 'audit_checkpoints', sequence)
      await recompute(session, org, sequence)
      return { what: `${sequence}` }
    },
  },
  {
    name: 'an entry is changed in a chain made anew, with checkpoints signed by somebody else',
    async make(session, chance) {
      const sequence = chance.pick(entries)
      await rewrite(session, sequence)
      await recompute(session, org, sequence)
      const rows = await session.all<{
        number: number
        sequence: number
        hash: string
        signed_at: string
        key_id: string
      }>(
        `select c.number, c.sequence, l.hash, c.signed_at, c.key_id from audit_checkpoints c
         join audit_log l on l.org = c.org and l.sequence = c.sequence where c.org = $1 and c.sequence >= $2`,
        [org, sequence],
      )
      const stranger = strangersKey()
      const keepsName = chance.isOneIn(2)
      for (const row of rows) {
        await session.run(
          'update audit_checkpoints set hash = $1, key_id = $2, signature = $3 where org = $4 and sequence = $5',
          [
            row.hash,
            keepsName ? row.key_id : stranger.keyId,
            stranger.sign(checkpointStatement(id, row, 2)),
            org,
            row.sequence,
          ],
        )
      }
      return { what: `${sequence}`, first: signed.find((checkpoint) => checkpoint >= sequence) as number }
    },
  },
  {
    name: 'a checkpoint is deleted',
    async make(session, chance) {
      const sequence = chance.pick(signed)
      await session.run('delete from audit_checkpoints where org = $1 and sequence = $2', [org, sequence])
      return { what: `${sequence}` }
    },
  },
  {
    name: 'the last checkpoints are deleted, and the head made to fit',
    async make(session, chance) {
      const from = chance.pick(signed)
      await cut(session, 'audit_checkpoints', from)
      await fixHead(session, org)
      return { what: `from ${from}` }
    },
  },
  {
    name: 'the oldest entries are removed, in the name of retention',
    async make(session, chance) {
      const sequence = chance.pick(signed)
      const [point] = await session.all<{ hash: string; number: number }>(
        'select hash, number from audit_checkpoints where org = $1 and sequence = $2',
        [org, sequence],
      )
      await session.run('delete from audit_log where org = $1 and sequence <= $2', [org, sequence])
      await session.run('delete from audit_checkpoints where org = $1 and sequence <= $2', [org, sequence])
      const anchor = {
        sequence,
        hash: point?.hash as string,
        removed: 1,
        checkpoint: point?.number as number,
        signed_at: clock.now(),
      }
      const stranger = strangersKey()
      await session.run(
        'update audit_anchors set sequence = $2, hash = $3, removed = $4, checkpoint = $5, signed_at = $6, signature ' +
          '= $7 where org = $1',
        [org, ...Object.values(anchor), stranger.sign(anchorStatement(id, anchor, 2))],
      )
      return { what: `up to ${sequence}` }
    },
  },
  {
    name: 'the record of what was removed is deleted',
    async make(session) {
      await session.run('delete from audit_anchors where org = $1', [org])
      return { what: 'the anchor', first: 1 }
    },
  },
  {
    name: 'a content is erased',
    async make(session, chance) {
      const rows = await session.all<{ sequence: number }>(
        'select sequence from audit_log where org = $1 and content is not null order by sequence',
        [org],
      )
      const { sequence } = chance.pick(rows)
      await session.run(`update audit_log set content = null, salt = '' where org = $1 and sequence = $2`, [
        org,
        sequence,
      ])
      return { what: `${sequence}`, first: sequence }
    },
  },
]

describe('an audit log with checkpoints', () => {
  it('that nobody altered is whole, what was erased and what was removed notwithstanding', async () => {
    const verdict = await altered(async () => undefined)
    expect(verdict).toEqual({
      rows: entries.length,
      signedUpTo: last(),
      erasures: [expect.objectContaining({ actor_name: expect.any(String) })],
    })
    expect(entries[0]).toBeGreaterThan(5)
    const erased = await engine.reader.all('select 1 as one from audit_log where org = $1 and content is null', [org])
    expect(erased.length).toBeGreaterThan(1)
    expect(signed.length).toBeGreaterThan(3)
  })

  it(`is found altered after each of ${ALTERATIONS} alterations by chance`, { timeout: 180_000 }, async () => {
    const chance = new Chance(20_270_716)
    const overlooked: string[] = []
    const misnamed: string[] = []
    for (let i = 0; i < ALTERATIONS; i++) {
      const alteration = alterations[i % alterations.length] as Alteration
      let made = { what: '' } as Awaited<ReturnType<Alteration['make']>>
      const { fault } = await altered(async (session) => {
        made = await alteration.make(session, chance)
      })
      if (!fault) overlooked.push(`${alteration.name}: ${made.what}`)
      else if (made.first !== undefined && fault.sequence !== made.first)
        misnamed.push(`${alteration.name}: ${made.what}: ${JSON.stringify(fault)}`)
    }
    expect({ overlooked, misnamed }).toEqual({ overlooked: [], misnamed: [] })
  })

  it('is not believed without the key that signed it', async () => {
    const verdict = await altered(async () => undefined, { keys: new Map() })
    expect(verdict.fault?.fault).toMatch(/was signed with the key [0-9a-f]{16}, which is not known here$/)
  })

  it('that was altered is not signed any further, nor is anything removed from it', async () => {
    const { key, id: other } = await createOrganization(engine, clock.now(), actor, 'Watched')
    const owner = await house.member('Owner', {}, 'Watched')
    await owner.create('/api/v1/locations', { name: 'One' })
    await signing.sign()
    await engine.transaction(async (session) => {
      await session.run(`update audit_log set actor_name = 'Somebody else' where org = $1 and sequence = 2`, [key])
      await recompute(session, key, 2)
      await session.run('delete from audit_checkpoints where org = $1', [key])
      await fixHead(session, key)
    })
    await owner.create('/api/v1/locations', { name: 'Two' })
    expect(await signing.sign()).toBe(0)
    clock.forward(2 * DAYS * 86_400_000)
    const before = signing.errors.length
    await signing.prune()
    const [count] = await engine.reader.all<{ n: number }>(
      'select count(*) as n from audit_checkpoints where org = $1',
      [key],
    )
    expect(count?.n).toBe(0)
    expect(signing.errors.slice(0, before).join()).toContain('Watched')
    expect((await signing.verify(key, other)).fault).toBeDefined()
  })

  it('whose newest entries, which no checkpoint covers yet, were altered or erased is found', async () => {
    const { key, id: other } = await createOrganization(engine, clock.now(), actor, 'Newest')
    const owner = await house.member('Owner', {}, 'Newest')
    await owner.create('/api/v1/locations', { name: 'One' })
    await signing.sign()
    for (const name of ['Two', 'Three']) await owner.create('/api/v1/locations', { name })
    expect((await signing.verify(key, other)).fault).toBeUndefined()
    const [head] = await engine.reader.all<{ n: number }>(
      'select audit_sequence as n from organizations where key = $1',
      [key],
    )
    const newest = head?.n as number
    const attack = async (alter: (session: Session) => Promise<unknown>) => {
      let verdict: AuditVerdict | undefined
      const believing = await signing.trust(other)
      const work = engine.transaction(async (session) => {
        await alter(session)
        await recompute(session, key, newest - 1)
        verdict = await verifyAudit({ reader: session }, key, believing)
        throw new Undone()
      })
      await expect(work).rejects.toThrow(Undone)
      return verdict?.fault
    }
    expect(
      await attack((session) =>
        session.run(`update audit_log set actor_name = 'Else' where org = $1 and sequence = $2`, [key, newest - 1]),
      ),
    ).toEqual({ sequence: newest, fault: 'it is the newest, and it has a signature that does not hold' })
    // An erasure as the service would record it, by somebody without the key.
    const erase = (columns: string) => async (session: Session) => {
      await session.run(`update audit_log set content = null, salt = '' where org = $1 and sequence = $2`, [
        key,
        newest - 2,
      ])
      const content = JSON.stringify({ before: null, after: { entries: [newest - 2] } })
      await session.run(
        `insert into audit_log (org, sequence, id, occurred_at, action, resource, actor_kind, actor_name, salt, content,
          content_hash, hash, key_id, signature)
         select org, sequence + 1, $3, occurred_at, 'audit_log.erased', 'audit-log', actor_kind, actor_name, '', $4, $5,
         '', ${columns}
         from audit_log where org = $1 and sequence = $2`,
        [key, newest, randomUUID(), content, hash('sha256', content)],
      )
    }
    expect(await attack(erase('null, null'))).toEqual({
      sequence: newest + 1,
      fault: 'it is the newest, and no key signed it',
    })
    expect(await attack(erase('key_id, signature'))).toEqual({
      sequence: newest + 1,
      fault: 'it is the newest, and it has a signature that does not hold',
    })
    // With an entry after it that the service signed: the erasure itself is what no key signed.
    await engine.transaction(async (session) => {
      await erase('null, null')(session)
      await recompute(session, key, newest - 1)
    })
    await owner.create('/api/v1/locations', { name: 'Four' })
    const verdict = await signing.verify(key, other)
    expect(verdict.fault).toEqual({ sequence: newest + 1, fault: 'it says what was erased, and no key signed it' })
    expect(verdict.erasures).toMatchObject([{ sequence: newest + 1, entries: [newest - 2] }])
    // Nor is it signed any further.
    expect(await signing.sign()).toBe(0)
  })

  it('of before entries were signed is covered by a checkpoint of the old kind, once', async () => {
    const { key, id: other } = await createOrganization(engine, clock.now(), actor, 'Earlier')
    const owner = await house.member('Owner', {}, 'Earlier')
    await engine.transaction((session) =>
      session.run('update audit_log set key_id = null, signature = null where org = $1', [key]),
    )
    await signing.sign()
    await owner.create('/api/v1/locations', { name: 'One' })
    await signing.sign()
    expect((await signing.trust(other)).witness).toMatchObject({ number: 2, format: 2 })
    await engine.transaction((session) =>
      session.run('update audit_log set signature = null where org = $1 and sequence <= 4', [key]),
    )
    expect((await signing.verify(key, other)).fault).toBeUndefined()
  })
})
