import { type Secrets, splitSecrets } from '../../core/secret-settings.ts'
import { checkTimeZone } from '../../core/time-zone.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import type { AccessControlSystem } from './schema.ts'

export async function prepareSystem(
  tx: Tx,
  next: AccessControlSystem,
  current: AccessControlSystem | undefined,
): Promise<AnyRow | undefined> {
  checkTimeZone('time_zone', next.time_zone)
  if (current && next.settings === current.settings) return undefined
  const kept = current ? await secretsOf(tx, current.id) : {}
  const { shown, secrets } = splitSecrets(next.settings, kept)
  next.settings = shown
  return JSON.stringify(secrets) === JSON.stringify(kept) && current ? undefined : { secrets }
}

async function secretsOf(tx: Tx, id: string): Promise<Secrets> {
  const row = await tx.one<{ secrets: Secrets | string }>(
    sql`select t.secrets from access_control_systems t where t.org = :org and t.id = ${id}`,
  )
  const secrets = row?.secrets ?? {}
  return typeof secrets === 'string' ? (JSON.parse(secrets) as Secrets) : secrets
}
