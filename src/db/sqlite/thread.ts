import { parentPort, workerData } from 'node:worker_threads'
import { bindable, SqliteConnection } from './connection.ts'

// A thread that reads: what takes longer than the event loop may stand still is answered here
// (docs/decisions/0020-reads-off-the-loop.md).

/** One statement at a time; each sees every change committed before it begins. */
export interface Asked {
  text: string
  values: unknown[]
}

/** Rows come in pieces: whoever takes them in does something else between two of them. */
export type Told =
  | { rows: unknown[][]; columns: readonly string[]; isLast: boolean }
  | { failure: { message: string; errcode: number | undefined } }

export interface ThreadData {
  path: string
}

const PIECE = 500
const CACHE_KIB = 8000

/** Of a thread with a connection of its own; the file is opened with the first statement. */
function answering({ path }: ThreadData, tell: (told: Told) => void): (asked: Asked) => void {
  let connection: SqliteConnection | undefined
  return ({ text, values }) => {
    try {
      connection ??= new SqliteConnection(path, { cacheKiB: CACHE_KIB, readOnly: true })
      const { statement, columns } = connection.prepared(text)
      let rows: unknown[][] = []
      for (const row of statement.iterate(...bindable(values)) as Iterable<unknown> as Iterable<unknown[]>) {
        if (rows.length === PIECE) {
          tell({ rows, columns, isLast: false })
          rows = []
        }
        rows.push(row)
      }
      tell({ rows, columns, isLast: true })
    } catch (error) {
      const { message, errcode } = error as Error & { errcode?: number }
      tell({ failure: { message, errcode } })
    }
  }
}

const port = parentPort
if (port)
  port.on(
    'message',
    answering(workerData as ThreadData, (told) => port.postMessage(told)),
  )
