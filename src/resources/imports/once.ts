import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { StoredAnswer } from '../../db/along/kept-answers.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { changeAs } from '../../http/change-as.ts'
import { reading } from '../../http/context.ts'
import { Repeatable, stillRunning } from '../../http/items/idempotency.ts'
import { alone } from '../../http/items/write.ts'
import type { Asked } from './store.ts'

interface Steps {
  /** Gives the import's id; `last` is done as the last of its rows is stored. */
  store(last?: (tx: Tx, id: string) => Promise<void>): Promise<string>
  /** Small ones are done with it. `tell`: asked what came of that. */
  begin<T>(id: string, tell: () => Promise<T>): Promise<T>
  answer(handle: OrgHandle, id: string): Promise<StoredAnswer>
}

/**
 * Takes rows in, unless they were taken in under the same `Idempotency-Key` before: that is answered as it was. Whether
 * it is the same file is known once it has been read.
 */
export async function takeOnce(
  request: FastifyRequest,
  lots: AsyncIterable<unknown>,
  steps: Steps,
): Promise<StoredAnswer> {
  const take = async (last?: (tx: Tx, id: string) => Promise<void>): Promise<StoredAnswer> => {
    const id = await steps.store(last)
    return steps.begin(id, () => steps.answer(reading(request), id))
  }
  const repeatable = Repeatable.of(request)
  if (!repeatable) return take()
  const within = <T>(work: (tx: Tx) => Promise<T>) => changeAs(request, work, { signal: undefined })
  return alone(request, repeatable, async () => {
    if (await repeatable.isAnswered(reading(request))) {
      for await (const _ of lots);
      const before = await within((tx) => repeatable.findAnswer(tx))
      if (before) return before
      throw stillRunning()
    }
    const answer = await take(async (tx, id) => {
      // Another process was faster.
      if (await repeatable.findAnswer(tx)) throw stillRunning()
      await repeatable.remember(tx, await steps.answer(tx, id))
    })
    await within((tx) => repeatable.renew(tx, answer))
    return answer
  })
}

/** Once it has been read, a form is known by what was asked and by what is in its file. */
export async function* digested(
  request: FastifyRequest,
  asked: Asked,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  for await (const piece of file) {
    digest.update(piece)
    yield piece
  }
  request.body = { ...asked, file: digest.digest('hex') }
}
