import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Rights } from '../../core/rights.ts'

/**
 * What whoever calls may do by now, in the middle of a request that lasts: the credential may have been revoked, the
 * session ended and roles taken since. Undefined: nothing any more.
 */
export async function rightsNow(request: FastifyRequest): Promise<Rights | undefined> {
  request.isRecheck = true
  try {
    return (await request.server.house.authenticate(request)).rights
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error
    return undefined
  }
}
