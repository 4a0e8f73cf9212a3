import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import type { Actor } from '../../db/audit.ts'

export type SessionCaller = Caller & { session: NonNullable<Caller['session']> }

export const hasSession = (caller: Caller): caller is SessionCaller =>
  caller.kind === 'user' && caller.session !== undefined

/** For what only people do who have logged in. */
export function requireUser({ caller }: FastifyRequest): SessionCaller {
  if (hasSession(caller)) return caller
  throw new AppError(
    'UNAUTHORIZED',
    'This is for people who have logged in; a service user has no password and no session',
    {
      status: 403,
      reason: 'session_required',
    },
  )
}

/**
 * A credential cannot make credentials (tokens, links, secrets): whoever gets hold of one could otherwise outlive its
 * revocation. As a hook it runs before the body is even read, so that the answer does not depend on it.
 */
export async function refuseTokens({ caller }: FastifyRequest): Promise<void> {
  if (caller.credential !== 'session') throw byToken()
}

/**
 * The same where only the change itself tells whether it is one. The command line and the system have no credential.
 */
export function refuseTokensOf({ credential }: Actor): void {
  if (credential !== undefined && credential !== 'session') throw byToken()
}

const byToken = () =>
  new AppError(
    'UNAUTHORIZED',
    'A token cannot make or change what somebody proves themselves with; log in, or use the command line',
    {
      status: 403,
      reason: 'tokens_cannot_make_tokens',
    },
  )
