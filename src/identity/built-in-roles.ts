import { builtInRoles, type Permission } from '../core/permissions.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { findRow, updateRow } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import { type Role, roles } from './roles/schema.ts'

const actor: Actor = { kind: 'system', id: null, name: 'New version', address: null, reqId: null }

interface Stored {
  org: number
  name: string
  permissions: string
}

/**
 * A newer version of the service knows more permissions: the roles that came with it have them too, on the record. At
 * every other start nothing is written, however many organizations there are.
 */
export async function refreshBuiltInRoles(engine: Engine, now: string): Promise<void> {
  const stored = await engine.unhurried.all<Stored>(
    'select org, name, cast(permissions as text) as permissions from roles where is_built_in order by org',
    [],
  )
  const outdated = stored.filter(({ name, permissions }) => permissionsMeant(name, JSON.parse(permissions)))
  for (const org of new Set(outdated.map(({ org }) => org))) await change(engine, org, now, actor, refresh)
}

async function refresh(tx: Tx): Promise<void> {
  const stored = await tx.all<{ id: string }>(
    sql`select t.id from roles t where t.org = :org and t.is_built_in = ${true} order by t.id`,
  )
  for (const { id } of stored) {
    const current = (await findRow(tx, roles, id, 'all')) as Role
    const permissions = permissionsMeant(current.name, current.permissions)
    // Another process may have been quicker.
    if (permissions) await updateRow(tx, roles, current, { permissions }, 'updated')
  }
}

/** Those that the role should have, where they are others. */
function permissionsMeant(name: string, current: readonly string[]): readonly Permission[] | undefined {
  const meant = builtInRoles.find((role) => role.name === name)?.permissions
  return meant && new Set<string>(meant).symmetricDifference(new Set(current)).size > 0 ? meant : undefined
}
