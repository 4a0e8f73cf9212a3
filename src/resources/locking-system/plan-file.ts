import { AppError } from '../../core/errors.ts'
import { FileThread, isOutOfMemory } from '../../http/file-thread.ts'

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

const thread = new FileThread<PlanFileQuestion, PlanFileReply>(new URL('./plan-file-worker.ts', import.meta.url))

async function ask(question: PlanFileQuestion): Promise<PlanFileReply> {
  try {
    return await thread.ask(question)
  } catch (error) {
    if (isOutOfMemory(error)) return { refused: 'The file holds more than can be read at once' }
    throw error
  }
}

export async function readPlanFile(format: PlanFormat, bytes: Uint8Array): Promise<string[][]> {
  const reply = await ask({ ask: 'read', format, bytes })
  if ('rows' in reply) return reply.rows
  throw new AppError('VALIDATION_ERROR', 'refused' in reply ? reply.refused : 'The file cannot be read', {
    reason: 'plan.file',
  })
}

export async function writePlanFile(format: PlanFormat, rows: string[][]): Promise<Buffer> {
  const reply = await ask({ ask: 'write', format, rows })
  if (!('bytes' in reply)) throw new Error('a plan was not written')
  return Buffer.from(reply.bytes)
}
