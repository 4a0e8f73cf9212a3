/** What a spreadsheet takes for a formula; the full-width forms too, which some read as the plain ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A line of CSV (RFC 4180), safe to open in a spreadsheet: every cell is a text or a number, never a formula. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n;]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
