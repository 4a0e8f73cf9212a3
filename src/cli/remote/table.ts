type Row = Readonly<Record<string, unknown>>

/** What tells items apart comes first, and not more than fits. */
const TELLING = [
  'id',
  'external_id',
  'number',
  'code',
  'label',
  'name',
  'display_name',
  'email',
  'type',
  'kind',
  'status',
  'valid_until',
  'expires_at',
  'occurred_at',
]
const MOST_COLUMNS = 6
const WIDEST = 60

/** Rows under the names of their fields, for people. */
export function table(rows: readonly Row[], columns?: readonly string[]): string {
  const [first = {}] = rows
  const known = TELLING.filter((name) => name in first)
  const names = columns ?? (known.length > 1 ? known : Object.keys(first)).slice(0, MOST_COLUMNS)
  const lines = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One item: a line for each field. */
export function record(item: Row): string {
  const width = Math.max(...Object.keys(item).map((name) => name.length))
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value, Number.POSITIVE_INFINITY)}`.trimEnd())
    .join('\n')
}

/** What came from elsewhere moves no cursor and changes no colour. */
function cell(value: unknown, widest = WIDEST): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const plain = text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
  return plain.length > widest ? `${plain.slice(0, widest - 1)}…` : plain
}
