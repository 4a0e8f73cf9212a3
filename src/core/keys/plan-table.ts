import type { ErrorDetail } from '../errors.ts'
import type { Steps } from '../pauses.ts'

/** A locking plan as a table: a cylinder per row, a key type per column, a cross where the one opens the other. */
export interface PlanTable {
  cylinders: ReadonlyArray<{ number: string; label: string | null; door: string | null }>
  codes: readonly string[]
  /** Whether the key type opens the cylinder, by the places of both. */
  opens: (cylinder: number, code: number) => boolean
}

const HEAD = ['Cylinder', 'Label', 'Door'] as const
const CROSS = 'x'
const SET = new Set(['x', '×', '✓', '1', 'yes', 'ja', 'true'])
const CLEAR = new Set(['', '-', '0', 'no', 'nein', 'false'])

/** A row at a time: a large plan has hundreds of thousands of cells. */
export function* toRows({ cylinders, codes, opens }: PlanTable): Steps<string[][]> {
  const rows: string[][] = [[...HEAD, ...codes]]
  for (const [row, { number, label, door }] of cylinders.entries()) {
    yield
    rows.push([number, label ?? '', door ?? '', ...codes.map((_, column) => (opens(row, column) ? CROSS : ''))])
  }
  return rows
}

export interface CellMark {
  number: string
  code: string
  isSet: boolean
  /** Where it stands in the file, as a spreadsheet calls it. */
  at: string
}

/** What a table says, and what is wrong with it, cell by cell. */
export interface PlanReading {
  /** Where each cylinder and each key type stands. */
  numbers: Map<string, string>
  codes: Map<string, string>
  marks: CellMark[]
  faults: ErrorDetail[]
}

/** A spreadsheet's name of a cell: B7. */
export function cellName(row: number, column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row + 1}`
}

/** Labels and doors are for people: an import goes by the cylinder's number and the key type's code alone. */
export function fromRows(rows: ReadonlyArray<readonly string[]>): PlanReading {
  const reading: PlanReading = { numbers: new Map(), codes: new Map(), marks: [], faults: [] }
  const fault = (at: string, rule: string, message: string) =>
    reading.faults.push({ path: at, rule, message: `${at}: ${message}` })
  const [head = [], ...body] = rows
  const columns = readHead(head, reading, fault)
  for (const [index, cells] of body.entries()) {
    const row = index + 1
    if (cells.every((cell) => cell.trim() === '')) continue
    const number = (cells[0] ?? '').trim()
    const at = cellName(row, 0)
    if (number === '') fault(at, 'plan.no_number', 'the number of the cylinder is missing')
    else if (reading.numbers.has(number))
      fault(at, 'plan.twice', `cylinder ${number} stands in ${reading.numbers.get(number)} already`)
    else reading.numbers.set(number, at)
    for (const [column, code] of columns) {
      const mark = (cells[column] ?? '').trim().toLowerCase()
      const cell = cellName(row, column)
      if (SET.has(mark) || CLEAR.has(mark)) reading.marks.push({ number, code, isSet: SET.has(mark), at: cell })
      else fault(cell, 'plan.mark', `"${mark.slice(0, 40)}" is neither a cross (x) nor empty`)
    }
  }
  return reading
}

type Fault = (at: string, rule: string, message: string) => void

/** The columns of key types, by their place. */
function readHead(head: readonly string[], { codes }: PlanReading, fault: Fault): Array<[number, string]> {
  const columns: Array<[number, string]> = []
  if (head.length <= HEAD.length)
    fault('A1', 'plan.no_head', `the first row must be ${HEAD.join(', ')} and the codes of key types`)
  for (let column = HEAD.length; column < head.length; column++) {
    const code = (head[column] ?? '').trim()
    const at = cellName(0, column)
    if (code === '') continue
    if (codes.has(code)) fault(at, 'plan.twice', `key type ${code} stands in ${codes.get(code)} already`)
    else {
      codes.set(code, at)
      columns.push([column, code])
    }
  }
  return columns
}
