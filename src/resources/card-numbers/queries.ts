import { type CardReading, decodeCardNumber, keysOfReading } from '../../core/cards/card-numbers.ts'
import { hiddenKeyOf, keysOfNumber, matchKeyOf } from '../../core/cards/match-key.ts'
import type { Scope } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { decodeRows, selectList } from '../../db/resource.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { credentials } from '../credentials/schema.ts'

/** What is told of a credential that a reading means. */
export const MATCHED = [
  'id',
  'type',
  'label',
  'number',
  'facility_code',
  'match_key',
  'individual_id',
  'status_type',
] as const
type Matched = Record<(typeof MATCHED)[number], string | null>

const CARDS = ['card', 'transponder']
const OTHERS = ['qr', 'mobile', 'plate', 'biometric', 'pin']

/** So many of one number at different sites, or terminated before it was used again. */
const MOST = 100

/**
 * Every reading with the credentials that it may mean, as far as the caller sees them; and those whose number is the
 * text itself.
 */
export async function decoded(handle: OrgHandle, text: string, scope: Scope) {
  const readings = decodeCardNumber(text).map((reading) => ({
    reading,
    keys: CARDS.flatMap((type) => keysOfReading(type, reading)),
  }))
  const asText = [...CARDS, ...OTHERS].flatMap((type) => {
    const read = { type, facility_code: null, number: text, format: null }
    return [matchKeyOf(read), hiddenKeyOf(read)]
  })
  const found = await matching(
    handle,
    new Set([...readings.flatMap(({ keys }) => keys), ...asText.filter((key) => key !== null)]),
    readings,
    scope,
  )
  const isAtSomeSite = ({ facility_code, number }: CardReading, { match_key }: Matched) =>
    facility_code === null &&
    sitesOf(number).some(({ from, to }) => match_key !== null && match_key >= from && match_key < to)
  return {
    readings: readings.map(({ reading, keys }) => ({
      ...reading,
      credentials: found.filter((row) => keys.includes(row.match_key ?? '') || isAtSomeSite(reading, row)),
    })),
    credentials: found,
  }
}

const sitesOf = (number: string) => CARDS.map((type) => keysOfNumber(type, number))

async function matching(
  handle: OrgHandle,
  keys: ReadonlySet<string>,
  readings: ReadonlyArray<{ reading: CardReading }>,
  scope: Scope,
): Promise<Matched[]> {
  // A number without its facility code may be of any site.
  const ranges = readings.flatMap(({ reading }) => (reading.facility_code === null ? sitesOf(reading.number) : []))
  const conditions = [
    handle.dialect.inList('t.match_key', keys, 'text'),
    ...ranges.map(({ from, to }) => sql`(t.match_key >= ${from} and t.match_key < ${to})`),
  ]
  const rows = await handle.all<Matched>(sql`select ${raw(selectList(credentials, MATCHED, false))} from credentials t
    where ${await visible(handle, credentials, scope)} and (${join(conditions, ' or ')})
    order by t.created_at desc, t.id limit ${MOST}`)
  return decodeRows(credentials, handle.dialect, rows)
}
