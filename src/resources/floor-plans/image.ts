import { AppError } from '../../core/errors.ts'
import { FileThread, isOutOfMemory } from '../../http/file-thread.ts'
import type { ImageType } from './schema.ts'

export const MAX_BYTES = 5 * 1024 * 1024

export interface SafeImage {
  type: ImageType
  bytes: Buffer
  width: number
  height: number
  /** What was left out because it is not safe. */
  removed: readonly string[]
}

export interface ImageQuestion {
  type: ImageType
  bytes: Uint8Array
}

export type ImageReply = (Omit<SafeImage, 'type' | 'bytes'> & { bytes: Uint8Array }) | { refused: string }

const thread = new FileThread<ImageQuestion, ImageReply>(new URL('./image-worker.ts', import.meta.url))

/** The image with nothing in it but what is known to be harmless; throws what it cannot be. */
export async function madeSafe(question: ImageQuestion, signal?: AbortSignal): Promise<SafeImage> {
  const reply = await ask(question, signal)
  if ('refused' in reply) throw new AppError('VALIDATION_ERROR', reply.refused, { reason: 'floor_plan.image' })
  return { ...reply, type: question.type, bytes: Buffer.from(reply.bytes) }
}

async function ask(question: ImageQuestion, signal: AbortSignal | undefined): Promise<ImageReply> {
  try {
    return await thread.ask(question, signal)
  } catch (error) {
    if (isOutOfMemory(error)) return { refused: 'The image holds more than can be looked through' }
    throw error
  }
}
