import { terminating } from '../core/cards/credential-state.ts'
import { allSitesOf, codeKeyOf, keysReadAs, matchKeyOf, type Numbered, typedKeyOf } from '../core/cards/match-key.ts'
import { verifyPin } from '../core/cards/pin.ts'
import type { CredentialFact } from '../core/decide/facts.ts'
import { sure } from '../core/typed.ts'
import { join, raw, render, type Sql, sql } from '../db/sql.ts'
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

/**
 * The credential that a reader's reading means: of several with one number the one that is still in use, then the
 * newest.
 */
export async function findPresented(settings: Settings, presented: Presented): Promise<CredentialFact | undefined> {
  if (settings.asOf !== undefined) return findPresentedThen(settings, settings.asOf, presented)
  const { handle } = settings
  const meant = presented.number ? readsAs(presented, raw('t.match_key')) : await hasPin(settings, presented)
  if (!meant) return undefined
  const ended = raw(terminating.map((reason) => `'${reason}'`).join(', '))
  // Its number, of all sites, is a range of the index, of which an engine cannot tell that it is short.
  const { text, values } = render(sql`
    select t.id from credentials t where t.org = :org and t.type = ${presented.type} and ${meant}
    order by case when t.status_reason in (${ended}) then 1 else 0 end, t.created_at desc, t.id limit 1`)
  const [found] = await handle.query<{ id: string }>(text, values, 'few')
  return found && (await credentialsWhere(settings, 'id', [found.id]))[0]
}

/** Which credential, and the number that it bears. */
interface Bearing {
  readonly id: string
  readonly number: string | null
  readonly facility_code: string | null
}

/**
 * Under the settings of another day: by the canonical form of the number that a row had then. The history keeps numbers
 * as they were typed. What still has its number is known by the form that it has now; of what has another, or is gone,
 * it is made of what is kept. PINs are not kept.
 */
async function findPresentedThen(
  settings: Settings,
  asOf: string,
  presented: Presented,
): Promise<CredentialFact | undefined> {
  if (!presented.number) return undefined
  const { handle } = settings
  const { text, values } = render(sql`
    select t.id, t.number, t.facility_code from credentials t
    where t.org = :org and t.type = ${presented.type} and ${readsAs(presented, raw('t.match_key'))}`)
  const now = await handle.query<Bearing>(text, values, 'few')
  const past = await handle.all<Bearing & Numbered>(sql`
    select h.id, h.type, h.number, h.facility_code, c.format from credentials_history h
    left join credentials c on c.org = :org and c.id = h.id
    where h.org = :org and h.type = ${presented.type} and h.created_at <= ${asOf} and h.ended_at > ${asOf}
    and h.number is not null
      and (c.id is null or coalesce(c.number, '') <> h.number
      or coalesce(c.facility_code, '') <> coalesce(h.facility_code, ''))`)
  const ranges = rangesOf(presented)
  const wereMeant = past.filter((row) =>
    [matchKeyOf(row), typedKeyOf(row)].some(
      (key) => key !== null && ranges.some(({ from_key, to_key }) => key >= from_key && key < to_key),
    ),
  )
  const meant = new Set([...now, ...wereMeant].map(bearing))
  const ended: readonly string[] = terminating
  const rows = await handle.all<Bearing & { status_reason: string; created_at: string }>(sql`
    select t.id, t.number, t.facility_code, t.status_reason, t.created_at from ${settings.from('credentials', 't')}
    where t.org = :org and
    ${handle.dialect.inList('t.id', new Set([...now, ...wereMeant].map(({ id }) => id)), 'uuid')}`)
  const [found] = rows
    .filter((row) => meant.has(bearing(row)))
    .map((row) => ({ ...row, is_ended: ended.includes(row.status_reason) ? 1 : 0 }))
    .sort((a, b) => (isMeantRather(a, b) ? -1 : 1))
  return found && (await credentialsWhere(settings, 'id', [found.id]))[0]
}

/** What opens by a code that is not stored does so whatever site is written on it. */
const bearing = ({ id, number, facility_code }: Bearing): string =>
  JSON.stringify(number === null ? [id] : [id, number, facility_code ?? ''])

/** What a reading means, as far as events want to know. */
export interface Found {
  readonly id: string
  readonly individual_id: string | null
}

interface Ranked {
  readonly id: string
  readonly created_at: string
  readonly is_ended: number
}

interface Candidate extends Found, Ranked {
  readonly at: number
}

/** The same for many numbers at once, under the settings of now. */
export async function findAllPresented(
  { handle }: Settings,
  presented: ReadonlySet<Presented>,
): Promise<Map<Presented, Found>> {
  const list = [...presented]
  const ranges = list.flatMap((one, at) =>
    rangesOf(one).map((range) => ({ org: handle.org, at, type: one.type, ...range })),
  )
  if (ranges.length === 0) return new Map()
  const asked = handle.dialect.records(ranges, 'e', {
    org: 'bigint',
    at: 'integer',
    type: 'text',
    from_key: 'text',
    to_key: 'text',
  })
  const ended = raw(terminating.map((reason) => `'${reason}'`).join(', '))
  const rows = await handle.all<Candidate>(sql`
    select e.at, t.id, t.individual_id, t.created_at, case when t.status_reason in (${ended}) then 1
    else 0 end as is_ended
    from ${asked} join credentials t on t.org = e.org and t.match_key >= e.from_key and t.match_key < e.to_key
    and t.type = e.type
    where +t.org = :org`)
  const best = new Map<number, Candidate>()
  for (const row of rows) {
    const known = best.get(row.at)
    if (!known || isMeantRather(row, known)) best.set(row.at, row)
  }
  return new Map([...best].map(([at, found]) => [sure(list[at]), found]))
}

/** Whose codes these are that nobody is to read: no two have the same. */
export async function findAllHidden(
  { handle }: Settings,
  presented: readonly Presented[],
): Promise<Map<Presented, Found>> {
  const keys = new Map(presented.map((one) => [one, codeKeyOf(one.number ?? '')]))
  const asked = new Set([...keys.values()].filter((key) => key !== null))
  if (asked.size === 0) return new Map()
  const rows = await handle.all<Found & { match_key: string }>(
    sql`select t.id, t.individual_id, t.match_key from credentials t where t.org = :org
      and ${handle.dialect.inList('t.match_key', asked, 'text')}`,
  )
  const found = new Map<string | null, Found>(rows.map((row) => [row.match_key, row]))
  return new Map(
    [...keys].flatMap(([one, key]) => {
      const row = found.get(key)
      return row ? [[one, row]] : []
    }),
  )
}

/** As `findPresented` puts them in order. */
function isMeantRather(a: Ranked, b: Ranked): boolean {
  if (a.is_ended !== b.is_ended) return a.is_ended < b.is_ended
  return a.created_at === b.created_at ? a.id < b.id : a.created_at > b.created_at
}

/** The keys of a reading as ranges: one key is the range up to what would follow it. */
function rangesOf({
  type,
  facility_code = null,
  number = null,
}: Presented): Array<{ from_key: string; to_key: string }> {
  const given = { type, facility_code, number, format: null }
  return keysReadAs(given)
    .map((key) => (facility_code === null && key.endsWith(':') ? allSitesOf(key) : { from: key, to: `${key}\u0001` }))
    .map(({ from, to }) => ({ from_key: from, to_key: to }))
}

/** By its canonical form, whatever zeros and separators the reader gives; without a facility code, of any site. */
export function readsAs({ type, facility_code = null, number = null }: Presented, column: Sql): Sql {
  const given = { type, facility_code, number, format: null }
  const isOneOf = keysReadAs(given).map((key) => {
    const { from, to } = allSitesOf(key)
    return facility_code === null && key.endsWith(':')
      ? sql`(${column} >= ${from} and ${column} < ${to})`
      : sql`${column} = ${key}`
  })
  return sql`(${join(isOneOf, ' or ')})`
}

/** A PIN by itself says whose it is. */
async function hasPin({ handle }: Settings, { type, pin }: Presented): Promise<Sql | undefined> {
  if (type !== 'pin' || !pin) return undefined
  return handle.dialect.inList('t.pin_key', await pinKeysOf(handle.engine, handle.org, pin), 'text')
}

/** Whether the PIN typed with a credential is its own. */
export async function checkPin(
  { handle }: Settings,
  credential: CredentialFact | undefined,
  pin: string | null | undefined,
) {
  if (pin === null || pin === undefined || !credential) return 'none'
  const stored = await handle.one<{ pin_key: string | null; pin_hash: string | null }>(
    sql`select t.pin_key, t.pin_hash from credentials t where t.org = :org and t.id = ${credential.id}`,
  )
  if (stored?.pin_key)
    return (await pinKeysOf(handle.engine, handle.org, pin)).includes(stored.pin_key) ? 'right' : 'wrong'
  // Set by an earlier version, and not since.
  return stored?.pin_hash && (await verifyPin(pin, stored.pin_hash)) ? 'right' : 'wrong'
}
