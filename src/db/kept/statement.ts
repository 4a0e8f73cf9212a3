import { tables as declared, tenantTables } from '../tables.ts'

/** What a statement looks at of a table. */
export interface Looked {
  /** Each column once, blanks around; what is not among them was not looked at. */
  readonly columns: string
  /** At all columns, or at what every change of a row writes along. */
  readonly isWide: boolean
}

/** What a statement reads, as far as its text tells. */
export interface Reading {
  readonly tables: ReadonlyMap<string, Looked>
  readonly usesClock: boolean
  /** The table of which it reads one row, and which of its values is the id. */
  readonly row: { readonly table: string; readonly value: number } | undefined
  /** It reads what changes all the time, and has no version. */
  readonly isLive: boolean
}

/** What a statement writes: columns of a table's rows, or rows. */
export interface Writing {
  readonly table: string
  /** Undefined: rows come or go. */
  readonly columns: readonly string[] | undefined
  readonly isRemoval: boolean
}

const KEPT = 5000
const readings = new Map<string, Reading>()
const bound = new WeakSet<Reading>()
const keywords = new Set(
  (
    'where on set join left inner cross order group limit values select returning union except using as having ' +
    'offset default'
  ).split(' '),
)

/** A table where one may stand, the alias or the columns that follow it. */
const NAMED = /\b(from|join|update|into) ([a-z_0-9]+)(?![a-z_0-9]| ?\.)(?: (?:as )?([a-z_0-9]+))?( ?\([^)]*\))?/g

/** A word, and the alias before it. */
const WORD = /(?:([a-z_][a-z_0-9]{0,62}) ?\. ?)?([a-z_][a-z_0-9]{0,62}|(?<=\. ?)\*)/g

/** What every change of a row writes along: who looks at it depends on all of them. */
export const WRITTEN_ALONG: ReadonlySet<string> = new Set(['version', 'updated_at', 'search_text', 'seen_text'])
/** A text index, and what a table once held, follow the table by triggers. */
const FOLLOWING = /^(.+?)_(?:fts|words|words_fts|history)$/

/** Without texts, one spelling of each name, and one blank wherever there are some. */
const plainText = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/\b(?:public|main) ?\. ?/g, '')

/** What a text reads; worked out once per text. */
export function readingOf(text: string): Reading {
  let reading = readings.get(text)
  if (!reading) {
    if (readings.size >= KEPT) readings.clear()
    reading = read(plainText(text))
    readings.set(text, reading)
  }
  return reading
}

/**
 * A column belongs to the alias before it, or could be any table's. What a result is called (`as name`) is no column.
 */
function read(plain: string): Reading {
  const byAlias = new Map<string, Set<string>>()
  for (const [, alias = '', word = ''] of plain.replace(/\bas [a-z_0-9]+/g, '').matchAll(WORD)) {
    const words = byAlias.get(alias)
    if (words) words.add(word)
    else byAlias.set(alias, new Set([word]))
  }
  if (/(?:\b(?:select|distinct|returning)|,) ?\*/.test(plain)) byAlias.get('')?.add('*')
  const aliases = new Map<string, Set<string>>()
  for (const [, , table = '', alias = ''] of plain.matchAll(NAMED)) {
    const names = aliases.get(table) ?? new Set(['', table])
    aliases.set(table, names.add(alias))
  }
  const tables = new Map<string, Looked>()
  for (const [table, names] of aliases) {
    const columns = new Set([...names].flatMap((alias) => [...(byAlias.get(alias) ?? [])]))
    const followed = FOLLOWING.exec(table)?.[1]
    const isWide = followed !== undefined || columns.has('*') || !columns.isDisjointFrom(WRITTEN_ALONG)
    const looked = { columns: ` ${[...columns].join(' ')} `, isWide }
    const also = tables.get(followed ?? table)
    tables.set(
      followed ?? table,
      also ? { columns: also.columns + looked.columns, isWide: also.isWide || isWide } : looked,
    )
  }
  return {
    tables,
    usesClock: plain.includes(':now'),
    row: rowOf(plain),
    isLive: [...tables.keys()].some((table) => declared[table]?.isLive && !declared[table].isVersioned),
  }
}

/** One row by its id, where the table stands nowhere else in the text. */
function rowOf(plain: string): Reading['row'] {
  const [, table, , value] = ONE_ROW.exec(plain) ?? []
  if (table === undefined || /\bor\b/.test(plain.slice(plain.lastIndexOf(')') + 1))) return undefined
  return isNamedOnce(plain, table) ? { table, value: Number(value) - 1 } : undefined
}

const isNamedOnce = (plain: string, table: string): boolean =>
  [...plain.matchAll(NAMED)].filter(([, , name = '']) => (FOLLOWING.exec(name)?.[1] ?? name) === table).length === 1

/** Whether what a text tells of a row of the table depends on no other row of it. */
export const isOfRowsAlone = (text: string, table: string): boolean => isNamedOnce(plainText(text), table)

const ofRows = new Map<string, Reading>()

/** What a text reads that is asked about rows of a table, by their ids; undefined where other rows of it count too. */
export function rowReadingOf(text: string, table: string): Reading | undefined {
  const known = ofRows.get(text)
  if (known || !isOfRowsAlone(text, table)) return known
  if (ofRows.size >= KEPT) ofRows.clear()
  const reading = { ...boundReading(text), row: { table, value: NOT_BOUND } }
  ofRows.set(text, reading)
  return reading
}
const NOT_BOUND = -1
const ONE_ROW = / from ([a-z_]+) (?:as )?([a-z]+) where \2\.org = :org and \2\.id = \$(\d+)/

const writings = new Map<string, Writing | undefined>()

/** What a text writes, worked out once per text; undefined: it does not say so in a way that is understood. */
export function writingOf(text: string): Writing | undefined {
  if (!writings.has(text)) {
    if (writings.size >= KEPT) writings.clear()
    writings.set(text, write(text))
  }
  return writings.get(text)
}

function write(text: string): Writing | undefined {
  const plain = plainText(text)
  const [, verb = '', table = ''] = /^ ?(insert into|update|delete from) ([a-z_]+)/.exec(plain) ?? []
  if (verb === '') return undefined
  const isRemoval = verb === 'delete from'
  if (verb !== 'update' || !/ set [a-z_]+ ?=/.test(plain)) return { table, columns: undefined, isRemoval }
  // What looks like another column and is none moves too much, never too little.
  const columns = [...plain.matchAll(/(?: set|,) ?([a-z_]+) ?=/g)].map(([, column = '']) => column)
  return { table, columns, isRemoval }
}

/** What a text reads, having made sure that every tenant table named in it is bound to the organization. */
export function boundReading(text: string): Reading {
  const reading = readingOf(text)
  if (bound.has(reading)) return reading
  assertBound(plainText(text))
  bound.add(reading)
  return reading
}

/** An index or a trigger is put back: that asks for no rows. */
const MAKING = /^ ?create (?:unique )?(?:index|trigger) /

function assertBound(plain: string): void {
  if (MAKING.test(plain)) return
  const named = new Map<string, number>()
  for (const match of plain.matchAll(NAMED)) count(named, match)
  for (const [alias, times] of named) {
    // The same alias may stand for several tables in several subqueries: each needs a condition of its own.
    const found = plain.match(new RegExp(`\\b${alias}\\.org = :org\\b`, 'g'))?.length ?? 0
    if (found < times) throw new Error(`unbound: ${alias} without "${alias}.org = :org" in: ${plain}`)
  }
  for (const table of tenantTables) refuseUnreachable(plain, table)
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
  if (start !== -1 && new RegExp(`, ?${table}\\b(?! ?\\.)`).test(text.slice(start)))
    throw new Error(`unbound: ${table} in a comma list; write a join`)
}
