import { parentPort, workerData } from 'node:worker_threads'
import { CsvError, type Parser, parse } from 'csv-parse'
import { unled } from '../../core/csv.ts'
import { sure } from '../../core/typed.ts'
import { type FromReader, type Limits, ROWS_AT_ONCE, type ToReader } from './table-reader.ts'

// A thread of its own: what is sent may be made to keep a reader busy, or to fill its memory.

const { format, limits }: { format: 'csv' | 'xlsx'; limits: Limits } = workerData
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
  return sure(waiting.shift())
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
  if (total > limits.rows + 1)
    throw new Refused(`The file has more than ${limits.rows.toLocaleString('en')} rows; send it in pieces`)
  if (row.length > limits.columns) throw new Refused(`The file has more than ${limits.columns} columns`)
  if (row.some((cell) => cell.includes('\0') || !cell.isWellFormed()))
    throw new Refused(`Row ${total} of the file has a character that no text has (U+0000, or half of one); take it out`)
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

/** Spreadsheets that save Unicode text mark it so at its beginning. */
function markedAs([first, second]: Uint8Array): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined
}

/**
 * What spreadsheets write that know no UTF-8: told apart by the first byte that is not ASCII, since up to it they are
 * the same.
 */
function decoder(): (bytes: Uint8Array, isLast: boolean) => string {
  let known: TextDecoder | undefined
  let isBegun = false
  const ascii = new TextDecoder('windows-1252')
  return (bytes, isLast) => {
    if (!isBegun) known = markedAs(bytes)
    isBegun ||= bytes.length > 0
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
const delimiterOf = (head: string): string =>
  [...DELIMITERS].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
/** A line by which some spreadsheets say what separates the cells; they do not show it. */
const SEPARATOR = /^\uFEFF?sep=(.)\r?\n/i

/** A parser for what begins so, and what of that is left for it. */
function parserFor(head: string): { parser: Parser; rest: string } {
  const [line = '', separator] = SEPARATOR.exec(head) ?? []
  const delimiter = separator ?? delimiterOf(head.split(/\r?\n/, 1).join())
  // Empty lines are rows too: what is wrong is told by the row that a spreadsheet shows.
  const parser = parse({ delimiter, bom: true, relax_column_count: true, max_record_size: limits.rowBytes })
  return { parser: parser.on('error', () => undefined), rest: head.slice(line.length) }
}

async function readCsv(): Promise<void> {
  const decode = decoder()
  let parser: Parser | undefined
  let head = ''
  const take = async () => {
    for (let row: string[] | null = parser?.read(); row; row = parser?.read() ?? null) await put(row.map(unled))
  }
  const begin = () => {
    const begun = parserFor(head)
    begun.parser.write(begun.rest)
    return begun.parser
  }
  const write = async (text: string) => {
    if (parser) parser.write(text)
    else {
      head += text
      if (!/\n/.test(head) && head.length < 100_000) return
      parser = begin()
    }
    await take()
  }
  let last: Uint8Array = new Uint8Array()
  for await (const bytes of pieces()) {
    await write(decode(last, false))
    last = bytes
  }
  await write(decode(last, true))
  parser ??= begin()
  parser.end()
  // What is wrong with the file is thrown here.
  for await (const row of parser) await put(row.map(unled))
}

/** Where its parts are is said at the end of a workbook: it is held packed, and its sheet unpacked piece by piece. */
async function readXlsx(): Promise<void> {
  // Its parser is not needed for CSV.
  const { readWorkbook } = await import('../../http/workbook/read-workbook.ts')
  const parts: Uint8Array[] = []
  for await (const bytes of pieces()) parts.push(bytes)
  for await (const row of readWorkbook(Buffer.concat(parts.splice(0)), 'kept')) await put(row)
}

/** What is wrong with the file, and where. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  const cannot = `The file cannot be read as ${format}`
  if (!(error instanceof CsvError)) return cannot
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${cannot}: a quotation mark that opens behind row ${total} is never closed`
    case 'CSV_MAX_RECORD_SIZE':
      return (
        `${cannot}: the row that ends in line ${error.lines} is longer than ` +
        `${limits.rowBytes.toLocaleString('en')} bytes`
      )
    default:
      return (
        `${cannot}: line ${error.lines} has a quotation mark where none can be; one within a text is written ` +
        'twice, and the text in quotation marks'
      )
  }
}

try {
  await (format === 'csv' ? readCsv() : readXlsx())
  await flush()
  tell({ is: 'done' })
} catch (error) {
  tell({ is: 'refused', why: reasonOf(error) })
}
port.close()
