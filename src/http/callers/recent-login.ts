import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { RoutePermission } from '../context.ts'

/** Whoever finds a browser open must not be able to make themselves at home. */
const recentLoginFor: ReadonlySet<RoutePermission> = new Set([
  'tokens:write',
  'roles:write',
  'role-assignments:write',
  'users:write',
  'oauth-applications:write',
  'external-identities:write',
  'webhooks:write',
])

/** Where a change by this permission decides who may do what. */
export function requireRecentLoginFor(request: FastifyRequest, permission: RoutePermission): void {
  if (recentLoginFor.has(permission)) requireRecentLogin(request)
}

const RECENT_MS = 10 * 60_000

/** What decides who may do what wants the password to have been given lately. A token is not a browser left open. */
export function requireRecentLogin({ caller, server }: FastifyRequest): void {
  if (caller.credential !== 'session') return
  const confirmedAt = caller.session?.confirmedAt
  const age =
    confirmedAt === undefined
      ? Number.POSITIVE_INFINITY
      : Date.parse(server.house.clock.now()) - Date.parse(confirmedAt)
  if (age >= 0 && age < RECENT_MS) return
  throw new AppError(
    'UNAUTHORIZED',
    'You logged in a while ago: give your password again (POST /api/v1/me/confirm-password), use a passkey (POST ' +
      '/api/v1/me/confirm-passkey) or log in anew, then repeat this',
    {
      status: 403,
      reason: 'recent_login_required',
    },
  )
}
