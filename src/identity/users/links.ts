import type { Config } from '../../config.ts'
import { AppError } from '../../core/errors.ts'
import type { MailKind } from '../../core/mail-texts.ts'
import { isSecret, newSecret, secretHash } from '../../core/secrets/secret.ts'
import type { Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { holdsAllOf } from '../giving.ts'
import { organizationSuspended } from '../organizations.ts'
import type { User } from './schema.ts'

export type LinkKind = 'invitation' | 'reset'

const LIFE_MS: Record<LinkKind, number> = { invitation: 7 * 24 * 3_600_000, reset: 3_600_000 }

export interface MadeLink {
  token: string
  expiresAt: string
}

/** How a link gets to whom it is for: by mail, or through whoever asked for it, who thereby sees it. */
export type HandedOver = 'mail' | 'viewer'

/** A link that works once. It replaces an earlier one of its kind. */
export async function makeLink(tx: Tx, userId: string, kind: LinkKind, by: HandedOver): Promise<MadeLink> {
  await dropLinks(tx, userId, kind)
  const token = newSecret()
  const expiresAt = new Date(Date.parse(tx.now) + LIFE_MS[kind]).toISOString()
  const seenBy = by === 'mail' ? null : tx.actor.id
  await tx.run(sql`insert into user_links (org, user_id, kind, hash, expires_at, seen_by)
    values (:org, ${userId}, ${kind}, ${secretHash(token)}, ${expiresAt}, ${seenBy})`)
  return { token, expiresAt }
}

/** The page's address. The token is behind "#", which a browser sends to nobody: it is in no log. */
export const linkTo = ({ baseUrl }: Pick<Config, 'baseUrl'>, page: LinkKind, token: string): string =>
  `${baseUrl}/${page}#${token}`

/** Which letter brings it. */
export const letterOf = { invitation: 'invitation', reset: 'password_reset' } as const satisfies Record<
  LinkKind,
  MailKind
>

export async function dropLinks(tx: Tx, userId: string, kind: LinkKind): Promise<void> {
  // A letter with it that still waits is of no use any more.
  await tx.aside(
    sql`delete from mails as t where t.org = :org and t.user_id = ${userId} and t.kind = ${letterOf[kind]}`,
  )
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

/** Whose link it is, and who has seen it besides them. */
interface Seen {
  user_id: string
  seen_by: string | null
}

/**
 * Whoever saw a link could act as whom it is for: once those hold more than the viewer, by whatever way they came to
 * it, the link is dead.
 */
const isSafe = async (handle: OrgHandle, { user_id, seen_by }: Seen): Promise<boolean> =>
  seen_by === null || holdsAllOf(handle, seen_by, user_id)

interface LinkRow extends Seen {
  org: number
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
        `select l.org, l.user_id, l.seen_by, l.expires_at, o.name as organization, o.status as organization_status,
          u.email, u.name, u.status
         from user_links l join organizations o on o.key = l.org join users u on u.org = l.org and u.id = l.user_id
         where l.hash = $1 and l.kind = $2 and l.expires_at > $3`,
        [secretHash(token), kind, now],
      )
    : []
  if (!row || row.status !== statusFor[kind] || !(await isSafe(new OrgHandle(engine, row.org, now), row)))
    throw invalidLink()
  if (row.organization_status !== 'active') throw organizationSuspended()
  const { org, user_id: userId, organization, email, name, expires_at: expiresAt } = row
  return { org, userId, organization, email, name, expiresAt }
}

/**
 * Uses it up, by its digest. Of any number of attempts one gets past this. `now` never goes back: what has expired
 * stays so.
 */
export async function redeemLink(tx: Tx, now: string, kind: LinkKind, hash: string): Promise<void> {
  const seen = await tx.one<Seen>(
    sql`select t.user_id, t.seen_by from user_links t where t.org = :org and t.hash = ${hash}`,
  )
  if (!seen || !(await isSafe(tx, seen))) throw invalidLink()
  const used = await tx.run(sql`delete from user_links as t
    where t.org = :org and t.hash = ${hash} and t.kind = ${kind} and t.expires_at > ${now}
      and exists (select 1 from organizations o where o.key = :org and o.status = 'active')`)
  if (used !== 1) throw invalidLink()
}
