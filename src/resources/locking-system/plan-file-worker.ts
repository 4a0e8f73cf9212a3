import { parse } from 'csv-parse/sync'
import writeXlsxFile from 'write-excel-file/node'
import { csvLine, unled } from '../../core/csv.ts'
import { answering } from '../../http/file-program.ts'
import { readWorkbook } from '../../http/workbook/read-workbook.ts'
import { BrokenCell } from '../../http/workbook/sheet.ts'
import { MAX_COLUMNS, MAX_ROWS, type PlanFileQuestion, type PlanFileReply } from './plan-file.ts'

// A thread of its own: what is sent may be made to keep a reader busy, or to fill its memory.

/** What spreadsheets write that know no UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const BOM = '\uFEFF'

function readCsv(bytes: Uint8Array): string[][] {
  const text = decode(bytes)
  const [head = ''] = text.split(/\r?\n/, 1)
  const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
  const rows = parse(text, { delimiter, bom: true, relax_column_count: true, to_line: 10 * MAX_ROWS })
  return rows.map((row) => row.map(unled))
}

async function readXlsx(bytes: Uint8Array): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of readWorkbook(Buffer.from(bytes))) if (rows.push(row) > MAX_ROWS) break
  const width = Math.max(0, ...rows.map((row) => row.length))
  return rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''))
}

async function answer(question: PlanFileQuestion): Promise<PlanFileReply> {
  if (question.ask === 'write') {
    if (question.format === 'csv')
      return { bytes: Buffer.from(BOM + question.rows.map((row) => csvLine(row)).join('')) }
    const cells = question.rows.map((row) => row.map((value) => (value === '' ? null : { value, type: String })))
    return {
      bytes: await writeXlsxFile(cells, { sheet: 'Plan', stickyRowsCount: 1, stickyColumnsCount: 3 }).toBuffer(),
    }
  }
  let rows: string[][]
  try {
    rows = question.format === 'csv' ? readCsv(question.bytes) : await readXlsx(question.bytes)
  } catch (error) {
    if (error instanceof BrokenCell) return { refused: error.message }
    return { refused: `The body is not a file of the type ${question.format}` }
  }
  if (rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS))
    return { refused: `The file has more than ${MAX_ROWS} rows or ${MAX_COLUMNS} columns` }
  return { rows }
}

answering(answer)
