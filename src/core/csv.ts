/** What a spreadsheet takes for a formula; the full-width forms too, which some read as the plain ones. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const LED = /^'+[=+\-@\t\r\n＝＋－＠]/

/** A line of CSV (RFC 4180), safe to open in a spreadsheet: every cell is a text or a number, never a formula. */
export function csvLine(cells: readonly unknown[]): string {
  let line = ''
  for (let index = 0; index < cells.length; index++)
    line += index === 0 ? csvCell(cells[index]) : `,${csvCell(cells[index])}`
  return `${line}\r\n`
}

const QUOTED = /[",\r\n;]|^\s|\s$/

/** A text of which it is known that it is neither quoted nor a formula, such as an id or an instant. */
export const plainCell = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/**
 * A text that begins like a formula is led by an apostrophe, and so is one that is led already: `unled` gives each
 * back.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const plain = FORMULA.test(text) ? `'${text}` : text
  // An empty text is told apart from nothing by its quotes.
  return plain === '' || QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A cell as it was before it was written. */
export const unled = (text: string): string => (LED.test(text) ? text.slice(1) : text)
