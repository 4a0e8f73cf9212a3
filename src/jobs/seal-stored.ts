import type { Actor } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sealFactors } from '../identity/second-factor.ts'
import { sealSystems } from '../resources/access-control-systems/queries.ts'

const actor: Actor = { kind: 'system', id: null, name: 'New version', address: null, reqId: null }

/** At the start: secrets that an earlier version stored as they are become sealed, on the record. A second time it finds none. */
export async function sealStored(engine: Engine, now: string): Promise<void> {
  for (const { key } of await engine.reader.all<{ key: number }>('select key from organizations order by key', [])) {
    await change(engine, key, now, actor, async (tx) => {
      const after = { users: await sealFactors(tx), access_control_systems: await sealSystems(tx) }
      if (after.users.length + after.access_control_systems.length === 0) return
      tx.record({ action: 'organization.secrets_sealed', resource: 'organizations', resourceId: null, before: null, after })
    })
  }
}
