import type { Dialect, Engine, Extent, Session } from './engine.ts'
import { Reads } from './kept/reads.ts'
import { boundReading, rowReadingOf } from './kept/statement.ts'
import type { OrgVersions } from './kept/versions.ts'
import { bindNames, render, type Sql } from './sql.ts'

/** What says that nobody waits any more; as a function, it is made when something may take time. */
type Stop = AbortSignal | (() => AbortSignal)

/**
 * The only way to the tables of an organization. A statement that names a tenant table without binding its organization
 * (`alias.org = :org`, or `org` among the inserted columns) is refused before it reaches the engine, and `:org` is
 * bound here.
 */
export class OrgHandle {
  readonly org: number
  readonly engine: Engine
  /** The time it is here. Whoever looks at it by this name says that the answer does not depend on it. */
  readonly instant: string
  /** All that was read through it. */
  readonly reads: Reads
  protected readonly session: Session
  private readonly stop: Stop | undefined

  constructor(
    engine: Engine,
    org: number,
    now: string,
    session: Session = engine.reader,
    stop?: Stop,
    reads = new Reads(),
  ) {
    this.engine = engine
    this.org = org
    this.instant = now
    this.session = session
    this.stop = stop
    this.reads = reads
  }

  get signal(): AbortSignal | undefined {
    return typeof this.stop === 'function' ? this.stop() : this.stop
  }

  get now(): string {
    this.reads.noteClock()
    return this.instant
  }

  get dialect(): Dialect {
    return this.engine.dialect
  }

  /** Whether it sees what is not committed yet: nothing worked out from that may be kept for others. */
  get isTransaction(): boolean {
    return this.session !== this.engine.reader && this.session !== this.engine.unhurried
  }

  /**
   * The same for something that is made for itself: what it reads is noted there, and it ends when the signal says so.
   */
  recording(reads: Reads, signal?: AbortSignal): OrgHandle {
    return this.isTransaction ? this : new OrgHandle(this.engine, this.org, this.instant, this.session, signal, reads)
  }

  /** The same organization under another clock. */
  at(now: string): OrgHandle {
    return now === this.now ? this : new OrgHandle(this.engine, this.org, now, this.session, this.stop, this.reads)
  }

  versions(): OrgVersions | Promise<OrgVersions> {
    return this.engine.versions(this.org)
  }

  /** The same, where whatever is committed by now must be among it. */
  latest(): OrgVersions | Promise<OrgVersions> {
    return this.engine.latest(this.org)
  }

  /** What is committed, as this handle sees it; undefined where nobody can say what that is. */
  committed(): OrgVersions | undefined | Promise<OrgVersions | undefined> {
    return this.isTransaction ? undefined : this.versions()
  }

  /** Whether it has changed something of that itself, and nobody else sees it yet. */
  hasWritten(_reads: Reads): boolean {
    return false
  }

  all<Row>(statement: Sql, extent?: Extent): Promise<Row[]> {
    const { text, values } = render(statement)
    return this.query<Row>(text, values, extent)
  }

  async one<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0]
  }

  /** For text compiled once and kept; carries `:org`, and `:now` where the clock matters. */
  query<Row>(text: string, values: unknown[], extent?: Extent): Promise<Row[]> {
    this.reads.note(boundReading(text), values)
    const bound = bindNames(text, values, this.org, this.instant)
    return this.session.all<Row>(bound.text, bound.values, this.signal, extent)
  }

  /**
   * The same, of rows of a table by their ids, which are among the values: what is written of other rows does not
   * concern it.
   */
  queryRows<Row>(text: string, values: unknown[], table: string, ids: readonly string[]): Promise<Row[]> {
    const reading = rowReadingOf(text, table)
    if (reading) this.reads.noteRows(reading, ids)
    else this.reads.note(boundReading(text), values)
    const bound = bindNames(text, values, this.org, this.instant)
    return this.session.all<Row>(bound.text, bound.values, this.signal)
  }
}
