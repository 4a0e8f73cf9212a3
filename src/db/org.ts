import type { Dialect, Engine, Extent, OrgVersions, Session } from './engine.ts'
import { bindNames, render, type Sql } from './sql.ts'
import { tenantTables } from './tenant-tables.ts'

/**
 * The only way to the tables of an organization. A statement that names a tenant table without binding its organization
 * (`alias.org = :org`, or `org` among the inserted columns) is refused before it reaches the engine, and `:org` is bound here.
 */
export class OrgHandle {
  readonly org: number
  readonly now: string
  readonly engine: Engine
  protected readonly session: Session
  private readonly signal: AbortSignal | undefined

  constructor(engine: Engine, org: number, now: string, session: Session = engine.reader, signal?: AbortSignal) {
    this.engine = engine
    this.org = org
    this.now = now
    this.session = session
    this.signal = signal
  }

  get dialect(): Dialect {
    return this.engine.dialect
  }

  /** Whether it sees what is not committed yet: nothing worked out from that may be kept for others. */
  get isTransaction(): boolean {
    return false
  }

  /** The same for what others wait for too, or will be glad of: it goes on when this caller has left. */
  get forOthers(): OrgHandle {
    return this.isTransaction ? this : new OrgHandle(this.engine, this.org, this.now, this.session)
  }

  /** The same organization under another clock. */
  at(now: string): OrgHandle {
    return now === this.now ? this : new OrgHandle(this.engine, this.org, now, this.session, this.signal)
  }

  versions(): OrgVersions | Promise<OrgVersions> {
    return this.engine.versions(this.org)
  }

  all<Row>(statement: Sql): Promise<Row[]> {
    const { text, values } = render(statement)
    return this.query<Row>(text, values)
  }

  async one<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0]
  }

  /** For text compiled once and kept; carries `:org`, and `:now` where the clock matters. */
  query<Row>(text: string, values: unknown[], extent?: Extent): Promise<Row[]> {
    assertBound(text)
    const bound = bindNames(text, values, this.org, this.now)
    return this.session.all<Row>(bound.text, bound.values, this.signal, extent)
  }
}

const checked = new Set<string>()
const keywords = new Set(
  'where on set join left inner cross order group limit values select returning union except using as having offset default'.split(' '),
)

/** A table where one may stand, the alias or the columns that follow it. */
const NAMED = /\b(from|join|update|into)\s+([a-z_0-9]+)\b(?!\s*\.)(?:\s+(?:as\s+)?([a-z_0-9]+))?(\s*\([^)]*\))?/g

/** Without texts, and one spelling of each name. */
const plainText = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\b(?:public|main)\s*\.\s*/g, '')

/** Throws unless every tenant table named in the text is bound to the organization. */
export function assertBound(text: string): void {
  if (checked.has(text)) return
  const plain = plainText(text)
  const named = new Map<string, number>()
  for (const match of plain.matchAll(NAMED)) count(named, match)
  for (const [alias, times] of named) {
    // The same alias may stand for several tables in several subqueries: each needs a condition of its own.
    const bound = plain.match(new RegExp(`\\b${alias}\\.org = :org\\b`, 'g'))?.length ?? 0
    if (bound < times) throw new Error(`unbound: ${alias} without "${alias}.org = :org" in: ${plain}`)
  }
  for (const table of tenantTables) refuseUnreachable(plain, table)
  if (checked.size > 5000) checked.clear()
  checked.add(text)
}

function count(named: Map<string, number>, match: RegExpMatchArray): void {
  const [, verb = '', table = '', word, columns = ''] = match
  if (!tenantTables.has(table)) return
  if (verb === 'into') {
    if (!/\borg\b/.test(columns)) throw new Error(`unbound: insert into ${table} without org`)
    return
  }
  const alias = word && !keywords.has(word) ? word : table
  named.set(alias, (named.get(alias) ?? 0) + 1)
}

/** A tenant table may only follow from, join, update or into; a comma list would slip past the check above. */
function refuseUnreachable(text: string, table: string): void {
  const start = text.search(/\bfrom\b/)
  if (start !== -1 && new RegExp(`,\\s*${table}\\b(?!\\s*\\.)`).test(text.slice(start)))
    throw new Error(`unbound: ${table} in a comma list; write a join`)
}
