import type { ChangeVerb } from '../../core/change-verbs.ts'
import { notFound } from '../../core/errors.ts'
import { allPermissions } from '../../core/permissions.ts'
import type { Scope } from '../../core/rights.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { askToWake } from '../../db/rows.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { refuseEasing } from '../demanded-factor.ts'
import { type OrganizationSettings, organization } from './schema.ts'

/** It has no place: a role that is limited to places does not reach it. */
export async function organizationOf(handle: OrgHandle, scope: Scope): Promise<OrganizationSettings> {
  const row = await handle.one<OrganizationSettings>(
    sql`select t.id, t.name, t.time_zone, t.language, t.max_token_days, t.require_second_factor, t.status, t.created_at,
      coalesce(t.updated_at, t.created_at) as updated_at,
          t.version from organizations t where t.key = :org`,
  )
  if (!row) throw new Error('the organization is gone')
  if (scope !== 'all') throw notFound()
  // SQLite has no booleans.
  return { ...row, require_second_factor: Boolean(row.require_second_factor) }
}

type Settable = Pick<
  OrganizationSettings,
  'name' | 'time_zone' | 'language' | 'max_token_days' | 'require_second_factor' | 'status'
>

/** A change that changes nothing writes nothing. */
export async function changeOrganization(
  tx: Tx,
  current: OrganizationSettings,
  change: Partial<Settable>,
  verb: ChangeVerb = 'updated',
): Promise<OrganizationSettings> {
  checkTimeZone('time_zone', change.time_zone ?? null)
  const changed = (Object.keys(change) as Array<keyof Settable>).filter((name) => change[name] !== current[name])
  if (changed.length === 0) return current
  await askToWake(tx, organization, current, change)
  if (changed.includes('require_second_factor') && current.require_second_factor) refuseEasing(tx.actor, allPermissions)
  const sets = changed.map((name) => sql`${raw(name)} = ${change[name]}`)
  await tx.run(
    sql`update organizations as t set ${join(sets, ', ')}, version = t.version + 1, updated_at = :now
      where t.key = :org`,
  )
  const row = await organizationOf(tx, 'all')
  tx.record({
    action: `organization.${verb}`,
    resource: 'organizations',
    resourceId: row.id,
    before: current,
    after: row,
  })
  return row
}
