import { AppError } from '../core/errors.ts'
import { isIdentityPermission, type Permission } from '../core/permissions.ts'
import { covers, type Scope } from '../core/rights.ts'
import { rightsOf, type TokenNarrowing } from '../db/assignments.ts'
import type { Actor } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import type { OrgHandle } from '../db/org.ts'

const SHOWN = 5

/** What is given: each permission, and where. */
type Given = Iterable<readonly [Permission, Scope]>

/** Whom it is given to: a person who logs in, or software. */
interface Receiver {
  user_id: string | null
  service_user_id: string | null
}

/** Nobody gives more than they have: each permission must be held by the giver itself, everywhere it is given. */
export function refuseMoreThanOwn(giver: Actor, given: Given): void {
  if (giver.kind === 'command_line' || giver.kind === 'system') return
  const missing = [...given]
    .filter(([permission, scope]) => !covers(giver.rights?.scopeOf(permission), scope))
    .map(([name]) => name)
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

/**
 * A token gives people nothing that decides over others: whoever gets hold of one could otherwise make themselves a
 * login that outlives it. The command line and the system have no credential.
 */
export function refuseIdentityByToken({ credential }: Actor, permissions: readonly Permission[]): void {
  if (credential === undefined || credential === 'session') return
  const [first] = permissions.filter(isIdentityPermission)
  if (first === undefined) return
  throw new AppError(
    'UNAUTHORIZED',
    `A token cannot give a user what decides over others (${first}); log in, or use the command line`,
    {
      status: 403,
      reason: 'tokens_cannot_give_identity',
    },
  )
}

/** The one question before anybody is given anything, or is let act with what they have. */
export function refuseGiving(giver: Actor, { user_id }: Pick<Receiver, 'user_id'>, given: Given): void {
  const list = [...given]
  if (user_id !== null)
    refuseIdentityByToken(
      giver,
      list.map(([permission]) => permission),
    )
  refuseMoreThanOwn(giver, list)
}

/**
 * Whoever wakes somebody, says what they prove themselves with, or hands out something to act as them by, gives all
 * that they may do, less what `narrowing` leaves out.
 */
export async function refuseGivingAllOf(tx: Tx, to: Receiver, narrowing?: TokenNarrowing): Promise<void> {
  const holder = to.user_id ?? to.service_user_id
  if (holder !== null) refuseGiving(tx.actor, to, (await rightsOf(tx, holder, narrowing)).entries())
}

/** Whether somebody holds all that another does, and so could have given it to them. */
export async function holdsAllOf(handle: OrgHandle, holder: string, other: string): Promise<boolean> {
  const own = await rightsOf(handle, holder)
  const theirs = await rightsOf(handle, other)
  return theirs.entries().every(([permission, scope]) => covers(own.scopeOf(permission), scope))
}
