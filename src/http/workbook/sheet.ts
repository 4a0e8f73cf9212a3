import { isFailedFormula, NOT_WORKED_OUT } from './formulas.ts'
import { ItemText, type SharedStrings } from './shared-strings.ts'
import type { Handler } from './xml.ts'

/** As many as a spreadsheet has. */
const MOST_COLUMNS = 16_384
const MOST_ROWS = 1_048_576
const DAY_MS = 86_400_000
/** Days from the first of a spreadsheet to that of Unix; some count from 1904. */
const EPOCH = 25_569
const EPOCH_1904 = 24_107

/** A cell that holds no value that could be taken: which, and why. */
export class BrokenCell extends Error {}

/**
 * What becomes of a cell whose formula failed or has no result: it breaks the sheet, or stands for itself, to be told
 * by its row.
 */
export type FailedFormulas = 'refused' | 'kept'

interface Cell {
  at: string
  column: number
  type: string
  style: number
  value: string | undefined
  hasFormula: boolean
}

/** Makes rows of text of the XML of a sheet. Rows and cells without a value are there where others follow. */
export class SheetReader implements Handler {
  isBegun = false
  private readonly strings: SharedStrings
  private readonly dates: ReadonlySet<number>
  private readonly epoch: number
  private readonly failed: FailedFormulas
  private rows: string[][] = []
  private row: string[] = []
  private rowNumber = 0
  private lastGiven = 0
  private cell: Cell | undefined
  private isValue = false
  private readonly inline = new ItemText()

  constructor(strings: SharedStrings, dates: ReadonlySet<number>, isFrom1904: boolean, failed: FailedFormulas) {
    this.strings = strings
    this.dates = dates
    this.failed = failed
    this.epoch = isFrom1904 ? EPOCH_1904 : EPOCH
  }

  /** The rows that came since it was asked last. */
  take(): string[][] {
    const { rows } = this
    this.rows = []
    return rows
  }

  open(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
    this.inline.open(name)
    if (name === 'sheetData') this.isBegun = true
    else if (name === 'row') this.openRow(r)
    else if (name === 'c') this.openCell(r, t, s)
    else if (name === 'v') this.isValue = true
    else if (name === 'f' && this.cell) this.cell.hasFormula = true
  }

  text(text: string): void {
    this.inline.add(text)
    if (this.isValue && this.cell) this.cell.value = (this.cell.value ?? '') + text
  }

  close(name: string): void {
    this.inline.close(name)
    if (name === 'v') this.isValue = false
    else if (name === 'c') this.closeCell()
    else if (name === 'row') this.closeRow()
  }

  private openRow(r: string | undefined): void {
    this.rowNumber = Math.max(Number(r) || 0, this.rowNumber + 1)
    if (this.rowNumber > MOST_ROWS) throw new Error('the sheet has a row that no sheet has')
    this.row = []
  }

  private openCell(r: string | undefined, type = 'n', s = '0'): void {
    const column = r === undefined ? this.row.length : columnOf(r)
    this.cell = { at: r ?? `${this.rowNumber}`, column, type, style: Number(s), value: undefined, hasFormula: false }
  }

  private closeCell(): void {
    const { cell } = this
    if (!cell) return
    const text = this.textOf(cell)
    this.cell = undefined
    if (text === '') return
    while (this.row.length < cell.column) this.row.push('')
    this.row[cell.column] = text
  }

  private closeRow(): void {
    if (this.row.length === 0) return
    for (let empty = this.lastGiven + 1; empty < this.rowNumber; empty++) this.rows.push([])
    this.rows.push(this.row)
    this.lastGiven = this.rowNumber
  }

  private textOf({ at, type, style, value, hasFormula }: Cell): string {
    const inline = this.inline.take()
    if (type === 'e' && this.failed === 'kept') return value !== undefined && isFailedFormula(value) ? value : '#VALUE!'
    if (type === 'e')
      throw new BrokenCell(`The cell ${at} holds an error instead of a value: mend its formula, or clear it`)
    // A formula whose result is the empty text says so by its type.
    const isLeft = hasFormula && !value && type !== 'str'
    if (isLeft && this.failed === 'kept') return NOT_WORKED_OUT
    if (isLeft)
      throw new BrokenCell(
        `The cell ${at} holds a formula without its result: open the file in a spreadsheet and save it there, ` +
          'or put the value in',
      )
    if (type === 'inlineStr') return unescaped(inline)
    if (value === undefined || value === '') return ''
    if (type === 's') return unescaped(this.strings.at(Number(value)))
    if (type === 'b') return value === '1' ? 'true' : 'false'
    if (type === 'str') return unescaped(value)
    const number = Number(value)
    if (type !== 'n' || Number.isNaN(number)) return value
    return this.dates.has(style) ? dayOf(number - this.epoch) : String(number)
  }
}

function columnOf(at: string): number {
  let column = 0
  for (const letter of at.toUpperCase()) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  if (column < 1 || column > MOST_COLUMNS) throw new Error('the sheet has a column that no sheet has')
  return column - 1
}

/** A day without a time is a date. Spreadsheets know no zones, and keep seconds as fractions of a day. */
function dayOf(days: number): string {
  const date = new Date(Math.round((days * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(date.getTime())) return String(days)
  const [day = '', time] = date.toISOString().split(/T|\./, 2)
  return time === '00:00:00' ? day : `${day}T${time}`
}

/** What XML has no place for stands as `_x000D_` in a workbook, and so does what looks like that. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
