import { terminating } from '../core/credential-state.ts'
import type { CredentialFact } from '../core/decide/facts.ts'
import { verifyPin } from '../core/pin.ts'
import { raw, sql } from '../db/sql.ts'
import { credentialsWhere } from './people.ts'
import type { Settings } from './settings.ts'

/** What is held to a reader, as the reader reads it. */
export interface Presented {
  type: string
  facility_code?: string | null
  number?: string | null
  pin?: string | null
}

/** The credential that a reader's reading means: of several with one number the one that is still in use, then the newest. */
export async function findPresented(settings: Settings, { type, facility_code, number }: Presented): Promise<CredentialFact | undefined> {
  if (!number) return undefined
  const { handle } = settings
  const site = facility_code === undefined || facility_code === null ? sql`true` : sql`t.facility_code = ${facility_code}`
  const ended = raw(terminating.map((reason) => `'${reason}'`).join(', '))
  const found = await handle.one<{ id: string }>(sql`
    select t.id from ${settings.from('credentials', 't')} where t.org = :org and t.type = ${type} and t.number = ${number} and ${site}
    order by case when t.status_reason in (${ended}) then 1 else 0 end, t.created_at desc, t.id limit 1`)
  return found && (await credentialsWhere(settings, 'id', [found.id]))[0]
}

/** Whether the PIN typed with a credential is its own. */
export async function checkPin({ handle }: Settings, credential: CredentialFact | undefined, pin: string | null | undefined) {
  if (pin === null || pin === undefined || !credential) return 'none'
  const stored = await handle.one<{ pin_hash: string | null }>(
    sql`select t.pin_hash from credentials t where t.org = :org and t.id = ${credential.id}`,
  )
  return stored?.pin_hash && (await verifyPin(pin, stored.pin_hash)) ? 'right' : 'wrong'
}
