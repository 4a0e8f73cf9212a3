import type { Engine, Session } from '../db/engine.ts'
import { insertMany } from '../db/insert-many.ts'
import { OrgHandle } from '../db/org.ts'
import { bindNames, render, type Sql } from '../db/sql.ts'
import { boundReading, writingOf } from '../db/statement.ts'
import { tables } from '../db/tables.ts'

/**
 * A transaction on what is live of an organization: what happens at its doors. It waits for no change of the organization and holds
 * none up, and it writes nothing that is audited.
 */
export class LiveTx extends OrgHandle {
  async run(statement: Sql): Promise<number> {
    const { text, values } = render(statement)
    boundReading(text)
    const table = writingOf(text)?.table ?? ''
    if (!tables[table]?.isLive) throw new Error(`${table || 'this'} is not live: write it in change()`)
    const bound = bindNames(text, values, this.org, this.instant)
    return this.session.run(bound.text, bound.values)
  }

  /** Rows with the same columns, in few statements. */
  async insertMany(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (!tables[table]?.isLive) throw new Error(`${table} is not live: write it in change()`)
    const [first] = rows
    if (!first) return
    const columns = Object.keys(first)
    const values = rows.map((row) => [this.org, ...columns.map((column) => row[column])])
    await insertMany(this.session, `insert into ${table} (org, ${columns.join(', ')})`, values)
  }
}

/** Writers of one organization take turns by its head, those of other processes too (SQLite has one writer anyway). */
export async function changeLive<T>(engine: Engine, org: number, now: string, work: (tx: LiveTx) => Promise<T>): Promise<T> {
  return engine.transaction((session: Session) => work(new LiveTx(engine, org, now, session)))
}
