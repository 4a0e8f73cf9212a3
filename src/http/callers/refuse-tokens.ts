import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'

/** As a hook: nobody does with a token what would go on giving after the token has ended. */
export const refuseTokensFor =
  (reason: string, message: string) =>
  async ({ caller }: FastifyRequest): Promise<void> => {
    if (caller.credential !== 'session') throw new AppError('UNAUTHORIZED', message, { status: 403, reason })
  }
