import { terminating } from '../core/cards/credential-state.ts'
import { allSitesOf, matchKeyOf, typedKeyOf } from '../core/cards/match-key.ts'
import { verifyPin } from '../core/cards/pin.ts'
import type { CredentialFact } from '../core/decide/facts.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import { credentialsWhere } from './people.ts'
import { pinKeysOf } from './pin-key.ts'
import type { Settings } from './settings.ts'

/** What is held to a reader, as the reader reads it. */
export interface Presented {
  type: string
  facility_code?: string | null
  number?: string | null
  pin?: string | null
}

/** The credential that a reader's reading means: of several with one number the one that is still in use, then the newest. */
export async function findPresented(settings: Settings, presented: Presented): Promise<CredentialFact | undefined> {
  const { handle } = settings
  const meant = presented.number ? numbered(presented) : await withPin(settings, presented)
  if (!meant) return undefined
  const ended = raw(terminating.map((reason) => `'${reason}'`).join(', '))
  const found = await handle.one<{ id: string }>(sql`
    select t.id from ${settings.from('credentials', 't')} where t.org = :org and t.type = ${presented.type}
      and ${settings.asOf === undefined ? meant('t') : then(meant('c'), presented)}
    order by case when t.status_reason in (${ended}) then 1 else 0 end, t.created_at desc, t.id limit 1`)
  return found && (await credentialsWhere(settings, 'id', [found.id]))[0]
}

/** A condition on a credential under this alias. */
type Meant = (row: string) => Sql

const numbered =
  (presented: Presented): Meant =>
  (row) =>
    readsAs(presented, raw(`${row}.match_key`))

/** By its canonical form, whatever zeros and separators the reader gives; without a facility code, of any site. */
export function readsAs({ type, facility_code = null, number = null }: Presented, column: Sql): Sql {
  const given = { type, facility_code, number, format: null }
  const keys = [matchKeyOf(given), typedKeyOf(given)].filter((key) => key !== null)
  const isOneOf = keys.map((key) => {
    const { from, to } = allSitesOf(key)
    return facility_code === null && key.endsWith(':') ? sql`(${column} >= ${from} and ${column} < ${to})` : sql`${column} = ${key}`
  })
  return sql`(${join(isOneOf, ' or ')})`
}

/** A PIN by itself says whose it is. */
async function withPin({ handle }: Settings, { type, pin }: Presented): Promise<Meant | undefined> {
  if (type !== 'pin' || !pin) return undefined
  const keys = await pinKeysOf(handle.engine, handle.org, pin)
  return (row) => handle.dialect.inList(`${row}.pin_key`, keys, 'text')
}

/** The history keeps numbers as they were typed: a row of then is known by what it is now, where its number is still the same. */
function then(meant: Sql, { facility_code, number }: Presented): Sql {
  const site = facility_code === undefined || facility_code === null ? sql`true` : sql`t.facility_code = ${facility_code}`
  const asTyped = number ? sql`(t.number = ${number} and ${site})` : sql`false`
  return sql`(${asTyped} or exists (select 1 from credentials c where c.org = :org and c.id = t.id and ${meant}
    and coalesce(c.number, '') = coalesce(t.number, '') and coalesce(c.facility_code, '') = coalesce(t.facility_code, '')))`
}

/** Whether the PIN typed with a credential is its own. */
export async function checkPin({ handle }: Settings, credential: CredentialFact | undefined, pin: string | null | undefined) {
  if (pin === null || pin === undefined || !credential) return 'none'
  const stored = await handle.one<{ pin_key: string | null; pin_hash: string | null }>(
    sql`select t.pin_key, t.pin_hash from credentials t where t.org = :org and t.id = ${credential.id}`,
  )
  if (stored?.pin_key) return (await pinKeysOf(handle.engine, handle.org, pin)).includes(stored.pin_key) ? 'right' : 'wrong'
  // Set by an earlier version, and not since.
  return stored?.pin_hash && (await verifyPin(pin, stored.pin_hash)) ? 'right' : 'wrong'
}
