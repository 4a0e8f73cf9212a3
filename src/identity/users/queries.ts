import type { Action } from '../../core/change-verbs.ts'
import { AppError } from '../../core/errors.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, getRow, updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { refuseGivingAllOf } from '../giving.ts'
import { keepAnOwner } from '../last-owner.ts'
import { removeGrantsOf } from '../oauth/grants.ts'
import { disableTotp } from '../second-factor.ts'
import { refuseTokensOf } from '../sessions/caller.ts'
import { endSessions } from '../sessions/queries.ts'
import { hasWayIn, keepAWayIn } from '../ways-in.ts'
import { dropLinks, type HandedOver, type MadeLink, makeLink } from './links.ts'
import { type User, users } from './schema.ts'

const state = (reason: string, msg: string) => new AppError('INVALID_STATE', msg, { reason })

/** Whoever decides how somebody proves themselves could act as them: they must hold all that they hold. */
const requireNoLessThan = (tx: Tx, { id }: User): Promise<void> =>
  refuseGivingAllOf(tx, { user_id: id, service_user_id: null })

export const isOtherAddress = (next: User, current: User): boolean => emailKey(next.email) !== emailKey(current.email)

/**
 * Whoever has the address can ask for a new password: it is a way in, and links that went to the one before are none
 * any more.
 */
async function beforeAddressChange(tx: Tx, current: User): Promise<void> {
  if (current.status !== 'invited') refuseTokensOf(tx.actor)
  await requireNoLessThan(tx, current)
  await dropLinks(tx, current.id, 'invitation')
  await dropLinks(tx, current.id, 'reset')
}

export async function prepareUser(tx: Tx, next: User, current: User | undefined): Promise<AnyRow | undefined> {
  if (current && isOtherAddress(next, current)) await beforeAddressChange(tx, current)
  // The index has the last word; this one names the field.
  const same = await tx.one<{ id: string }>(
    sql`select t.id from users t where t.org = :org and t.email_key = ${emailKey(next.email)} and t.id <> ${next.id}`,
  )
  if (same) {
    const message = 'email is already taken by another user'
    throw new AppError('CONFLICT', message, {
      reason: 'not_unique',
      details: [{ path: 'email', rule: 'not_unique', message }],
    })
  }
  return current?.email === next.email ? undefined : { email_key: emailKey(next.email) }
}

/** Without a way to hand a link over none is made: somebody who has logged in makes it later. */
export async function inviteUser(
  tx: Tx,
  body: AnyRow,
  by: HandedOver | undefined,
): Promise<{ user: User; link?: MadeLink }> {
  const user = await createRow(tx, users, { ...body, status: 'invited' }, 'all', { prepare: prepareUser })
  return by === undefined ? { user } : { user, link: await invite(tx, user, by) }
}

async function invite(tx: Tx, user: User, by: HandedOver): Promise<MadeLink> {
  const link = await makeLink(tx, user.id, 'invitation', by)
  record(tx, 'user.invited', user.id, { expires_at: link.expiresAt })
  return link
}

/** The first link was lost or has expired. */
export async function inviteAgain(tx: Tx, user: User, by: HandedOver): Promise<MadeLink> {
  if (user.status !== 'invited')
    throw state('user.not_invited', `The user is ${user.status}; only an invitation can be repeated`)
  await requireNoLessThan(tx, user)
  return invite(tx, user, by)
}

export async function makeResetLink(tx: Tx, user: User, by: HandedOver): Promise<MadeLink> {
  if (user.status !== 'active')
    throw state(`user.${user.status}`, `The user is ${user.status}; only an active user gets a new password`)
  await requireNoLessThan(tx, user)
  const link = await makeLink(tx, user.id, 'reset', by)
  record(tx, 'user.reset_link_made', user.id, { expires_at: link.expiresAt })
  return link
}

export async function suspendUser(tx: Tx, user: User): Promise<AnyRow> {
  if (user.status === 'suspended') throw state('user.suspended', 'The user is suspended already')
  await keepAnOwner(tx, (owner) => owner.holder_id === user.id)
  await endSessions(tx, user.id)
  await dropLinks(tx, user.id, 'invitation')
  await dropLinks(tx, user.id, 'reset')
  return updateRow(tx, users, user, { status: 'suspended' }, 'suspended')
}

/** Back to what they were: without a way in they are still invited, and need a link. */
export async function reactivateUser(tx: Tx, user: User, issuers: readonly string[]): Promise<AnyRow> {
  if (user.status !== 'suspended') throw state('user.not_suspended', `The user is ${user.status}, not suspended`)
  // Whoever suspended them before, a later suspension is not an identity provider's.
  await tx.run(sql`update scim_logins as t set has_suspended = ${false} where t.org = :org and t.user_id = ${user.id}`)
  return updateRow(
    tx,
    users,
    user,
    { status: (await hasWayIn(tx, user.id, issuers)) ? 'active' : 'invited' },
    'reactivated',
  )
}

/**
 * A lost second factor; `passkeys` too, unless they are the only way in. Whoever has the lost device is logged out, and
 * so is what they let act for them.
 */
export async function removeFactors(
  tx: Tx,
  user: User,
  passkeys: boolean,
  issuers: readonly string[],
): Promise<AnyRow> {
  await requireNoLessThan(tx, user)
  const lost = passkeys
    ? await tx.all<{ id: string }>(
        sql`select t.id from passkeys t where t.org = :org and t.user_id = ${user.id} order by t.id`,
      )
    : []
  if (!user.mfa && lost.length === 0) throw state('mfa.not_enrolled', 'The user has no second factor')
  if (user.mfa) await disableTotp(tx, user.id)
  for (const { id } of lost) {
    await tx.remove('passkeys', id)
    tx.record({
      action: 'passkey.deleted',
      resource: 'passkeys',
      resourceId: id,
      before: { id, user_id: user.id },
      after: null,
    })
  }
  if (lost.length > 0) await keepAWayIn(tx, user.id, issuers)
  await endSessions(tx, user.id)
  await removeGrantsOf(tx, user.id, 'factor_removed')
  record(tx, 'user.mfa_removed', user.id, { passkeys: lost.length })
  return getRow(tx, users, user.id, 'all')
}

export async function beforeUserDelete(tx: Tx, user: User): Promise<void> {
  await keepAnOwner(tx, (owner) => owner.holder_id === user.id)
  await endSessions(tx, user.id)
  await removeGrantsOf(tx, user.id, 'user_deleted')
}

/**
 * A new password: whoever is logged in with the old one is logged out, no link made for it works any more, and no
 * application acts for them until they agree anew.
 */
export async function setPassword(tx: Tx, userId: string, passwordHash: string, keepSession?: string): Promise<void> {
  await tx.update('users', userId, { password_hash: passwordHash })
  await dropLinks(tx, userId, 'reset')
  await endSessions(tx, userId, keepSession === undefined ? {} : { but: keepSession })
  await removeGrantsOf(tx, userId, 'new_password')
}

/** What happened to somebody's access, without what it was done with. */
export function record(tx: Tx, action: Action, userId: string, after: AnyRow | null = null): void {
  tx.record({ action, resource: users.noun, resourceId: userId, before: null, after })
}
