import { AppError } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import { covers, type Scope } from '../core/rights.ts'
import type { Actor } from '../db/audit.ts'

const SHOWN = 5

/** Nobody gives more than they have: each permission must be held by the giver itself, everywhere it is given. */
export function refuseMoreThanOwn(giver: Actor, given: Iterable<readonly [Permission, Scope]>): void {
  if (giver.kind === 'command_line' || giver.kind === 'system') return
  const missing = [...given].filter(([permission, scope]) => !covers(giver.rights?.scopeOf(permission), scope)).map(([name]) => name)
  if (missing.length === 0) return
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  throw new AppError(
    'UNAUTHORIZED',
    `Nobody can give more than they have; you do not hold ${missing.slice(0, SHOWN).join(', ')}${more} there`,
    {
      status: 403,
      reason: 'insufficient_permissions',
      details: missing.map((permission) => ({
        path: 'permissions',
        rule: 'insufficient_permissions',
        message: `You do not hold ${permission} there`,
      })),
    },
  )
}
