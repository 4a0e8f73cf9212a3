import type { FastifyReply, FastifyRequest } from 'fastify'
import { change, type Tx } from '../../db/change.ts'
import { actorOf } from '../../http/context.ts'
import { signalOf } from '../../http/signal.ts'

/**
 * A change that answers with words alone, for what does not go through `write`: that would keep a digest of the body
 * with its Idempotency-Key, and a fast digest of a password is a hint.
 */
export const changing = <T>(request: FastifyRequest, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const { engine, clock } = request.server.house
  return change(engine, request.caller.org, clock.now(), actorOf(request), work, { signal: signalOf(request) })
}

export const answer = (reply: FastifyReply, msg: string) => reply.header('cache-control', 'no-store').send({ msg })
