import { AppError } from '../../core/errors.ts'
import type { MailKind } from '../../core/mail-texts.ts'
import { isSecret, newSecret, secretHash } from '../../core/secret.ts'
import type { Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { sql } from '../../db/sql.ts'
import { organizationSuspended } from '../organizations.ts'
import type { User } from './schema.ts'

export type LinkKind = 'invitation' | 'reset'

const LIFE_MS: Record<LinkKind, number> = { invitation: 7 * 24 * 3_600_000, reset: 3_600_000 }

export interface MadeLink {
  token: string
  expiresAt: string
}

/** A link that works once. It replaces an earlier one of its kind. */
export async function makeLink(tx: Tx, userId: string, kind: LinkKind): Promise<MadeLink> {
  await dropLinks(tx, userId, kind)
  const token = newSecret()
  const expiresAt = new Date(Date.parse(tx.now) + LIFE_MS[kind]).toISOString()
  await tx.run(sql`insert into user_links (org, user_id, kind, hash, expires_at)
    values (:org, ${userId}, ${kind}, ${secretHash(token)}, ${expiresAt})`)
  return { token, expiresAt }
}

/** Which letter brings it. */
export const letterOf = { invitation: 'invitation', reset: 'password_reset' } as const satisfies Record<LinkKind, MailKind>

export async function dropLinks(tx: Tx, userId: string, kind: LinkKind): Promise<void> {
  // A letter with it that still waits is of no use any more.
  await tx.aside(sql`delete from mails as t where t.org = :org and t.user_id = ${userId} and t.kind = ${letterOf[kind]}`)
  await tx.run(sql`delete from user_links as t where t.org = :org and t.user_id = ${userId} and t.kind = ${kind}`)
}

export const invalidLink = () =>
  new AppError('UNAUTHORIZED', 'The link is not valid: unknown, expired or used already', { reason: 'invalid_link' })

/** In which state somebody is whom such a link is for. */
export const statusFor = { invitation: 'invited', reset: 'active' } as const satisfies Record<LinkKind, User['status']>

export interface FoundLink {
  org: number
  userId: string
  organization: string
  email: string
  name: string
  expiresAt: string
}

interface LinkRow {
  org: number
  user_id: string
  expires_at: string
  organization: string
  organization_status: string
  email: string
  name: string
  status: User['status']
}

/** Whose link it is, while it is good. The token is what tells us the organization. */
export async function findLink(engine: Engine, now: string, kind: LinkKind, token: string): Promise<FoundLink> {
  const [row] = isSecret(token)
    ? await engine.reader.all<LinkRow>(
        `select l.org, l.user_id, l.expires_at, o.name as organization, o.status as organization_status, u.email, u.name, u.status
         from user_links l join organizations o on o.key = l.org join users u on u.org = l.org and u.id = l.user_id
         where l.hash = $1 and l.kind = $2 and l.expires_at > $3`,
        [secretHash(token), kind, now],
      )
    : []
  if (!row || row.status !== statusFor[kind]) throw invalidLink()
  if (row.organization_status !== 'active') throw organizationSuspended()
  const { org, user_id: userId, organization, email, name, expires_at: expiresAt } = row
  return { org, userId, organization, email, name, expiresAt }
}

/** Uses it up, by its digest. Of any number of attempts one gets past this. `now` never goes back: what has expired stays so. */
export async function redeemLink(tx: Tx, now: string, kind: LinkKind, hash: string): Promise<void> {
  const used = await tx.run(sql`delete from user_links as t
    where t.org = :org and t.hash = ${hash} and t.kind = ${kind} and t.expires_at > ${now}
      and exists (select 1 from organizations o where o.key = :org and o.status = 'active')`)
  if (used !== 1) throw invalidLink()
}
