import { AppError } from '../../core/errors.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Tx } from '../../db/change.ts'
import { getRow, patchRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { House } from '../../http/context.ts'
import { letterOf, linkTo, type MadeLink } from '../users/links.ts'
import { inviteAgain, inviteUser, prepareUser, reactivateUser, record, suspendUser } from '../users/queries.ts'
import { type User, users } from '../users/schema.ts'
import { issuersOf } from '../ways-in.ts'
import type { UserRow } from './user-fields.ts'

type Parts = Pick<House, 'config' | 'mail'>

/** Whether somebody is neither kept out nor has left. */
export const isOfTheHouse = (status: UserRow['status']): boolean => status === 'active' || status === 'invited'

const rules = { prepare: prepareUser }

/** Somebody has come, or has changed: they have a login where the configuration says so, without any role. */
export async function keepLogin(tx: Tx, parts: Parts, person: UserRow, before?: UserRow): Promise<void> {
  const { id, email, display_name, is_active, status } = person
  if (!parts.config.scimLogins) return
  const login = await findLogin(tx, id)
  if (login) return before && follow(tx, parts, login, before, person)
  // Nobody gets in here who is kept out of the house.
  const isHere = Boolean(is_active) && isOfTheHouse(status)
  if (email === null || !isHere) return
  refuseWithout(tx)
  const found = await tx.one<{ id: string }>(
    sql`select t.id from users t where t.org = :org and t.email_key = ${emailKey(email)}`,
  )
  const userId = found?.id ?? (await invite(tx, parts, { email, name: display_name }))
  // A login of somebody else who came by SCIM is not shared.
  const taken = await tx.one(
    sql`select t.individual_id from scim_logins t where t.org = :org and t.user_id = ${userId}`,
  )
  if (taken) return
  await tx.run(sql`insert into scim_logins (org, individual_id, user_id) values (:org, ${id}, ${userId})`)
  record(tx, 'user.joined_scim', userId, { individual_id: id })
}

async function invite(tx: Tx, parts: Parts, body: { email: string; name: string }): Promise<string> {
  const { user, link } = await inviteUser(tx, body, parts.mail.isOn ? 'mail' : undefined)
  if (link) await send(tx, parts, user.id, link)
  return user.id
}

const send = (tx: Tx, { config, mail }: Parts, userId: string, link: MadeLink): Promise<void> =>
  mail.queue(tx, userId, letterOf.invitation, {
    link: linkTo(config, 'invitation', link.token),
    expiresAt: link.expiresAt,
  })

/** The provider calls somebody otherwise, or writes to another address: so does their login. */
async function follow(
  tx: Tx,
  parts: Parts,
  login: User,
  before: UserRow,
  { email, display_name }: UserRow,
): Promise<void> {
  const isRenamed = display_name !== before.display_name && display_name !== login.name
  const hasMoved = email !== null && email !== before.email && emailKey(email) !== emailKey(login.email)
  if (!isRenamed && !hasMoved) return
  refuseWithout(tx)
  const current = isRenamed ? await patchRow(tx, users, login, { name: display_name }, 'all', rules) : login
  if (hasMoved) await move(tx, parts, current, email)
}

/**
 * Whoever reads at an address can ask for a new password there. So only an invitation moves, to whom it is then sent; a
 * login that is in use, or has more rights than the token, keeps the address that it has until its owner or an
 * administrator changes it: see decision 0027.
 */
async function move(tx: Tx, parts: Parts, login: User, email: string): Promise<void> {
  try {
    const moved = await tx.attempt(() => patchRow(tx, users, login, { email }, 'all', rules))
    if (parts.mail.isOn) await send(tx, parts, moved.id, await inviteAgain(tx, moved, 'mail'))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    record(tx, 'user.address_kept', login.id, { email, reason: error.reason })
  }
}

/**
 * The provider calls them active, or no longer. One that was suspended here stays so, and one that holds more than the
 * token is woken by somebody who may: `onWake` refuses.
 */
export async function switchLogin(tx: Tx, { config }: Parts, individualId: string, isActive: boolean): Promise<void> {
  const login = await findLogin(tx, individualId)
  if (!login) return
  if (isActive) {
    if (login.status === 'suspended' && (await isSuspendedByIt(tx, individualId)))
      await reactivateUser(tx, login, issuersOf(config))
    return
  }
  const suspends = login.status !== 'suspended'
  if (suspends) await suspendUser(tx, login)
  await tx.run(
    sql`update scim_logins as t set has_suspended = ${suspends} where t.org = :org
      and t.individual_id = ${individualId}`,
  )
}

/** Of those from before this was known, as it was. */
async function isSuspendedByIt(tx: Tx, individualId: string): Promise<boolean> {
  const row = await tx.one<{ has_suspended: boolean | number | null }>(
    sql`select t.has_suspended from scim_logins t where t.org = :org and t.individual_id = ${individualId}`,
  )
  return row?.has_suspended === null || Boolean(row?.has_suspended)
}

export async function leaveLogin(tx: Tx, parts: Parts, individualId: string): Promise<void> {
  await switchLogin(tx, parts, individualId, false)
  await tx.run(sql`delete from scim_logins as t where t.org = :org and t.individual_id = ${individualId}`)
}

async function findLogin(tx: Tx, individualId: string): Promise<User | undefined> {
  const found = await tx.one<{ user_id: string }>(
    sql`select t.user_id from scim_logins t where t.org = :org and t.individual_id = ${individualId}`,
  )
  return found && (await getRow(tx, users, found.user_id, 'all'))
}

function refuseWithout({ actor }: Tx): void {
  if (actor.rights?.scopeOf('users:write') === 'all') return
  throw new AppError(
    'UNAUTHORIZED',
    'Whoever is provisioned becomes a login here (SCIM_LOGINS): for that the token needs users:write too',
    {
      status: 403,
      reason: 'insufficient_permissions',
    },
  )
}
