import { AppError } from '../core/errors.ts'
import { CallerMoved, type Calling, type MadeFrom } from './along/calling.ts'
import { changesSettings } from './along/history.ts'
import type { OrgHead } from './along/org-head.ts'
import { type Actor, appendAudit, type ChangeRecord, storeAudit } from './audit.ts'
import type { Engine, Extent, Ride, Sealed, Session, TransactionOptions } from './engine.ts'
import { Gathering, type Kind } from './gathering.ts'
import { insertMany } from './insert-many.ts'
import { type Following, followersOf } from './kept/following.ts'
import type { Reads } from './kept/reads.ts'
import { boundReading, type Writing, writingOf } from './kept/statement.ts'
import { type Change, movedBy, OrgVersions, tableOf } from './kept/versions.ts'
import { NotUnique } from './not-unique.ts'
import { OrgHandle } from './org.ts'
import { type Bound, bindNames, join, raw, render, type Sql, sql } from './sql.ts'
import { decidesAccess } from './tables.ts'
import { Companion, takeAlong } from './turns/companions.ts'

type Row = Record<string, unknown>

/** What other processes are told must not be long. */
const ROWS_TOLD = 20

/**
 * A transaction on one organization. Every write goes through it, and it will not commit without saying what was done.
 */
export class Tx extends OrgHandle {
  readonly records: ChangeRecord[] = []
  readonly actor: Actor
  private wrote = false
  /** Whether the organization's row says when this change is made. */
  private isDated = false
  /** What others may have read otherwise: tables whose rows came or went, and columns. */
  private readonly moved = new Set<string>()
  /** Of which rows, by table; null: of any. */
  private readonly rows = new Map<string, Set<string> | null>()
  private readonly written = new Set<string>()

  /** How far the organization was before it: on its way while the first rows are read already. */
  private readonly head: Promise<OrgHead>
  private hearing: Promise<OrgVersions | undefined> | undefined
  /** What was made in the same transaction before it. */
  private readonly before: readonly Change[]

  private readonly gathering: Gathering
  private readonly kinds = new Map<string, Kind>()

  /** What is kept and moves along, by table, asked for with the first row. */
  private readonly following = new Map<string, readonly Following[]>()
  private readonly moves: Array<(change: Change) => void> = []

  constructor(engine: Engine, { org, head, now, session, actor, signal, before = [] }: TxParts) {
    const gathering = new Gathering(session, signal)
    super(engine, org, now, gathering, signal)
    this.gathering = gathering
    this.head = head
    // Whoever fails before it is asked for fails for a reason of their own.
    head.catch(() => undefined)
    this.actor = actor
    this.before = before
  }

  /** Once those who change the organization before it are done: from then on others wait for it. */
  async held(): Promise<void> {
    await this.head
  }

  /**
   * While it lasts nobody else changes the organization; whoever has not heard of the last change yet does not know.
   */
  override async committed(): Promise<OrgVersions | undefined> {
    const head = await this.head
    const data = head.data - this.before.length
    const versions = await this.versions()
    if (versions.data === data) return versions
    // The change before it was committed this very moment: whoever made it is about to learn so. That takes less time
    // than to work out what is kept.
    this.hearing ??= this.engine.told(this.org, { data, live: 0 })
    const told = await this.hearing
    return told?.data === data ? told : undefined
  }

  /** Whether nobody before it has changed what was read when there were so many changes. */
  async isStill({ reads, since }: MadeFrom): Promise<boolean> {
    if (versionsAfter(this.before).hasMoved(reads, 0)) return false
    const { data } = await this.head
    if (data - this.before.length <= since) return true
    const versions = await this.committed()
    return versions !== undefined && !versions.hasMoved(reads, since)
  }

  override hasWritten(reads: Reads): boolean {
    const own = versionsAfter([...this.before, this.change])
    // What waits to be stored is written as well, as far as anybody can tell.
    for (const table of this.gathering.tables) own.move(table, 1)
    return own.hasMoved(reads, 0)
  }

  async insert(table: string, row: Row): Promise<void> {
    const columns = Object.keys(row)
    await this.run(
      sql`insert into ${raw(table)} (org, ${raw(columns.join(', '))})
        values (:org, ${values(columns.map((column) => row[column]))})`,
      row.id as string | undefined,
    )
  }

  /** Many at once, all with the same columns. */
  async insertAll(table: string, rows: readonly Row[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {})
    const into = `insert into ${table} (org, ${columns.join(', ')})`
    // More than others are told of are followed by nobody.
    if (rows.length <= ROWS_TOLD) for (const { id } of rows) await this.lookBefore(table, id as string)
    for (const { id } of rows) this.noteWriting(into, id as string)
    if (changesSettings({ table })) await this.date()
    const lists = rows.map((row) => [this.org, ...columns.map((column) => encode(row[column]))])
    const run = (text: string, bound: unknown[]) => this.session.run(text, bound)
    await translated(() => insertMany(run, into, lists, this.dialect.rowsAtOnce))
  }

  /** Others may be made in the same transaction: what came now would be theirs. */
  end(): void {
    this.gathering.end()
  }

  /** While it lasts, what is made by `later` is stored together; for what does not look at what it has made. */
  async gather<T>(work: () => Promise<T>): Promise<T> {
    this.gathering.isOn = true
    try {
      const result = await work()
      await this.gathering.store()
      return result
    } finally {
      this.gathering.isOn = false
      this.gathering.drop()
    }
  }

  get isGathering(): boolean {
    return this.gathering.isOn
  }

  later(kind: Kind, row: Row): Promise<void> {
    return this.gathering.add(kind, row)
  }

  /** What comes with an item that is made, and is stored with those of others while they are gathered. */
  async insertWith(table: string, row: Row): Promise<void> {
    if (!this.isGathering) return this.insert(table, row)
    const store = (rows: readonly Row[]) => this.insertAll(table, rows)
    const kind: Kind = this.kinds.get(table) ?? { table, isFirst: true, store }
    this.kinds.set(table, kind)
    await this.later(kind, row)
  }

  async update(table: string, id: string, change: Row): Promise<void> {
    await this.run(updating(table, id, change), id)
  }

  /** The same for who reads it next: what the reading gives tells whether it could be stored. */
  async updateAhead(table: string, id: string, change: Row): Promise<void> {
    const { text, values } = await this.toWrite(updating(table, id, change), id)
    await translated(() => this.session.send(text, values))
  }

  override query<Row>(text: string, values: unknown[], extent?: Extent): Promise<Row[]> {
    return translated(() => super.query<Row>(text, values, extent))
  }

  async remove(table: string, id: string): Promise<void> {
    await this.run(sql`delete from ${raw(table)} as t where t.org = :org and t.id = ${id}`, id)
  }

  /** A write of any kind, of one row where its id is given; the change must still be recorded. */
  async run(statement: Sql, id?: string): Promise<number> {
    const { text, values } = await this.toWrite(statement, id)
    return translated(() => this.session.run(text, values))
  }

  private async toWrite(statement: Sql, id: string | undefined): Promise<Bound> {
    const { text, values } = render(statement)
    const writing = this.noteWriting(text, id)
    if (writing && changesSettings(writing)) await this.date()
    if (writing && id !== undefined) await this.lookBefore(writing.table, id)
    return bindNames(text, values, this.org, this.now)
  }

  private async lookBefore(table: string, id: string): Promise<void> {
    let following = this.following.get(table)
    if (!following) {
      const found = await Promise.all([...followersOf(this.engine)].map((follow) => follow(this, table)))
      following = found.filter((one) => one !== undefined)
      this.following.set(table, following)
    }
    for (const one of following) await one.before(id)
  }

  private moveAlong(change: Change): void {
    for (const move of this.moves.splice(0)) move(change)
  }

  private noteWriting(text: string, id: string | undefined): Writing | undefined {
    boundReading(text)
    this.wrote = true
    const writing = writingOf(text)
    for (const name of movedBy(writing)) {
      this.moved.add(name)
      this.noteRow(tableOf(name), writing?.table, id)
    }
    if (writing) this.written.add(writing.table)
    return writing
  }

  /** What goes with a row is not known by its id. */
  private noteRow(table: string, written: string | undefined, id: string | undefined): void {
    const known = this.rows.get(table)
    if (id === undefined || table !== written || known === null) this.rows.set(table, null)
    else if (known) known.add(id)
    else this.rows.set(table, new Set([id]))
  }

  /** Named one by one where they are few: others are told of them. */
  private get change(): Omit<Change, 'data'> {
    const rows = new Map(
      [...this.rows].flatMap(([table, ids]) => (ids && ids.size <= ROWS_TOLD ? [[table, [...ids]] as const] : [])),
    )
    return { moved: [...this.moved], rows }
  }

  /** Says when it is, as whatever changes what decides who may open what. */
  private async date(): Promise<void> {
    if (this.isDated) return
    this.isDated = true
    // Who waited longer is later, whenever they came: what happened between is not judged by what is set from now on.
    await this.session.send(
      'update organizations set changed_at = case when changed_at > $2 then changed_at else $2 end where key = $1',
      [this.org, this.now],
    )
  }

  /** Bookkeeping that is no change of the organization's data (idempotency keys): not audited, moves no version. */
  async aside(statement: Sql): Promise<void> {
    const { text, values } = render(statement)
    boundReading(text)
    const bound = bindNames(text, values, this.org, this.now)
    await this.session.run(bound.text, bound.values)
  }

  /** Whether something was written that decides who may open what. */
  get touchesAccess(): boolean {
    return this.written.values().some(decidesAccess)
  }

  /** All of it or nothing: what fails is taken back, and the transaction goes on as if it had not been tried. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const before = { records: this.records.length, wrote: this.wrote, isDated: this.isDated }
    await this.session.run('savepoint attempt', [])
    try {
      const result = await work()
      await this.session.run('release savepoint attempt', [])
      return result
    } catch (error) {
      this.gathering.drop()
      // There is no way back for whoever has left: all of it ends.
      this.signal?.throwIfAborted()
      await this.session.run('rollback to savepoint attempt', [])
      await this.session.run('release savepoint attempt', [])
      this.records.length = before.records
      this.wrote = before.wrote
      this.isDated = before.isDated
      throw error
    }
  }

  record(record: ChangeRecord): void {
    this.records.push(record)
  }

  /** Something that happened and changed nothing, such as an export: it is recorded all the same. */
  event(record: ChangeRecord): void {
    this.wrote = true
    this.records.push(record)
  }

  /**
   * Numbers the change, with the audit rows that come with it: they are stored with those of all that are made in the
   * same transaction. Undefined when nothing was written or recorded at all: a failed login is
   * on the record without a write.
   */
  async seal(): Promise<Sealed | undefined> {
    if (!this.wrote && this.records.length === 0) return undefined
    if (this.records.length === 0) throw new Error('a change without an audit row cannot commit')
    const { now, actor } = this
    const head = await this.head
    const { last, entries } = await appendAudit({ head, now, actor }, this.records)
    const { rows } = this.change
    const moved = [...this.moved.union(new Set(['audit_log']))]
    const { before } = this
    const change: Change = { data: head.data + 1, moved, rows, before, onCommit: () => this.moveAlong(change) }
    for (const [table, following] of this.following) {
      const ids = rows?.get(table)
      if (ids) for (const one of following) this.moves.push(await one.written(ids))
    }
    return { change, head: { ...head, ...last, data: change.data }, entries }
  }
}

interface TxParts {
  org: number
  head: Promise<OrgHead>
  now: string
  session: Session
  actor: Actor
  signal: AbortSignal | undefined
  before?: readonly Change[]
}

export interface ChangeOptions extends TransactionOptions {
  /** Done in a moment: it may be made in the transaction of another. */
  isBrief?: boolean | undefined
  /** Whoever makes it, who may have lost the right to by what it waits for. */
  by?: Calling | undefined
  /** Refused while another one with this key is under way. */
  only?: { key: string; busy: () => Error } | undefined
}

/** One transaction = the change and its audit rows. */
export async function change<T>(
  engine: Engine,
  org: number,
  now: string,
  actor: Actor,
  work: (tx: Tx) => Promise<T>,
  { only, isBrief = false, by, ...options }: ChangeOptions = {},
): Promise<T> {
  const { signal } = options
  const begin = async (session: Session): Promise<number> => {
    if (only && !(await engine.dialect.tryLock(session, `${org}:${only.key}`))) throw only.busy()
    return org
  }
  const alone = async (leave: () => void) => {
    // Those that come while the disk takes it in gather, to go along with the next one.
    const onWritten = isBrief ? undefined : leave
    const own = by?.isLookedAtFirst === false ? unlessMoved(by, work) : ifStillMay(by, work)
    return (await changeNew(engine, now, actor, begin, own, { ...options, onWritten })).result
  }
  const along = async ({ session, head, sealed }: Ride) => {
    signal?.throwIfAborted()
    await begin(session)
    const parts = { org, head: Promise.resolve(head), now, session, actor, signal, before: changesOf(sealed) }
    const made = await make(new Tx(engine, parts), ifStillMay(by, work))
    signal?.throwIfAborted()
    await checkLate(engine, session)
    return made
  }
  const companion = isBrief ? new Companion(along) : undefined
  return engine.writers.take(org, alone, { ...options, companion })
}

async function make<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<{ result: T; sealed: Sealed | undefined }> {
  try {
    const result = await work(tx)
    return { result, sealed: await tx.seal() }
  } finally {
    tx.end()
  }
}

type Work<T> = (tx: Tx) => Promise<T>

/** Looks whether whoever makes it may, where those before it have changed anything of them. */
const ifStillMay =
  <T>(by: Calling | undefined, work: Work<T>): Work<T> =>
  async (tx) => {
    if (by && !(await tx.isStill(by))) await by.stillMay(tx)
    return work(tx)
  }

/** Looks beside the work, whose first question is on its way already: what was done by then is taken back. */
const unlessMoved =
  <T>(by: Calling, work: Work<T>): Work<T> =>
  async (tx) => {
    const isStill = tx.isStill(by)
    isStill.catch(() => undefined)
    try {
      const result = await work(tx)
      if (await isStill) return result
    } catch (error) {
      if (await isStill.catch(() => true)) throw error
    }
    throw new CallerMoved('the caller was changed meanwhile')
  }

const checkLate = (engine: Engine, session: Session): Promise<void> =>
  translated(() => engine.dialect.checkLate(session))

const changesOf = (sealed: readonly Sealed[]): Change[] => sealed.map(({ change }) => change)

/** Once for all that were made in one transaction. */
async function store(engine: Engine, { session, head, sealed }: Ride): Promise<void> {
  const entries = sealed.flatMap((one) => one.entries)
  await storeAudit(engine, session, head, entries)
  await engine.number(session, head, changesOf(sealed))
}

/** The same where `begin` says of which organization, and may make it first. */
export async function changeNew<T>(
  engine: Engine,
  now: string,
  actor: Actor,
  begin: (session: Session) => Promise<number>,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<{ key: number; result: T }> {
  const caller = untilLetGo(options.signal)
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined)
  try {
    const { org, result, changes } = await engine.transaction(
      async (session) => {
        const org = await begin(session)
        const head = engine.hold(session, org)
        const tx = new Tx(engine, { org, head, now, session, actor, signal: caller.signal })
        // Where the organization could not be held, whatever came of what was asked behind it is no answer.
        const { result, sealed } = await make(tx, (own) => work(own).finally(() => head))
        if (!sealed) return { org, result, changes: [] }
        const ride = { session, head: sealed.head, sealed: [sealed], ended: ended.promise }
        const beginRide = async () => {
          options.signal?.throwIfAborted()
          // Whoever leaves now is not regarded any more, as after the commit: others are in it.
          caller.letGo()
          // Whatever is wrong with the change itself is its own.
          await checkLate(engine, session)
        }
        if (!options.isUnhurried) await takeAlong(engine, org, ride, beginRide)
        await store(engine, ride)
        return { org, result, changes: changesOf(ride.sealed) }
      },
      { ...options, signal: caller.signal },
    )
    try {
      for (const committed of changes) {
        engine.committed(org, committed)
        committed.onCommit?.()
      }
    } finally {
      ended.resolve()
    }
    return { key: org, result }
  } catch (error) {
    // Some is looked at with the commit alone.
    const refused = translateConstraint(error)
    ended.reject(refused)
    throw refused
  } finally {
    caller.letGo()
  }
}

/** As if nothing had been written before these. */
function versionsAfter(changes: ReadonlyArray<Omit<Change, 'data'>>): OrgVersions {
  const versions = new OrgVersions()
  for (const change of changes) versions.apply({ ...change, data: 1 })
  return versions
}

/** A signal that says what another says until it is let go. */
function untilLetGo(signal: AbortSignal | undefined): { signal: AbortSignal | undefined; letGo: () => void } {
  if (!signal || signal.aborted) return { signal, letGo: () => undefined }
  const own = new AbortController()
  const abort = () => own.abort(signal.reason)
  signal.addEventListener('abort', abort)
  return { signal: own.signal, letGo: () => signal.removeEventListener('abort', abort) }
}

const updating = (table: string, id: string, change: Row): Sql => {
  const sets = Object.keys(change).map((column) => sql`${raw(column)} = ${encode(change[column])}`)
  return sql`update ${raw(table)} as t set ${join(sets, ', ')} where t.org = :org and t.id = ${id}`
}

const encode = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

const values = (list: unknown[]): Sql =>
  join(
    list.map((value) => sql`${encode(value)}`),
    ', ',
  )

interface DatabaseError extends Error {
  code?: string
  detail?: string
}

async function translated<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    throw translateConstraint(error)
  }
}

/** The constraints are the last word: two creators of the same number meet here, not in a check before. */
function translateConstraint(error: unknown): unknown {
  const { code, message } = error as DatabaseError
  const isUnique = code === '23505' || /UNIQUE constraint failed/.test(message)
  if (isUnique) return new NotUnique(takenBy(error as DatabaseError), error)
  const isReference = code === '23503' || /FOREIGN KEY constraint failed/.test(message)
  if (isReference)
    return new AppError('CONFLICT', 'Another item that this one refers to, or that refers to it, changed meanwhile', {
      reason: 'reference',
      cause: error,
    })
  return error
}

/** Which columns clash, as either engine words it; none where it does not say. */
function takenBy({ detail, message }: DatabaseError): string[] {
  const list = /^Key \((.*)\)=\(/.exec(detail ?? '')?.[1] ?? /UNIQUE constraint failed: (.*)/.exec(message)?.[1] ?? ''
  const names = list.split(', ').map((name) => name.replace(/^\w+\./, ''))
  if (!names.every((name) => /^[a-z_]+$/.test(name))) return []
  return names.filter((name) => name !== 'org')
}
