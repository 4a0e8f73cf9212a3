import { terminating } from '../core/cards/credential-state.ts'
import { AS_TYPED, matchKeyOf, type Numbered } from '../core/cards/match-key.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sql } from '../db/sql.ts'

const actor: Actor = { kind: 'system', id: null, name: 'New version', address: null, reqId: null }
/** Rows per transaction: nobody waits long for the writer. */
const BATCH = 500

interface Typed extends Numbered {
  id: string
  created_at: string
  status_reason: string
}

/**
 * At the start: numbers that an earlier version stored as typed get their canonical form, the oldest first. Where one
 * in use has it already, a number stays known by its text, as before. A second time it finds those alone, and changes
 * nothing. Gives how many it changed.
 */
export async function giveCanonicalNumbers(engine: Engine, now: string): Promise<number> {
  let total = 0
  for (const { org } of await engine.reader.all<{ org: number }>('select key as org from organizations', [])) {
    if (!(await hasTyped(engine, org))) continue
    let after: { created_at: string; id: string } | undefined
    do {
      const from = after
      const done: { last: Typed | undefined; changed: number } = await change(engine, org, now, actor, (tx) =>
        giveBatch(tx, from),
      )
      after = done.last
      total += done.changed
    } while (after)
  }
  return total
}

/** Read from the index of those alone, so that at the start of a large organization nothing else is read. */
async function hasTyped(engine: Engine, org: number): Promise<boolean> {
  const text = `select id from credentials where org = $1 and match_key like '=%' order by created_at, id limit 1`
  return (await engine.reader.all(text, [org], undefined, 1)).length > 0
}

async function giveBatch(
  tx: Tx,
  after: { created_at: string; id: string } | undefined,
): Promise<{ last: Typed | undefined; changed: number }> {
  const beyond = after ? sql`(t.created_at, t.id) > (${after.created_at}, ${after.id})` : sql`true`
  const rows = await tx.all<Typed>(sql`
    select t.id, t.created_at, t.type, t.facility_code, t.number, t.format, t.status_reason from credentials t
    where t.org = :org and t.match_key like ${`${AS_TYPED}%`} and ${beyond} order by t.created_at, t.id limit ${BATCH}`)
  const keys = new Map(rows.map((row) => [row.id, matchKeyOf(row)]))
  const taken = await inUse(tx, new Set([...keys.values()].filter((key) => key !== null)))
  const given: Array<{ id: string; match_key: string }> = []
  for (const row of rows) {
    const key = keys.get(row.id)
    const isOver = terminating.some((one) => one === row.status_reason)
    if (!key || (!isOver && taken.has(key))) continue
    if (!isOver) taken.add(key)
    await tx.run(sql`update credentials as t set match_key = ${key} where t.org = :org and t.id = ${row.id}`)
    given.push({ id: row.id, match_key: key })
  }
  if (given.length > 0)
    tx.record({
      action: 'organization.numbers_canonical',
      resource: 'organizations',
      resourceId: null,
      before: null,
      after: { credentials: given },
    })
  return { last: rows.length === BATCH ? rows.at(-1) : undefined, changed: given.length }
}

async function inUse(tx: Tx, keys: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await tx.all<{ match_key: string }>(sql`
    select t.match_key from credentials t where t.org = :org and ${tx.dialect.inList('t.match_key', keys, 'text')}
      and not ${tx.dialect.inList('t.status_reason', terminating, 'text')}`)
  return new Set(rows.map((row) => row.match_key))
}
