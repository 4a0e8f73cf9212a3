import type { Engine } from '../../db/engine.ts'

/** Rows per transaction: a few milliseconds' work, so that neither the event loop nor other writers wait for long. */
const SLICE = 500

/** Which rows have had their time: those of a table for which a condition on `$1` holds. */
type Old = [table: string, condition: string, before: string]

/** Removes what is older than a time, a slice at a time. Gives how many rows went. */
export async function removeBefore(engine: Engine, ...all: readonly Old[]): Promise<number> {
  // Where a row lies: it is deleted in the transaction that looked, so it is still there.
  const at = engine.dialect.name === 'sqlite' ? 'rowid' : 'ctid'
  let removed = 0
  for (const [table, condition, before] of all) {
    const statement = `delete from ${table} where ${at} in (select ${at} from ${table} where ${condition}
      limit ${SLICE})`
    for (let rows = SLICE; rows === SLICE; removed += rows)
      rows = await engine.transaction((session) => session.run(statement, [before]), { isUnhurried: true })
  }
  return removed
}
