import { builtInRoles } from '../core/permissions.ts'
import type { Actor } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { findRow, updateRow } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import { type Role, roles } from './roles/schema.ts'

const actor: Actor = { kind: 'system', id: null, name: 'New version', address: null, reqId: null }

/** A newer version of the service knows more permissions: the roles that came with it have them too, on the record. */
export async function refreshBuiltInRoles(engine: Engine, now: string): Promise<void> {
  for (const { key } of await engine.reader.all<{ key: number }>('select key from organizations order by key', [])) {
    await change(engine, key, now, actor, async (tx) => {
      const stored = await tx.all<{ id: string; name: string }>(
        sql`select t.id, t.name from roles t where t.org = :org and t.is_built_in = ${true} order by t.id`,
      )
      for (const { id, name } of stored) {
        const current = (await findRow(tx, roles, id, 'all')) as Role
        const meant = builtInRoles.find((role) => role.name === name)
        if (!meant || new Set(meant.permissions).symmetricDifference(new Set(current.permissions)).size === 0) continue
        await updateRow(tx, roles, current, { permissions: meant.permissions }, 'updated')
      }
    })
  }
}
