import type { Worker } from 'node:worker_threads'
import type { SqlDialect } from '../query/sql.ts'
import type { AuditEntry } from './along/audit-row.ts'
import type { OrgHead } from './along/org-head.ts'
import type { Hearers } from './kept/hearers.ts'
import type { Known } from './kept/reads.ts'
import type { Change, OrgVersions } from './kept/versions.ts'
import type { Sql } from './sql.ts'
import type { Turns } from './turns/turns.ts'

/**
 * How much a statement reads. 'all': every row that fits. 'few': those of one number or name. A number: a page of rows,
 * read in the order of an index if one serves so many conditions. Not said: what is found by equality is taken for
 * little. What is taken for little or few is so until it is seen to be much.
 */
export type Extent = 'all' | 'few' | number

/** What one connection can do. Text carries `$n` placeholders; each engine rewrites them once per text if it must. */
export interface Session {
  /**
   * `signal`: once it is aborted nobody waits for the rows; the statement is ended and its reason thrown. A transaction
   * has its own. `extent`: how much it reads, for an engine that decides by it where to read.
   */
  all<Row>(text: string, values: unknown[], signal?: AbortSignal, extent?: Extent): Promise<Row[]>
  /** Runs a change and gives the number of rows it touched. */
  run(text: string, values: unknown[]): Promise<number>
  /**
   * Runs a change in a transaction; whoever awaits it need not wait for its end. That it failed is told at the latest
   * by the commit.
   */
  send(text: string, values: unknown[]): Promise<unknown>
  /** Several statements without parameters: migrations. */
  script(text: string): Promise<void>
}

/** What a column of rows made of objects may be. */
export type RecordType = 'uuid' | 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamp'

export interface Dialect extends SqlDialect {
  /** `column in (values)`, the list being one bound parameter. */
  inList(column: string, values: Iterable<string>, type: 'uuid' | 'text'): Sql
  /**
   * A from-item with a column `id`: these ids, each once, for `cross join` with what they are the ids of. Where the
   * columns asked for stand in an index, SQLite would rather read all of that index than look up a list of ids.
   */
  ids(values: Iterable<string>, alias: string): Sql
  /**
   * So many rows of a change are inserted by one statement: it is the way there and back that costs, or what one takes
   * of the event loop.
   */
  readonly rowsAtOnce: number
  /** A from-item: rows out of an array of objects, bound as one parameter. */
  records(rows: readonly object[], alias: string, columns: Record<string, RecordType>): Sql
  /**
   * What was sent and not waited for has come through, and what is otherwise looked at with the commit is, where it can
   * be.
   */
  checkLate(session: Session): Promise<void>
  /** Locks out other holders of the same key until the transaction ends; false when somebody has it. */
  tryLock(session: Session, key: string): Promise<boolean>
}

export interface TransactionOptions {
  /**
   * Once it is aborted the transaction is rolled back and the signal's reason thrown, unless the commit is under way.
   */
  signal?: AbortSignal | undefined
  /** Called as soon as the next one may begin, where that is before all of it is on the disk. */
  onWritten?: (() => void) | undefined
  /** May take its time: nobody waits for an answer. */
  isUnhurried?: boolean
  /** How long another process may hold the whole database meanwhile, where one can. */
  patienceMs?: number
}

/** A change as it will be committed, and what is recorded of it. */
export interface Sealed {
  readonly change: Change
  readonly head: OrgHead
  readonly entries: readonly AuditEntry[]
}

/** The transaction of a change, in which others of the same organization may be made before it ends. */
export interface Ride {
  readonly session: Session
  /** How far the organization is with what was made in it so far. */
  head: OrgHead
  /** In their order. */
  readonly sealed: Sealed[]
  /** Once all of it is committed, or nothing. */
  readonly ended: Promise<void>
}

export interface Engine {
  readonly dialect: Dialect
  /** Outside any transaction; sees committed rows only. */
  readonly reader: Session
  /** The same for what may take its time: exports, verification, what runs beside requests. */
  readonly unhurried: Session
  /** One transaction; commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (session: Session) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Where changes of organizations take turns. */
  readonly writers: Turns<Ride>
  /** `atLeast`: a change that is known to be committed, though nobody may have told this process yet. */
  versions(org: number, atLeast?: Known): OrgVersions | Promise<OrgVersions>
  /** The same as the database has it: whatever is committed when it is asked is among it, told or not. */
  latest(org: number): OrgVersions | Promise<OrgVersions>
  /** Once so much has been told, which takes a moment; undefined: it has not. */
  told(org: number, atLeast: Known): Promise<OrgVersions | undefined>
  /** Called first in the transaction of a change: no other changes the organization, in any process, until it ends. */
  hold(session: Session, org: number): Promise<OrgHead>
  /** Called last in it: numbers what was changed, notes how far the audit log reaches, and tells other processes. */
  number(session: Session, head: OrgHead, changes: readonly Change[]): Promise<void>
  /** Called inside the transaction of what is live, to tell other processes. */
  announce(session: Session, org: number, change: Change): Promise<void>
  /** Called once that transaction has committed: this process reads its own writes at once. */
  committed(org: number, change: Change): void
  /** Who is told when something may have been committed, by any process. */
  readonly hearers: Hearers
  /** Tells other processes that a feed has grown, after the commit. */
  tell(org: number, feed: string): Promise<void>
  /** Starts a module in a thread that opens the same database (`openAgain`); it ends with the engine. */
  startThread(module: URL): Worker
  /** Throws when it is known here that a change would not be kept: such a thread may not have met it yet. */
  assertSound?(): void
  /** Throws when the database does not answer, or would not keep a change. */
  ping(): Promise<void>
  /** Gives memory back that only makes the next reading quicker: nobody has asked for a while. */
  giveBack?(): void
  close(): Promise<void>
}
