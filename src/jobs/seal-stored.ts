import type { Actor } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sealFactors } from '../identity/second-factor.ts'
import { sealSystems } from '../resources/access-control-systems/queries.ts'
import { sealStoredRows } from '../resources/imports/kept.ts'

const actor: Actor = { kind: 'system', id: null, name: 'New version', address: null, reqId: null }

/**
 * At the start: secrets that an earlier version stored as they are become sealed, on the record. A second time it finds
 * none.
 */
export async function sealStored(engine: Engine, now: string): Promise<void> {
  const found = await engine.unhurried.all<{ org: number }>(
    `select org from users where totp_secret not like 'sealed.%' or totp_pending not like 'sealed.%'
     union select org from access_control_systems where cast(secrets as text) <> '{}'
     and cast(secrets as text) not like '%"sealed"%'`,
    [],
  )
  for (const { org } of found) {
    await change(engine, org, now, actor, async (tx) => {
      const after = { users: await sealFactors(tx), access_control_systems: await sealSystems(tx) }
      // Another process may have been quicker.
      if (after.users.length + after.access_control_systems.length === 0) return
      tx.record({
        action: 'organization.secrets_sealed',
        resource: 'organizations',
        resourceId: null,
        before: null,
        after,
      })
    })
  }
  const waiting = await engine.unhurried.all<{ org: number }>(
    `select distinct org from import_rows where cast(cells as text) like '[%' or cast(errors as text) like '[%'`,
    [],
  )
  for (const { org } of waiting) while (await change(engine, org, now, actor, sealStoredRows));
}
