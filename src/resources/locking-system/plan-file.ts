import { Worker } from 'node:worker_threads'
import { AppError, tooSlow } from '../../core/errors.ts'

export const planFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type PlanFormat = keyof typeof planFormats

export const MAX_BYTES = 4 * 1024 * 1024
export const MAX_ROWS = 5001
export const MAX_COLUMNS = 503

export type PlanFileQuestion =
  | { ask: 'read'; format: PlanFormat; bytes: Uint8Array }
  | { ask: 'write'; format: PlanFormat; rows: string[][] }
export type PlanFileReply = { rows: string[][] } | { bytes: Uint8Array } | { refused: string }

/** Each takes a thread and some memory, one at a time; so many may wait. */
const MAX_WAITING = 10
const HEAP_MB = 256
const LIMIT_MS = 10_000

let waiting = 0
let turn: Promise<unknown> = Promise.resolve()

/** Reads or writes a file in a thread of its own, which ends with the answer or when its time or memory is up. */
async function ask(question: PlanFileQuestion): Promise<PlanFileReply> {
  if (waiting >= MAX_WAITING) throw tooSlow()
  waiting += 1
  const mine = turn.then(() => run(question))
  turn = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    waiting -= 1
  }
}

function run(workerData: PlanFileQuestion): Promise<PlanFileReply> {
  const worker = new Worker(new URL('./plan-file-worker.ts', import.meta.url), {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  return new Promise<PlanFileReply>((resolve, reject) => {
    const late = setTimeout(() => reject(tooSlow()), LIMIT_MS)
    worker.once('message', resolve)
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ refused: 'The file holds more than can be read at once' }) : reject(error),
    )
    worker.once('exit', () => {
      clearTimeout(late)
      reject(new Error('the thread for plan files ended without an answer'))
    })
  }).finally(() => worker.terminate())
}

export async function readPlanFile(format: PlanFormat, bytes: Uint8Array): Promise<string[][]> {
  const reply = await ask({ ask: 'read', format, bytes })
  if ('rows' in reply) return reply.rows
  throw new AppError('VALIDATION_ERROR', 'refused' in reply ? reply.refused : 'The file cannot be read', { reason: 'plan.file' })
}

export async function writePlanFile(format: PlanFormat, rows: string[][]): Promise<Buffer> {
  const reply = await ask({ ask: 'write', format, rows })
  if (!('bytes' in reply)) throw new Error('a plan was not written')
  return Buffer.from(reply.bytes)
}
