import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../core/errors.ts'
import { builtInRoles } from '../core/permissions.ts'
import type { Actor } from '../db/audit.ts'
import { changeNew, type Tx } from '../db/change.ts'
import type { Engine, Session } from '../db/engine.ts'
import { searchTexts } from '../db/rows.ts'
import { roles } from './roles/schema.ts'

export interface Organization {
  key: number
  id: string
  name: string
  time_zone: string
}

export async function findOrganization(engine: Engine, name: string): Promise<Organization | undefined> {
  const [row] = await engine.reader.all<Organization>(
    'select key, id, name, time_zone from organizations where name = $1',
    [name],
  )
  return row
}

/** To whoever has shown that they belong to it; to all others it is as if there were nothing. */
export const organizationSuspended = () =>
  new AppError('UNAUTHORIZED', 'The organization is suspended at present; ask whoever runs this service', {
    reason: 'organization_suspended',
  })

interface Also<T> {
  /** First in the same transaction. */
  before?(session: Session): Promise<void>
  /** Last in it, with the organization and its roles there. */
  within?(tx: Tx): Promise<T>
}

/** A new organization with its built-in roles, in one transaction. */
export async function createOrganization<T = undefined>(
  engine: Engine,
  now: string,
  actor: Actor,
  name: string,
  timeZone = 'UTC',
  also: Also<T> = {},
): Promise<Organization & { result: T }> {
  if (await findOrganization(engine, name)) throw new AppError('CONFLICT', `There is already an organization "${name}"`)
  const id = randomUUIDv7()
  const begin = async (session: Session) => {
    await also.before?.(session)
    return insertOrganization(session, id, name, timeZone, now)
  }
  const { key, result } = await changeNew(engine, now, actor, begin, async (tx) => {
    for (const [i, role] of builtInRoles.entries()) {
      // A millisecond apart, so that lists show them in the order of the catalogue; none is dated ahead of now.
      const at = new Date(Date.parse(now) - (builtInRoles.length - 1 - i)).toISOString()
      const row = { id: randomUUIDv7(), created_at: at, updated_at: at, version: 1, ...role, is_built_in: true }
      await tx.insert('roles', { ...row, permissions: role.permissions, ...searchTexts(roles, row) })
    }
    tx.record({
      action: 'organization.created',
      resource: 'organizations',
      resourceId: id,
      before: null,
      after: { id, name, time_zone: timeZone },
    })
    return (await also.within?.(tx)) as T
  })
  return { key, id, name, time_zone: timeZone, result }
}

async function insertOrganization(
  session: Session,
  id: string,
  name: string,
  timeZone: string,
  now: string,
): Promise<number> {
  const [row] = await session.all<{ key: number }>(
    'insert into organizations (id, name, time_zone, created_at, changed_at) values ($1, $2, $3, $4, $4) returning key',
    [id, name, timeZone, now],
  )
  if (!row) throw new Error('the organization was not stored')
  return row.key
}
