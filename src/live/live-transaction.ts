import type { Engine } from '../db/engine.ts'
import { insertMany } from '../db/insert-many.ts'
import { boundReading, writingOf } from '../db/kept/statement.ts'
import { type Change, movedBy } from '../db/kept/versions.ts'
import { OrgHandle } from '../db/org.ts'
import { bindNames, render, type Sql, sql } from '../db/sql.ts'
import { tables } from '../db/tables.ts'

/**
 * A transaction on what is live of an organization: what happens at its doors. It waits for no change of the register
 * and holds none up, and it writes nothing that is audited. What it moves is numbered by itself, so that no answer is
 * dropped that does not show it.
 */
export class LiveTx extends OrgHandle {
  /** The last sequence of an event that was given, and the one before it all. */
  sequence = 0
  private first = 0
  private readonly moved = new Set<string>()

  /** Writers take turns by the organization's live head, those of other processes too. */
  async hold(): Promise<void> {
    const head = await this.one<{ sequence: number }>(sql`
      insert into live_heads (org, sequence, stored, gone_through) values (:org, 0, 0, 0)
      on conflict (org) do update set sequence = live_heads.sequence returning live_heads.sequence`)
    this.first = head?.sequence ?? 0
    this.sequence = this.first
  }

  /** `moved`: what others may have read otherwise, as `table.column`, where it is less than the statement says. */
  async run(statement: Sql, moved?: readonly string[]): Promise<number> {
    const { text, values } = this.writing(statement, moved)
    return this.session.run(text, values)
  }

  /** The same for who need not wait for it: that it failed is told by the next statement or the commit. */
  async send(statement: Sql, moved?: readonly string[]): Promise<void> {
    const { text, values } = this.writing(statement, moved)
    await this.session.send(text, values)
  }

  /** The same, with what the statement gives of the rows that it has written. */
  async returning<Row>(statement: Sql, moved?: readonly string[]): Promise<Row[]> {
    const { text, values } = this.writing(statement, moved)
    return this.session.all<Row>(text, values)
  }

  private writing(statement: Sql, moved: readonly string[] | undefined) {
    const { text, values } = render(statement)
    boundReading(text)
    const writing = writingOf(text)
    const { isLive, isVersioned } = tables[writing?.table ?? ''] ?? {}
    if (!isLive) throw new Error(`not live, to be written in change(): ${text}`)
    if (isVersioned) this.move(moved ?? movedBy(writing))
    return bindNames(text, values, this.org, this.instant)
  }

  /** Bookkeeping that is no part of what is live (idempotency keys): moves no version. */
  async aside(statement: Sql): Promise<void> {
    const { text, values } = render(statement)
    boundReading(text)
    const bound = bindNames(text, values, this.org, this.instant)
    await this.session.run(bound.text, bound.values)
  }

  /** What others may have read otherwise, where only what was written tells. */
  move(names: Iterable<string>): void {
    for (const name of names) this.moved.add(name)
  }

  /** Rows with the same columns, in few statements. */
  async insertMany(table: string, rows: readonly object[]): Promise<void> {
    if (!tables[table]?.isLive) throw new Error(`${table} is not live: write it in change()`)
    const [first] = rows
    if (!first) return
    const columns = Object.keys(first)
    const values = rows.map((row) => [this.org, ...columns.map((column) => (row as Record<string, unknown>)[column])])
    const run = (text: string, bound: unknown[]) => this.session.run(text, bound)
    await insertMany(run, `insert into ${table} (org, ${columns.join(', ')})`, values)
  }

  /** Notes how far the events reach by now, and what was moved. */
  async seal(): Promise<Change | undefined> {
    const stored = this.sequence - this.first
    if (this.moved.size === 0 && stored === 0) return undefined
    const moved = [...this.moved]
    const [head] = await this.session.all<{ version: number }>(
      'update live_heads set sequence = sequence + $2, stored = stored + $2, version = version + $3 where org = $1 ' +
        'returning version',
      [this.org, stored, moved.length > 0 ? 1 : 0],
    )
    if (moved.length === 0) return undefined
    const data = head?.version ?? 0
    await this.session.send(
      `insert into live_versions (org, name, version)
        values ${moved.map((_, index) => `($1, $${index + 3}, $2)`).join(', ')}
       on conflict (org, name) do update set version = excluded.version`,
      [this.org, data, ...moved],
    )
    const change: Change = { data, moved, isLive: true }
    await this.engine.announce(this.session, this.org, change)
    return change
  }
}

export async function changeLive<T>(
  engine: Engine,
  org: number,
  now: string,
  work: (tx: LiveTx) => Promise<T>,
): Promise<T> {
  const { result, sealed } = await engine.transaction(async (session) => {
    const tx = new LiveTx(engine, org, now, session)
    await tx.hold()
    const result = await work(tx)
    return { result, sealed: await tx.seal() }
  })
  if (sealed) engine.committed(org, sealed)
  return result
}
