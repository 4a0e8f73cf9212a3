import { Worker } from 'node:worker_threads'
import { AppError, tooSlow, unavailable } from '../../core/errors.ts'
import { sure } from '../../core/typed.ts'

/** Rows that are handed over at once. */
export const ROWS_AT_ONCE = 500

export interface Limits {
  rows: number
  columns: number
  rowBytes: number
}

export type ToReader = { is: 'piece'; bytes: Uint8Array } | { is: 'end' } | { is: 'more' }
export type FromReader =
  | { is: 'ready' }
  | { is: 'rows'; rows: string[][] }
  | { is: 'done' }
  | { is: 'refused'; why: string }

const limits: Limits = { rows: 200_000, columns: 200, rowBytes: 200_000 }
/** A workbook is held packed, since where its parts are is said at its end. */
const MAX_BYTES = { csv: 128 * 1024 * 1024, xlsx: 32 * 1024 * 1024 } as const
const HEAP_MB = 256
/** Each takes a thread and some memory. */
const AT_ONCE = 2
const LIMIT_MS = 300_000

let running = 0

const unreadable = (why: string) => new AppError('VALIDATION_ERROR', why, { reason: 'import.file' })

/** The rows of a file, in lots, as it comes in: nobody holds the whole of it. */
export async function* readTable(format: 'csv' | 'xlsx', file: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  if (running >= AT_ONCE)
    throw unavailable('too_many_readers', 'Other files are being read; try again when one of them is through')
  running += 1
  const worker = new Worker(new URL('./table-worker.ts', import.meta.url), {
    workerData: { format, limits },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  try {
    const inbox = messagesOf(worker)
    const bytes = file[Symbol.asyncIterator]()
    let total = 0
    for (;;) {
      const message = await inbox.next()
      if (message.is === 'done') return
      if (message.is === 'refused') throw unreadable(message.why)
      if (message.is === 'rows') {
        yield message.rows
        worker.postMessage({ is: 'more' } satisfies ToReader)
        continue
      }
      const piece = await bytes.next()
      total += piece.value?.length ?? 0
      if (total > MAX_BYTES[format])
        throw new AppError(
          'PAYLOAD_TOO_LARGE',
          `A file of this type is at most ${MAX_BYTES[format] / 1024 / 1024} MiB; send it in pieces`,
        )
      worker.postMessage((piece.done ? { is: 'end' } : { is: 'piece', bytes: piece.value }) satisfies ToReader)
    }
  } finally {
    running -= 1
    await worker.terminate()
  }
}

function messagesOf(worker: Worker): { next(): Promise<FromReader> } {
  const queue: FromReader[] = []
  let failure: unknown
  let wake: (() => void) | undefined
  const arrive = () => wake?.()
  worker.on('message', (message: FromReader) => {
    queue.push(message)
    arrive()
  })
  worker.on('error', (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? unreadable('The file holds more than can be read at once; send it as CSV')
        : error
    arrive()
  })
  worker.on('exit', () => {
    failure ??= new Error('the thread that reads a file ended without an answer')
    arrive()
  })
  const late = setTimeout(() => {
    failure ??= tooSlow()
    arrive()
  }, LIMIT_MS).unref()
  return {
    async next() {
      while (queue.length === 0) {
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const message = sure(queue.shift())
      if (message.is === 'done' || message.is === 'refused') clearTimeout(late)
      return message
    },
  }
}
