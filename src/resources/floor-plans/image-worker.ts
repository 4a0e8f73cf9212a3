import { answering } from '../../http/file-program.ts'
import type { ImageQuestion, ImageReply } from './image.ts'
import { Refused } from './refused.ts'
import { safePng } from './safe-png.ts'
import { safeSvg } from './safe-svg.ts'

// A thread of its own: what is sent may be made to keep a reader busy, or to fill its memory.

async function answer({ type, bytes }: ImageQuestion): Promise<ImageReply> {
  try {
    return type === 'image/png' ? await safePng(bytes) : safeSvg(bytes)
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}

answering(answer)
