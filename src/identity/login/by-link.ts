import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { signalOf } from '../../http/signal.ts'
import { refuseOtherSites } from '../sessions/same-origin.ts'
import { turnsFor } from './turns.ts'

export const LinkToken = Type.String({
  maxLength: 200,
  description: 'The token of the link: what follows `#`.',
  examples: ['…'],
})

/**
 * What a page of ours asks with a link. One that is not good counts as a wrong credential does, so that nobody can try
 * many.
 */
export async function byLink<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  refuseOtherSites(request)
  try {
    return await turnsFor(request.server.house.engine).run(work, signalOf(request))
  } catch (error) {
    if (error instanceof AppError && error.reason === 'invalid_link')
      throw request.server.house.failures.count(request.ip) ?? error
    throw error
  }
}
