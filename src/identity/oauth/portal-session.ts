import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { hasSession, type SessionCaller } from '../sessions/caller.ts'
import { readSessionCookie } from '../sessions/cookie.ts'

/**
 * Who has logged in at this service, by the cookie of the request; undefined: nobody, no longer, or not with all that
 * is demanded.
 */
export async function findLoggedIn(request: FastifyRequest): Promise<SessionCaller | undefined> {
  const caller = await findSession(request)
  return caller?.awaitedFactor ? undefined : caller
}

/** The page of ours where somebody does what is missing, and is sent on from. */
export async function loginAddress(request: FastifyRequest, returnTo: string): Promise<string> {
  const { config } = request.server.house
  const isFactor = request.server.hasPortal() && (await findSession(request))?.awaitedFactor !== undefined
  return `${config.baseUrl}${isFactor ? '/second-factor' : '/login'}?return=${encodeURIComponent(returnTo)}`
}

async function findSession(request: FastifyRequest): Promise<SessionCaller | undefined> {
  if (request.headers.authorization !== undefined || readSessionCookie(request) === undefined) return undefined
  try {
    const caller = await request.server.house.authenticate(request)
    return hasSession(caller) ? caller : undefined
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}

/** When they last gave their password, as the provider counts time. */
export const loginSeconds = ({ session }: SessionCaller): number => Math.floor(Date.parse(session.confirmedAt) / 1000)
