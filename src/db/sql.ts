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
    else {
      values.push(value)
      text += `$${values.length}`
    }
    text += statement.strings[i + 1]
  }
  return text
}

/** Gives the names `:org` and `:now` the next placeholders; a name that does not occur is not bound. */
export function bindNames(text: string, values: unknown[], org: number, now: string): Bound {
  let bound = text
  if (bound.includes(':org')) {
    values.push(org)
    bound = bound.replaceAll(':org', `$${values.length}`)
  }
  if (bound.includes(':now')) {
    values.push(now)
    bound = bound.replaceAll(':now', `$${values.length}`)
  }
  return { text: bound, values }
}
