import { type Config, plainIssuer } from '../config.ts'
import { AppError } from '../core/errors.ts'
import type { Tx } from '../db/change.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'

interface WaysIn {
  has_password: boolean
  passkeys: number
  /** Of providers that are configured: any other is no way in. */
  identities: number
}

export const issuersOf = ({ signOn }: Pick<Config, 'signOn'>): string[] =>
  signOn.map(({ issuer }) => plainIssuer(issuer))

export async function waysIn(handle: OrgHandle, userId: string, issuers: readonly string[]): Promise<WaysIn> {
  const known = handle.dialect.inList('i.issuer', issuers, 'text')
  const row = await handle.one<Record<keyof WaysIn, number | boolean>>(
    sql`select u.password_hash is not null as has_password,
          (select count(*) from passkeys p where p.org = :org and p.user_id = u.id) as passkeys,
          (select count(*) from user_identities i where i.org = :org and i.user_id = u.id and ${known}) as identities
        from users u where u.org = :org and u.id = ${userId}`,
  )
  // SQLite has no booleans.
  return {
    has_password: Boolean(row?.has_password),
    passkeys: Number(row?.passkeys ?? 0),
    identities: Number(row?.identities ?? 0),
  }
}

export async function hasWayIn(handle: OrgHandle, userId: string, issuers: readonly string[]): Promise<boolean> {
  const { has_password, passkeys, identities } = await waysIn(handle, userId, issuers)
  return has_password || passkeys > 0 || identities > 0
}

/** After one was taken away: nobody is left without any. */
export async function keepAWayIn(tx: Tx, userId: string, issuers: readonly string[]): Promise<void> {
  if (await hasWayIn(tx, userId, issuers)) return
  throw new AppError(
    'INVALID_STATE',
    'This is the only way to log in that is left; add another first, such as a password',
    {
      reason: 'user.last_way_in',
    },
  )
}
