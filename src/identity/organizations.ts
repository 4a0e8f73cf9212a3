import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../core/errors.ts'
import { builtInRoles } from '../core/permissions.ts'
import type { Actor } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'

export interface Organization {
  key: number
  id: string
  name: string
  time_zone: string
}

export async function findOrganization(engine: Engine, name: string): Promise<Organization | undefined> {
  const [row] = await engine.reader.all<Organization>('select key, id, name, time_zone from organizations where name = $1', [name])
  return row
}

/** A new organization with its built-in roles. */
export async function createOrganization(engine: Engine, now: string, actor: Actor, name: string, timeZone = 'UTC'): Promise<Organization> {
  if (await findOrganization(engine, name)) throw new AppError('CONFLICT', `There is already an organization "${name}"`)
  const id = randomUUIDv7()
  const key = await engine.transaction(async (session) => {
    const [row] = await session.all<{ key: number }>(
      'insert into organizations (id, name, time_zone, created_at) values ($1, $2, $3, $4) returning key',
      [id, name, timeZone, now],
    )
    if (!row) throw new Error('the organization was not stored')
    return row.key
  })
  await change(engine, key, now, actor, async (tx) => {
    for (const [i, role] of builtInRoles.entries()) {
      // A millisecond apart, so that lists show them in the order of the catalogue; none is dated ahead of now.
      const at = new Date(Date.parse(now) - (builtInRoles.length - 1 - i)).toISOString()
      const row = { id: randomUUIDv7(), created_at: at, updated_at: at, version: 1, ...role, is_built_in: true }
      await tx.insert('roles', { ...row, permissions: role.permissions })
    }
    tx.record({
      action: 'organization.created',
      resource: 'organizations',
      resourceId: id,
      before: null,
      after: { id, name, time_zone: timeZone },
    })
  })
  return { key, id, name, time_zone: timeZone }
}
