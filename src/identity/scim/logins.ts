import { AppError } from '../../core/errors.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Tx } from '../../db/change.ts'
import { getRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { House } from '../../http/context.ts'
import { letterOf, linkTo } from '../users/links.ts'
import { inviteUser, reactivateUser, record, suspendUser } from '../users/queries.ts'
import { type User, users } from '../users/schema.ts'
import { issuersOf } from '../ways-in.ts'
import type { UserRow } from './user-fields.ts'

type Parts = Pick<House, 'config' | 'mail'>

/** Somebody has come, or has changed: they have a login where the configuration says so, without any role. */
export async function keepLogin(tx: Tx, { config, mail }: Parts, person: UserRow): Promise<void> {
  const { id, email, display_name, is_active, status } = person
  // Nobody gets in here who is kept out of the house.
  const isHere = Boolean(is_active) && (status === 'active' || status === 'invited')
  if (!config.scimLogins || email === null || !isHere || (await findLogin(tx, id))) return
  refuseWithout(tx)
  const found = await tx.one<{ id: string }>(sql`select t.id from users t where t.org = :org and t.email_key = ${emailKey(email)}`)
  const userId = found?.id ?? (await invite(tx, { config, mail }, { email, name: display_name }))
  // A login of somebody else who came by SCIM is not shared.
  const taken = await tx.one(sql`select t.individual_id from scim_logins t where t.org = :org and t.user_id = ${userId}`)
  if (taken) return
  await tx.run(sql`insert into scim_logins (org, individual_id, user_id) values (:org, ${id}, ${userId})`)
  record(tx, 'user.joined_scim', userId, { individual_id: id })
}

async function invite(tx: Tx, { config, mail }: Parts, body: { email: string; name: string }): Promise<string> {
  const { user, link } = await inviteUser(tx, body, mail.isOn ? 'mail' : undefined)
  if (link) {
    const facts = { link: linkTo(config, 'invitation', link.token), expiresAt: link.expiresAt }
    await mail.queue(tx, user.id, letterOf.invitation, facts)
  }
  return user.id
}

/** The provider calls them active, or no longer. A login that holds more than the token is woken by somebody who may: `onWake` refuses. */
export async function switchLogin(tx: Tx, { config }: Parts, individualId: string, isActive: boolean): Promise<void> {
  const login = await findLogin(tx, individualId)
  if (!login) return
  if (!isActive && login.status !== 'suspended') await suspendUser(tx, login)
  if (isActive && login.status === 'suspended') await reactivateUser(tx, login, issuersOf(config))
}

export async function leaveLogin(tx: Tx, parts: Parts, individualId: string): Promise<void> {
  await switchLogin(tx, parts, individualId, false)
  await tx.run(sql`delete from scim_logins as t where t.org = :org and t.individual_id = ${individualId}`)
}

async function findLogin(tx: Tx, individualId: string): Promise<User | undefined> {
  const found = await tx.one<{ user_id: string }>(
    sql`select t.user_id from scim_logins t where t.org = :org and t.individual_id = ${individualId}`,
  )
  return found && ((await getRow(tx, users, found.user_id, 'all')) as User)
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
