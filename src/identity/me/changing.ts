import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../db/change.ts'
import { changeAs } from '../../http/change-as.ts'

/**
 * A change that answers with words alone, for what does not go through `write`: that would keep a digest of the body
 * with its Idempotency-Key, and a fast digest of a password is a hint.
 */
export const changing = <T>(request: FastifyRequest, work: (tx: Tx) => Promise<T>): Promise<T> =>
  changeAs(request, work)

export const answer = (reply: FastifyReply, msg: string) => reply.header('cache-control', 'no-store').send({ msg })
