import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { actor, startHouse } from '../../test/support/app.ts'
import { change } from '../db/change.ts'
import { giveCanonicalNumbers } from './canonical-numbers.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/credentials'

/** A row as the version before wrote it, with what the migration made of it. */
async function before(number: string | null, more: object = {}): Promise<string> {
  const { id } = await owner.create(PATH, { type: 'card', ...more })
  await change(engine, 1, clock.now(), actor, async (tx) => {
    await tx.update('credentials', id, { number, match_key: number === null ? null : `=card:${number}:` })
    tx.record({ action: 'test.updated', resource: 'credentials', resourceId: id, before: null, after: null })
  })
  clock.forward(1000)
  return id
}
const keyOf = async (id: string) => (await owner.get(`${PATH}/${id}`)).body.data.match_key

it('numbers of before get their canonical form, the oldest first, and no conflict stops anything', async () => {
  const lost = await before('00123', { status_reason: 'lost' })
  const first = await before('0123')
  const second = await before('123')
  const third = await before('00123')
  const alone = await before('108,04711')
  const none = await before(null)
  const today = await owner.create(PATH, { type: 'card', number: '777' })
  const clash = await before('0777')
  const audited = () => engine.reader.all(`select 1 from audit_log where action = 'organization.numbers_canonical'`, [])

  expect(await giveCanonicalNumbers(engine, clock.now())).toBe(3)
  expect(await Promise.all([lost, first, second, third, alone, none, today.id, clash].map(keyOf))).toEqual([
    'card:123:',
    'card:123:',
    '=card:123:',
    '=card:00123:',
    'card:4711:108',
    null,
    'card:777:',
    '=card:0777:',
  ])
  expect(await audited()).toHaveLength(1)

  // A second start finds the same conflicts and leaves them.
  expect(await giveCanonicalNumbers(engine, clock.now())).toBe(0)
  expect(await audited()).toHaveLength(1)

  // What is not touched stays as it is; whoever changes the number meets the rule of today.
  expect((await owner.patch(`${PATH}/${second}`, { label: 'Old' })).body.data.match_key).toBe('=card:123:')
  expect((await owner.patch(`${PATH}/${second}`, { number: '000123' })).status).toBe(409)
  await owner.patch(`${PATH}/${first}`, { status_reason: 'returned' })
  expect(await giveCanonicalNumbers(engine, clock.now())).toBe(1)
  expect(await keyOf(second)).toBe('card:123:')
})

it('many are done in slices, and two processes do each once', async () => {
  await change(engine, 1, clock.now(), actor, async (tx) => {
    for (let n = 0; n < 1200; n++) {
      const id = `01997d2a-4c00-7000-8000-${String(n).padStart(12, '0')}`
      const row = {
        id,
        created_at: clock.now(),
        updated_at: clock.now(),
        version: 1,
        type: 'card',
        status_reason: 'none',
      }
      await tx.insert('credentials', { ...row, number: `0${n + 5000}`, match_key: `=card:0${n + 5000}:` })
    }
    tx.record({ action: 'test.updated', resource: 'credentials', resourceId: null, before: null, after: null })
  })
  const other = (await house.neighbour()).house.engine
  const done = await Promise.all([giveCanonicalNumbers(engine, clock.now()), giveCanonicalNumbers(other, clock.now())])
  expect(done[0] + done[1]).toBe(1200)
  const [row] = await engine.reader.all<{ n: number }>(
    `select count(*) as n from credentials where match_key like 'card:5%' or match_key like 'card:6%'`,
    [],
  )
  expect(row?.n).toBe(1200)
})

it('the migration takes rows of before as they are, however alike their numbers, and leaves them found', async () => {
  const { engine: old } = (await startHouse()).app.house
  const text = readFileSync(new URL('../db/migrations/0042-card-numbers.sql', import.meta.url), 'utf8')
  const numbers = ['123', '0123', '00123', 'a:b', 'a%3Ab', '']
  const row = (
    n: number,
  ) => `(1, '01997d2a-4c00-7000-8000-00000000000${n}', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1,
    'card', '${numbers[n]}', ${n === 3 ? "'c'" : 'null'}, 'none')`
  await old.transaction(async (session) => {
    for (const name of ['by_match_key', 'by_any_match_key', 'as_typed', 'by_pin'])
      await session.script(`drop index credentials_${name}`)
    for (const name of ['match_key', 'pin_key']) await session.script(`alter table credentials drop column ${name}`)
    await session.script(`create unique index credentials_by_number on credentials (org, type, coalesce(facility_code,
      ''), number)
      where number is not null and status_reason not in ('lost', 'stolen', 'damaged', 'returned', 'revoked')`)
    await session.script(`insert into credentials (org, id, created_at, updated_at, version, type, number,
      facility_code, status_reason)
      values ${numbers.map((_, n) => row(n)).join(', ')}`)
    await session.script(text.replaceAll('{{text}}', old.dialect.name === 'postgres' ? 'text collate "C"' : 'text'))
  })
  const keys = async () =>
    (await old.reader.all<{ match_key: string }>('select match_key from credentials order by id', [])).map(
      (found) => found.match_key,
    )
  expect(await keys()).toEqual([
    '=card:123:',
    '=card:0123:',
    '=card:00123:',
    '=card:a%3Ab:c',
    '=card:a%253Ab:',
    '=card::',
  ])
  expect(await giveCanonicalNumbers(old, clock.now())).toBe(4)
  expect(await keys()).toEqual(['card:123:', '=card:0123:', '=card:00123:', 'card:A%3AB:C', 'card:A%253AB:', 'card::'])
})
