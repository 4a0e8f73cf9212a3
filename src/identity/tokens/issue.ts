import { AppError } from '../../core/errors.ts'
import type { Actor } from '../../db/audit.ts'
import { change } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { createRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { findOrganization } from '../organizations.ts'
import { prepareRoleAssignment } from '../role-assignments/queries.ts'
import { roleAssignments } from '../role-assignments/schema.ts'
import { serviceUsers } from '../service-users/schema.ts'
import { defaultExpiry, readExpiry } from './expiry.ts'
import { insertToken } from './queries.ts'

export interface NewToken {
  organization: string
  role: string
  name?: string
  expires?: string
  place?: { location_id?: string; building_id?: string }
}

/** The command line's way: a service user with one role, and a token for it. */
export async function createToken(
  engine: Engine,
  now: string,
  actor: Actor,
  wanted: NewToken,
): Promise<{ value: string; expiresAt: string }> {
  const organization = await findOrganization(engine, wanted.organization)
  if (!organization)
    throw new AppError(
      'NOT_FOUND',
      `There is no organization "${wanted.organization}"; make it with: organization create "${wanted.organization}"`,
    )
  const given = wanted.expires === undefined ? undefined : readExpiry(wanted.expires)
  if (wanted.expires !== undefined && given === undefined)
    throw new AppError('VALIDATION_ERROR', `"${wanted.expires}" is not a date; write it as 2027-03-31`)
  return change(engine, organization.key, now, actor, async (tx) => {
    const role = await tx.one<{ id: string }>(
      sql`select t.id from roles t where t.org = :org and t.name = ${wanted.role}`,
    )
    if (!role) {
      const roles = await tx.all<{ name: string }>(
        sql`select t.name from roles t where t.org = :org order by t.created_at, t.id`,
      )
      throw new AppError(
        'NOT_FOUND',
        `There is no role "${wanted.role}"; there are ${roles.map((row) => row.name).join(', ')}`,
      )
    }
    const name = wanted.name ?? `${wanted.role} (command line)`
    const user = await createRow(tx, serviceUsers, { name }, 'all', {})
    const assignment = { role_id: role.id, service_user_id: user.id, ...wanted.place }
    await createRow(tx, roleAssignments, assignment, 'all', { prepare: prepareRoleAssignment })
    const expiresAt = given ?? (await defaultExpiry(tx))
    const { value } = await insertToken(tx, { service_user_id: user.id, name, expires_at: expiresAt })
    return { value, expiresAt }
  })
}
