import { settingsAt } from '../../access/as-of.ts'
import { judgeAll, type Listing, rightsOn } from '../../access/lists/listing.ts'
import { Settings } from '../../access/settings.ts'
import { invalid } from '../../core/errors.ts'
import { sure } from '../../core/typed.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'

export interface Moment {
  readonly settings: Settings
  readonly at: string
}

interface Compared {
  readonly from: string
  readonly to: string
  /** Undefined: each moment under its own settings. */
  readonly asOf: string | undefined
}

/** The two moments that are compared, the earlier one first. */
export async function momentsOf(
  handle: OrgHandle,
  { from, to, asOf }: Compared,
): Promise<[before: Moment, after: Moment]> {
  if (to < from) throw invalid('to', 'changes.order', 'to must not be earlier than from')
  return [await momentOf(handle, from, asOf), await momentOf(handle, to, asOf)]
}

/** A moment as it was, or will be if nothing changes; under settings of one's choice where those are named. */
async function momentOf(handle: OrgHandle, at: string, asOf: string | undefined): Promise<Moment> {
  if (asOf === undefined && at > handle.now) return { settings: new Settings(handle), at }
  return { settings: await settingsAt(handle, asOf ?? at), at }
}

/** What has a right at one of two moments and not at the other, and what opens at one of them alone. */
export async function compare(
  listing: Listing,
  before: Moment,
  after: Moment,
  search: string | null,
): Promise<AnyRow[]> {
  const key = sure(Object.keys(listing.columns)[0])
  const was = new Map((await rightsOn(listing, before.settings, before.at, search)).map((row) => [row[key], row]))
  const is = new Map((await rightsOn(listing, after.settings, after.at, search)).map((row) => [row[key], row]))
  const rows = [...new Map([...was, ...is]).values()]
  await addJudgement(listing, before, rows, 'before')
  await addJudgement(listing, after, rows, 'after')
  return rows.flatMap((row) => {
    const isRight = was.has(row[key]) !== is.has(row[key])
    const change = changeOf(
      isRight ? was.has(row[key]) : row.allowed_before,
      isRight ? is.has(row[key]) : row.allowed_after,
    )
    return change ? [{ ...row, change }] : []
  })
}

const changeOf = (was: unknown, is: unknown): 'gained' | 'lost' | undefined =>
  was === is ? undefined : is ? 'gained' : 'lost'

/** Who is not known at one of the moments had nothing then. */
async function addJudgement(
  listing: Listing,
  { settings, at }: Moment,
  rows: readonly AnyRow[],
  when: 'before' | 'after',
): Promise<void> {
  const judged = rows.map((row) => ({ ...row }))
  await judgeAll(listing, settings, at, judged)
  for (const [index, row] of rows.entries()) {
    const { allowed = false, reason = 'no_access_rights', place } = sure(judged[index])
    Object.assign(row, {
      [`allowed_${when}`]: allowed,
      [`reason_${when}`]: reason,
      ...(place === undefined ? {} : { place }),
    })
  }
}
