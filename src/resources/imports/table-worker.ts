import { parentPort, workerData } from 'node:worker_threads'
import { type Parser, parse } from 'csv-parse'
import { unled } from '../../core/csv.ts'
import { type FromReader, type Limits, ROWS_AT_ONCE, type ToReader } from './table-reader.ts'

// A thread of its own: what is sent may be made to keep a reader busy, or to fill its memory.

const { format, limits } = workerData as { format: 'csv' | 'xlsx'; limits: Limits }
const port = parentPort
if (!port) throw new Error('this runs in a thread')

const waiting: ToReader[] = []
let arrived: (() => void) | undefined
port.on('message', (message: ToReader) => {
  waiting.push(message)
  arrived?.()
})

async function next(): Promise<ToReader> {
  while (waiting.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
  return waiting.shift() as ToReader
}

const tell = (message: FromReader) => port.postMessage(message)

/** The pieces of the file, one asked for at a time. */
async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    tell({ is: 'ready' })
    const message = await next()
    if (message.is === 'end') return
    if (message.is === 'piece') yield message.bytes
  }
}

class Refused extends Error {}

let total = 0
let pending: string[][] = []

/** Hands rows over in lots; whoever takes them says when it is ready for more. */
async function put(row: string[]): Promise<void> {
  total += 1
  if (total > limits.rows + 1) throw new Refused(`The file has more than ${limits.rows.toLocaleString('en')} rows; send it in pieces`)
  if (row.length > limits.columns) throw new Refused(`The file has more than ${limits.columns} columns`)
  pending.push(row)
  if (pending.length >= ROWS_AT_ONCE) await flush()
}

async function flush(): Promise<void> {
  if (pending.length === 0) return
  tell({ is: 'rows', rows: pending })
  pending = []
  const message = await next()
  if (message.is !== 'more') throw new Error('rows were not taken')
}

/** What spreadsheets write that know no UTF-8: told apart by the first byte that is not ASCII, since up to it they are the same. */
function decoder(): (bytes: Uint8Array, isLast: boolean) => string {
  let known: TextDecoder | undefined
  const ascii = new TextDecoder('windows-1252')
  return (bytes, isLast) => {
    if (!known && !bytes.some((byte) => byte > 127)) return ascii.decode(bytes)
    if (!known) {
      const utf8 = new TextDecoder('utf-8', { fatal: true })
      try {
        utf8.decode(bytes, { stream: true })
        known = new TextDecoder('utf-8')
      } catch {
        known = ascii
      }
    }
    return known.decode(bytes, { stream: !isLast })
  }
}

const DELIMITERS = [',', ';', '\t']
const delimiterOf = (head: string): string => [...DELIMITERS].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','

function parserFor(head: string): Parser {
  const delimiter = delimiterOf(head.split(/\r?\n/, 1).join())
  // Empty lines are rows too: what is wrong is told by the row that a spreadsheet shows.
  const parser = parse({ delimiter, bom: true, relax_column_count: true, max_record_size: limits.rowBytes })
  return parser.on('error', () => undefined)
}

async function readCsv(): Promise<void> {
  const decode = decoder()
  let parser: Parser | undefined
  let head = ''
  const take = async () => {
    for (let row = parser?.read() as string[] | null; row; row = parser?.read() as string[] | null) await put(row.map(unled))
  }
  const write = async (text: string) => {
    if (!parser) {
      head += text
      if (!/\n/.test(head) && head.length < 100_000) return
    }
    parser ??= parserFor(head)
    parser.write(head || text)
    head = ''
    await take()
  }
  let last: Uint8Array = new Uint8Array()
  for await (const bytes of pieces()) {
    await write(decode(last, false))
    last = bytes
  }
  await write(decode(last, true))
  parser ??= parserFor(head)
  parser.end(head)
  // What is wrong with the file is thrown here.
  for await (const row of parser) await put((row as string[]).map(unled))
}

async function readXlsx(): Promise<void> {
  // Its parser is large, and not needed for CSV.
  const { readSheet } = await import('read-excel-file/node')
  const parts: Uint8Array[] = []
  for await (const bytes of pieces()) parts.push(bytes)
  for (const row of await readSheet(Buffer.concat(parts), { trim: false })) await put(row.map(inText))
}

/** What XML has no place for stands as `_x000D_` in a workbook, and so does what looks like that. */
const unescaped = (text: string): string => text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A day without a time is a date. */
function inText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return unescaped(cell)
  if (!(cell instanceof Date)) return String(cell)
  const text = cell.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

try {
  await (format === 'csv' ? readCsv() : readXlsx())
  await flush()
  tell({ is: 'done' })
} catch (error) {
  tell({ is: 'refused', why: error instanceof Refused ? error.message : `The file cannot be read as ${format}` })
}
port.close()
