import type { Permission } from '../core/permissions.ts'
import type { Caller } from '../core/rights.ts'
import type { Actor } from '../db/audit.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { refuseMoreThanOwn } from './giving.ts'
import { refuseTokensOf } from './sessions/caller.ts'
import type { SessionFactor } from './sessions/schema.ts'

interface Demand {
  /** By the organization, or by a role that they have anywhere. */
  is_demanded: boolean
  /** An authenticator app or a passkey. */
  has_factor: boolean
}

export async function factorDemand(handle: OrgHandle, userId: string): Promise<Demand> {
  const row = await handle.one<Record<keyof Demand, number | boolean>>(
    sql`select o.require_second_factor or exists (select 1 from role_assignments a join roles r on r.org = :org
      and r.id = a.role_id
            where a.org = :org and a.user_id = ${userId} and r.requires_second_factor) as is_demanded,
          u.totp_confirmed_at is not null or exists (select 1 from passkeys p where p.org = :org
          and p.user_id = u.id) as has_factor
        from users u join organizations o on o.key = :org where u.org = :org and u.id = ${userId}`,
  )
  // SQLite has no booleans.
  return { is_demanded: Boolean(row?.is_demanded), has_factor: Boolean(row?.has_factor) }
}

/**
 * What a session must do before anything else. That somebody has a factor is not enough: a password alone must not open
 * what the passkey is there to keep shut, nor add a factor beside it.
 */
export function awaitedBy({ is_demanded, has_factor }: Demand, factor: SessionFactor | null): Caller['awaitedFactor'] {
  if (!is_demanded || factor === 'sign_on_mfa') return undefined
  if (!has_factor) return 'set_up'
  return factor === null ? 'confirm' : undefined
}

/** Whoever stops demanding it lets others act by a password alone: that is for people who hold as much. */
export function refuseEasing(actor: Actor, permissions: readonly Permission[]): void {
  refuseTokensOf(actor)
  refuseMoreThanOwn(
    actor,
    permissions.map((permission) => [permission, 'all']),
  )
}
