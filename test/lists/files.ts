import { execFileSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { unled } from '../../src/core/csv.ts'

/** The cells of a CSV file as they were before they were written, with a name for each. */
export function csvRows(text: string): { names: string[]; rows: Array<Record<string, string>> } {
  const [names = [], ...lines] = parse(text) as string[][]
  return {
    names,
    rows: lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], unled(cell)]))),
  }
}

export async function xlsxRows(bytes: Buffer): Promise<{ names: string[]; rows: Array<Record<string, unknown>> }> {
  const [names = [], ...lines] = (await readSheet(bytes, { trim: false })) as unknown[][]
  return {
    names: names as string[],
    rows: lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null]))),
  }
}

/** How a value stands in a cell of text. */
export const cellText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/**
 * What another reader than ours says of a workbook, sheet by sheet: type and value of each cell. Undefined: Debian's
 * python3-openpyxl is not here.
 */
export function readByOpenpyxl(
  bytes: Buffer,
): Array<{ name: string; rows: Array<Array<[string, unknown]>> }> | undefined {
  const script = `
import io, json, sys, openpyxl
book = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([{'name': s.title, 'rows': [[[c.data_type, c.value] for c in r] for r in s.iter_rows()]} for s in book.worksheets]))`
  for (const python of ['/usr/bin/python3', 'python3']) {
    try {
      execFileSync(python, ['-c', 'import openpyxl'], { stdio: 'ignore' })
    } catch {
      continue
    }
    return JSON.parse(execFileSync(python, ['-c', script], { input: bytes, maxBuffer: 1 << 28 }).toString())
  }
  return undefined
}
