import type { FastifyBaseLogger } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import { Pauses } from '../../core/pauses.ts'
import type { Permission } from '../../core/permissions.ts'
import { type Assignment, type PlaceSet, Rights, type Scope } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import { parsed, rightsInAbsence } from '../../db/assignments.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { NotUnique } from '../../db/not-unique.ts'
import { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import { KnownKeys } from '../../http/writes/known-keys.ts'
import { perform } from '../../http/writes/perform.ts'
import type { Writable } from '../../http/writes/writable.ts'
import { askedBy, faultsOf, type RowError, type Sheet } from './body.ts'
import { openRow, sealRows } from './kept.ts'
import type { Mapping } from './mapping.ts'
import type { MadeByFile } from './references.ts'

/** Rows per transaction: others get their turn soon. */
const SLICE = 100
/** So long a process has to do a slice before another takes it for gone. */
const CLAIM_MS = 60_000
/** Of one row. */
const MOST_ERRORS = 20

export interface ImportParts {
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  writables: ReadonlyMap<string, Writable>
}

interface Job {
  id: string
  resource: string
  status: string
  dry_run: boolean | number
  columns: string[] | string
  mapping: Mapping | string
  maker_id: string
  actor: StoredActor | string
  rights: StoredRights | string
  claimed_until: string | null
}

type StoredActor = Omit<Actor, 'rights'>
type StoredRights = Array<[Permission, 'all' | { locations: string[]; buildings: string[] }]>

export const storedRights = (rights: Rights): StoredRights =>
  rights
    .entries()
    .map(([permission, scope]) => [
      permission,
      scope === 'all' ? scope : { locations: [...scope.locations], buildings: [...scope.buildings] },
    ])

/**
 * What its maker could do when they sent it, and still can; nothing once they, or the token they sent it with, is no
 * longer good.
 */
async function rightsLeft(handle: OrgHandle, id: string, { by }: StoredActor, stored: StoredRights): Promise<Rights> {
  const now = await rightsInAbsence(handle, { id, ...(by ? { by } : {}) })
  if (now === undefined) return new Rights([])
  const assignments: Assignment[] = stored.flatMap(([permission, then]) => {
    const held = now.scopeOf(permission)
    if (held === undefined) return []
    const places = both(
      held,
      then === 'all' ? then : { locations: new Set(then.locations), buildings: new Set(then.buildings) },
    )
    return [{ permissions: [permission], places: places === 'all' ? undefined : places }]
  })
  return new Rights(assignments)
}

function both(a: Scope, b: Scope): Scope {
  if (a === 'all') return b
  if (b === 'all') return a
  const places: PlaceSet = {
    locations: a.locations.intersection(b.locations),
    buildings: a.buildings.intersection(b.buildings),
  }
  return places
}

/** Which import a process is at, and until when it said so. */
interface Claim {
  org: number
  id: string
  until: string | null
}

/** Does the next slice; false: there is none, or another process is at it. */
export async function runSlice({ engine, clock, writables }: ImportParts, claim: Claim): Promise<boolean> {
  const now = clock.now()
  const handle = new OrgHandle(engine, claim.org, now, engine.unhurried)
  const job = await findJob(handle, claim.id)
  const writable = writables.get(job?.resource ?? '')
  if (!job || !writable || !isFree(job, claim, now)) return false
  const maker = parsed<StoredActor>(job.actor)
  const rights = await rightsLeft(handle, job.maker_id, maker, parsed<StoredRights>(job.rights))
  const actor: Actor = { ...maker, rights }
  return change(engine, claim.org, now, actor, async (tx) => {
    // Looked at once more: whoever was before us in the queue may have cancelled it, or taken it.
    const current = await findJob(tx, claim.id)
    if (!current || !isFree(current, claim, now)) return false
    return slice(tx, current, writable, rights, claim)
  })
}

const findJob = (handle: OrgHandle, id: string): Promise<Job | undefined> =>
  handle.one<Job>(sql`select t.id, t.resource, t.status, t.dry_run, t.columns, t.mapping, t.maker_id, t.actor, t.rights,
    t.claimed_until
    from imports t where t.org = :org and t.id = ${id}`)

/** One that lasts longer was made by a clock that was ahead: no process is at it. */
export const lastClaim = (now: string): string => new Date(Date.parse(now) + 2 * CLAIM_MS).toISOString()

const isFree = ({ status, claimed_until }: Job, { until }: Claim, now: string): boolean =>
  (status === 'checking' || status === 'running') &&
  (claimed_until === null || claimed_until === until || claimed_until < now || claimed_until > lastClaim(now))

/** Rows and what became of them are one transaction: whoever goes on after an interruption does none twice. */
async function slice(tx: Tx, job: Job, writable: Writable, rights: Rights, claim: Claim): Promise<boolean> {
  claim.until = new Date(Date.parse(tx.now) + CLAIM_MS).toISOString()
  const rows = await tx.all<{
    row_number: number
    cells: string | string[] | null
  }>(sql`select t.row_number, t.cells from import_rows t
    where t.org = :org and t.import_id = ${job.id} and ${raw(job.dry_run ? 't.tried' : 't.outcome')} is null
    order by t.row_number limit ${SLICE}`)
  const run = new Slice(tx, writable, job, rights, await zoneOf(tx))
  const lines = rows.map(({ row_number: number, cells }) => ({
    number,
    cells: openRow<string[]>(tx, job.id, number, 'cells', cells ?? []),
  }))
  const results = await run.all(lines)
  await keep(tx, job, results, claim.until)
  return rows.length === SLICE
}

async function zoneOf(tx: Tx): Promise<string> {
  const row = await tx.one<{ zone: string }>(sql`select t.time_zone as zone from organizations t where t.key = :org`)
  return row?.zone ?? 'UTC'
}

interface Line {
  number: number
  cells: string[]
}

interface Result extends Line {
  outcome: 'created' | 'changed' | 'unchanged' | 'failed'
  itemId: string | null
  errors: RowError[]
}

/** Carries the results out of what must not be kept. */
class OnlyTried extends Error {}

class Slice {
  private readonly tx: Tx
  private readonly sheet: Sheet
  private readonly isTried: boolean
  private readonly scope: Scope | undefined
  private readonly importId: string
  private readonly keys = new KnownKeys()

  constructor(tx: Tx, writable: Writable, job: Job, rights: Rights, zone: string) {
    this.tx = tx
    this.importId = job.id
    this.isTried = Boolean(job.dry_run)
    this.sheet = { writable, columns: parsed<string[]>(job.columns), mapping: parsed<Mapping>(job.mapping), zone }
    this.scope = rights.scopeOf(writable.permission)
  }

  async all(lines: readonly Line[]): Promise<Result[]> {
    let results: Result[] = []
    try {
      await this.tx.attempt(async () => {
        results = await this.inOneGo(lines)
        if (this.isTried) throw new OnlyTried()
      })
    } catch (error) {
      if (!(error instanceof OnlyTried)) throw error
    }
    return results
  }

  /**
   * Most slices have no fault: what they make is stored together. Only if one is found does each row get a point to go
   * back to.
   */
  private async inOneGo(lines: readonly Line[]): Promise<Result[]> {
    try {
      await this.findKeys(lines)
      const each = async () => {
        const results: Result[] = []
        const pauses = new Pauses()
        for (const line of lines) {
          await pauses.take()
          results.push(await this.one(line))
        }
        return results
      }
      return await this.tx.attempt(() => (this.sheet.writable.isGathered ? this.tx.gather(each) : each()))
    } catch (error) {
      if (!isOfRow(error)) throw error
    }
    this.keys.forget()
    const results: Result[] = []
    for (const line of lines) results.push(await this.tried(line))
    return results
  }

  private async tried(line: Line): Promise<Result> {
    try {
      return await this.tx.attempt(() => this.one(line))
    } catch (error) {
      if (!isOfRow(error)) throw error
      const told = error instanceof NotUnique ? await error.explained(this.tx) : error
      return { ...line, outcome: 'failed', itemId: null, errors: faultsOf(this.sheet, line.number, told) }
    }
  }

  private async one(line: Line): Promise<Result> {
    const { writable } = this.sheet
    const { scope, tx } = this
    if (scope === undefined)
      throw new AppError('UNAUTHORIZED', `This needs the permission ${writable.permission}`, {
        status: 403,
        reason: 'insufficient_permissions',
      })
    const asked = await askedBy(tx, this.sheet, line.cells, scope, this.madeBefore(line.number))
    await writable.conceal(tx.engine, tx.org, asked.body)
    const performed = await perform(tx, writable, { ...asked, found: this.keys.idOf(asked.external_id) }, scope, {})
    const [shown] = Object.keys(performed.secret ?? {})
    if (shown !== undefined) throw shownToNobody(shown)
    this.keys.note(asked, performed)
    const { outcome, row } = performed
    return { ...line, outcome: outcome === 'deleted' ? 'failed' : outcome, itemId: row.id, errors: [] }
  }

  private async findKeys(lines: readonly Line[]): Promise<void> {
    const { columns, mapping, writable } = this.sheet
    const at = columns.findIndex((column) => mapping[column] === 'external_id')
    if (at === -1 || this.scope === undefined) return
    const keys = lines.map(({ cells }) => (cells[at] ?? '').trim())
    await this.keys.find(this.tx, writable.resource, keys, this.scope)
  }

  /** In a dry run what rows before would make is not there: it is enough that they would. */
  private madeBefore(number: number): MadeByFile {
    return async (target, text) => {
      if (!this.isTried || target.table !== this.sheet.writable.resource.table) return false
      const found =
        await this.tx.one(sql`select 1 as one from import_rows t where t.org = :org and t.import_id = ${this.importId}
        and t.row_number < ${number} and (t.key = ${text} or t.name = ${text})`)
      return found !== undefined
    }
  }
}

/** What is shown once would be shown to nobody who sends a file. */
const shownToNobody = (name: string): AppError =>
  invalid(
    name,
    'import.resource',
    `Its ${name} would be shown once, to whoever makes it by itself; from a file it cannot be made`,
  )

const isOfRow = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

/** What became of the rows, and how far it has come. Of a row that is in, the cells are not kept. */
async function keep(tx: Tx, job: Job, results: readonly Result[], until: string): Promise<void> {
  const seal = results.some(({ errors }) => errors.length > 0) ? await sealRows(tx, job.id, 'errors') : undefined
  const rows = results.map(({ number, outcome, itemId, errors }) => ({
    id: job.id,
    number,
    outcome,
    item_id: itemId,
    errors: errors.length > 0 ? seal?.(number, errors.slice(0, MOST_ERRORS)) : null,
  }))
  const list = tx.dialect.records(rows, 'r', {
    id: 'uuid',
    number: 'integer',
    outcome: 'text',
    item_id: 'uuid',
    errors: 'text',
  })
  const errors = raw(tx.dialect.name === 'postgres' ? 'cast(r.errors as jsonb)' : 'r.errors')
  const result = job.dry_run ? raw('tried') : raw('outcome')
  const left = ['cells', 'key', 'name'].map(
    (name) => `${name} = case when excluded.outcome = 'failed' then t.${name} end`,
  )
  const done = sql`, item_id = excluded.item_id, ${raw(left.join(', '))}`
  // As an insert: each row is found by its key, however the engine would join.
  await tx.aside(sql`insert into import_rows as t (org, import_id, row_number, ${result}, item_id, errors)
    select :org, r.id, r.number, r.outcome, r.item_id, ${errors} from ${list} where true
    on conflict (org, import_id, row_number) do update
    set ${result} = excluded.${result}, errors = excluded.errors${job.dry_run ? raw('') : done}`)
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const isLast = results.length < SLICE
  const status = isLast ? (job.dry_run ? 'checked' : 'done') : job.status
  await tx.aside(sql`update imports as t set row_done = row_done + ${results.length},
    created = created + ${count('created')},
    changed = changed + ${count('changed')}, unchanged = unchanged + ${count('unchanged')},
    failed = failed + ${count('failed')}, status = ${status}, claimed_until = ${isLast ? null : until},
    updated_at = ${tx.now}, version = version + 1 where t.org = :org and t.id = ${job.id}`)
}
