/**
 * SQL as text, values always bound: sql`select t.id from spaces t where t.org = :org and t.name = ${name}`.
 * `:org` and `:now` are bound by the handle that runs it, never by the writer. Fragments nest.
 */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export const sql = (strings: TemplateStringsArray, ...values: unknown[]) => new Sql(strings, values)

/** Text that is ours, such as a declared column name; never a caller's. */
export const raw = (text: string) => new Sql([text], [])

export const join = (parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? raw('') : new Sql(['', ...parts.slice(1).map(() => separator), ''], parts)

/**
 * `column in (select …)` of ids that are asked for again and again, whatever else a statement is about: those that can
 * be kept are bound instead of being worked out anew each time (`kept/kept-ids.ts`).
 */
export class InSelected extends Sql {
  readonly column: string
  readonly select: Sql

  constructor(column: string, select: Sql) {
    super([`${column} in (`, ')'], [select])
    this.column = column
    this.select = select
  }
}

export const inSelected = (column: string, select: Sql): Sql => new InSelected(column, select)

export interface Bound {
  text: string
  values: unknown[]
}

/** Renders with `$n` placeholders; `:org` and `:now` stay for `bindNames`. */
export function render(statement: Sql): Bound {
  const values: unknown[] = []
  return { text: write(statement, values), values }
}

function write(statement: Sql, values: unknown[]): string {
  let text = statement.strings[0] ?? ''
  for (let i = 0; i < statement.values.length; i++) {
    const value = statement.values[i]
    if (value instanceof Sql) text += write(value, values)
    else text += `$${placeOf(value, values)}`
    text += statement.strings[i + 1]
  }
  return text
}

/** A list that stands in a statement many times is sent, read and weighed once. */
function placeOf(value: unknown, values: unknown[]): number {
  const known = Array.isArray(value) ? values.indexOf(value) : -1
  return known === -1 ? values.push(value) : known + 1
}

interface NamedText {
  text: string
  usesOrg: boolean
  usesNow: boolean
}

const namedTexts = new Map<string, NamedText>()

/** Gives the names `:org` and `:now` the placeholders after the values; a name that does not occur is not bound. */
export function bindNames(text: string, values: unknown[], org: number, now: string): Bound {
  let named = namedTexts.get(text)
  if (!named) {
    if (namedTexts.size > 5000) namedTexts.clear()
    named = numberNames(text, values.length)
    namedTexts.set(text, named)
  }
  if (named.usesOrg) values.push(org)
  if (named.usesNow) values.push(now)
  return { text: named.text, values }
}

function numberNames(text: string, bound: number): NamedText {
  const usesOrg = text.includes(':org')
  const usesNow = text.includes(':now')
  const numbered = text.replaceAll(':org', `$${bound + 1}`).replaceAll(':now', `$${bound + (usesOrg ? 2 : 1)}`)
  return { text: numbered, usesOrg, usesNow }
}
