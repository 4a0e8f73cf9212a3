import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { Kept } from '../../db/kept/kept.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { resourcesOf } from '../../db/resources.ts'
import { actionName, findRow } from '../../db/rows.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { tables } from '../../db/tables.ts'

const actor: Actor = { kind: 'system', id: null, name: 'Clock', address: null, reqId: null }
/** Items per transaction: nobody waits long for the writer. */
const BATCH = 100
/** Comes after the name of every item. */
const WHOLE_MOMENT = '~'

interface Told {
  at: string
  item: string
}

/** A moment of an item that the clock has passed; `name` is `table.column`. */
interface Passed {
  name: string
  id: string
  at: string
}

/** Moments after the last one told of, whether they have come or not. */
const pending = (table: string, column: string, isOver: string | undefined, { at, item }: Told): Sql =>
  sql`${raw(`from ${table} t where t.org = :org and t.${column}`)} >= ${at}
    and (${raw(`t.${column}`)} > ${at}
    or ${raw(`'${table}.${column} ' || cast(t.id as text)`)} > ${item})${raw(isOver ? ` and not (${isOver})` : '')}`

const eachWindow = (make: (table: string, column: string, isOver: string | undefined) => Sql): Sql =>
  join(
    Object.entries(tables).flatMap(([table, { windows = {}, isOver }]) =>
      Object.keys(windows).map((column) => make(table, column, isOver)),
    ),
    ' union all ',
  )

async function toldBy(handle: OrgHandle): Promise<Told> {
  const row = await handle.one<{ at: string; item: string }>(
    sql`select coalesce(clock_told_at, created_at) as at, clock_told_item as item from organizations where key = :org`,
  )
  if (!row) throw new Error('the organization is gone')
  return row
}

/** Kept while nothing is written that could move it: looking every second costs nothing. */
const nexts = perEngine((engine) => new Kept<{ at: string | null }>(engine, { name: 'clock', max: 1000 }))

async function nextOf(handle: OrgHandle): Promise<{ at: string | null }> {
  const told = await toldBy(handle)
  const moments = eachWindow(
    (table, column, isOver) => sql`select min(${raw(`t.${column}`)}) as at ${pending(table, column, isOver, told)}`,
  )
  return (await handle.one<{ at: string | null }>(sql`select min(m.at) as at from (${moments}) m`)) ?? { at: null }
}

/**
 * Records what the clock alone has changed since it was last looked at: what has begun, ended, expired. Each moment
 * once, whichever process finds it: how far it was told is written in the same change. Gives how many.
 */
export async function recordClockChanges(engine: Engine, now: string): Promise<number> {
  let total = 0
  for (const { org } of await engine.reader.all<{ org: number }>(
    `select key as org from organizations where status = 'active'`,
    [],
  )) {
    const handle = new OrgHandle(engine, org, now)
    const { at } = await nexts(engine).get(handle, String(org), nextOf)
    if (at === null || at > now) continue
    for (let given = BATCH; given === BATCH; total += given) given = await change(engine, org, now, actor, recordBatch)
  }
  return total
}

/** Looks once more inside the transaction: of two processes, one finds it done. */
async function recordBatch(tx: Tx): Promise<number> {
  const told = await toldBy(tx)
  const passed = await tx.all<Passed>(
    sql`select p.name, p.id, p.at from (${eachWindow(
      (table, column, isOver) =>
        sql`select ${raw(`'${table}.${column}' as name, t.id,
          t.${column} as at`)} ${pending(table, column, isOver, told)}
          and ${raw(`t.${column}`)} <= ${tx.now}`,
    )}) p order by p.at, p.name, p.id limit ${BATCH}`,
  )
  for (const moment of passed) await record(tx, moment)
  const last = passed.at(-1)
  if (last) {
    const { at, item } =
      passed.length < BATCH ? { at: tx.now, item: WHOLE_MOMENT } : { at: last.at, item: `${last.name} ${last.id}` }
    await tx.run(sql`update organizations set clock_told_at = ${at}, clock_told_item = ${item} where key = :org`)
  }
  return passed.length
}

/** The item as it was a moment before, and as it is: what is derived from the clock differs. */
async function record(tx: Tx, { name, id, at }: Passed): Promise<void> {
  const [table = '', column = ''] = name.split('.')
  const resource = resourcesOf(tx.engine).of(table)
  const verb = tables[table]?.windows?.[column]
  if (!resource || !verb) throw new Error(`nobody says what happens with ${name}`)
  const before = await findRow(tx.at(new Date(Date.parse(at) - 1).toISOString()), resource, id, 'all')
  await resource.onMoment?.(tx, id, at)
  const after = await findRow(tx, resource, id, 'all')
  tx.record({ action: actionName(resource, verb), resource: resource.noun, resourceId: id, before, after })
}
