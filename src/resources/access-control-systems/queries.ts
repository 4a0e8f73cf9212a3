import { connectedKinds } from '../../connect/kinds.ts'
import { type Secrets, splitSecrets } from '../../core/secrets/secret-settings.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import { parsed } from '../../db/assignments.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { seal, unseal } from '../../db/sealing.ts'
import { sql } from '../../db/sql.ts'
import { endUnattended } from '../../live/closed-alarms.ts'
import { endOverrides } from '../../live/door-overrides.ts'
import type { AccessControlSystem } from './schema.ts'

export async function prepareSystem(
  tx: Tx,
  next: AccessControlSystem,
  current: AccessControlSystem | undefined,
): Promise<AnyRow | undefined> {
  checkTimeZone('time_zone', next.time_zone)
  // Another kind is another device: it knows nothing of what commands had the one before do. With the direction, which
  // every door has: without it SQLite would read all doors along an index that has all the rest.
  if (current && next.kind !== current.kind)
    await endOverrides(
      tx,
      sql`t.access_point_id in (select p.id from access_points p where p.org = :org
        and p.access_control_system_id = ${next.id} and p.direction is not null)`,
    )
  if (current && isLetGo(next, current)) await endUnattended(tx, next.id)
  if (current && next.settings === current.settings) return undefined
  const kept = current ? await secretsOf(tx, current.id) : {}
  const { shown, secrets } = splitSecrets(next.settings, kept)
  next.settings = shown
  const text = JSON.stringify(secrets)
  if (current && text === JSON.stringify(kept)) return undefined
  return { secrets: text === '{}' ? {} : { sealed: await seal(tx, text, contextOf(next.id)) } }
}

/** Whether nobody attends to it from now on. */
const isLetGo = (next: AccessControlSystem, current: AccessControlSystem): boolean =>
  (next.status === 'disabled' && current.status !== 'disabled') ||
  (next.kind !== current.kind && !connectedKinds.includes(next.kind))

const contextOf = (id: string): string => `access control system ${id}`

async function secretsOf(tx: Tx, id: string): Promise<Secrets> {
  const row = await tx.one<{ secrets: Secrets | string }>(
    sql`select t.secrets from access_control_systems t where t.org = :org and t.id = ${id}`,
  )
  const stored = parsed<Secrets>(row?.secrets ?? {})
  // What was stored before secrets were sealed is read as it is: by path, none of which is called "sealed".
  return typeof stored.sealed === 'string' ? JSON.parse(unseal(tx, stored.sealed, contextOf(id))) : stored
}

/** Seals what an earlier version stored as it is; gives of which systems. */
export async function sealSystems(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ id: string; secrets: Secrets | string }>(
    sql`select t.id, t.secrets from access_control_systems t
        where t.org = :org and cast(t.secrets as text) <> '{}' and cast(t.secrets as text) not like '%"sealed"%'
        order by t.id`,
  )
  for (const { id, secrets } of rows) {
    const sealed = await seal(tx, JSON.stringify(parsed<Secrets>(secrets)), contextOf(id))
    await tx.update('access_control_systems', id, { secrets: { sealed } })
  }
  return rows.map(({ id }) => id)
}
