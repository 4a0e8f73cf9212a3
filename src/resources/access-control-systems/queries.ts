import { type Secrets, splitSecrets } from '../../core/secret-settings.ts'
import { checkTimeZone } from '../../core/time-zone.ts'
import { parsed } from '../../db/assignments.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { seal, unseal } from '../../db/sealing.ts'
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
  const text = JSON.stringify(secrets)
  if (current && text === JSON.stringify(kept)) return undefined
  return { secrets: text === '{}' ? {} : { sealed: await seal(tx, text, contextOf(next.id)) } }
}

const contextOf = (id: string): string => `access control system ${id}`

async function secretsOf(tx: Tx, id: string): Promise<Secrets> {
  const row = await tx.one<{ secrets: { sealed?: string } | string }>(
    sql`select t.secrets from access_control_systems t where t.org = :org and t.id = ${id}`,
  )
  const { sealed } = parsed<{ sealed?: string }>(row?.secrets ?? {})
  return sealed === undefined ? {} : (JSON.parse(unseal(tx, sealed, contextOf(id))) as Secrets)
}
