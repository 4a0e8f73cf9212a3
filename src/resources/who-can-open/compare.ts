import { settingsAt } from '../../access/as-of.ts'
import { inSlices, type Listing, rightsOn } from '../../access/lists/listing.ts'
import { Settings } from '../../access/settings.ts'
import { invalid } from '../../core/errors.ts'
import { Pauses } from '../../core/pauses.ts'
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
  const was = await rightsBy(key, listing, before, search)
  const is = await rightsBy(key, listing, after, search)
  // There may be hundreds of thousands: others have their turn meanwhile.
  const pauses = new Pauses(after.settings.handle.signal)
  const rows: AnyRow[] = []
  for (const [id, row] of was) {
    const pause = pauses.take()
    if (pause) await pause
    rows.push(is.get(id) ?? row)
  }
  for (const [id, row] of is) {
    const pause = pauses.take()
    if (pause) await pause
    if (!was.has(id)) rows.push(row)
  }
  await addJudgement(listing, before, rows, 'before')
  await addJudgement(listing, after, rows, 'after')
  const changed: AnyRow[] = []
  for (const row of rows) {
    const pause = pauses.take()
    if (pause) await pause
    const isRight = was.has(row[key]) !== is.has(row[key])
    const change = changeOf(
      isRight ? was.has(row[key]) : row.allowed_before,
      isRight ? is.has(row[key]) : row.allowed_after,
    )
    if (change) changed.push({ ...row, change })
  }
  return changed
}

/** Who, or which doors, have a right at a moment, by their ids. */
async function rightsBy(
  key: string,
  listing: Listing,
  { settings, at }: Moment,
  search: string | null,
): Promise<Map<unknown, AnyRow>> {
  const found = new Map<unknown, AnyRow>()
  const pauses = new Pauses(settings.handle.signal)
  for (const row of await rightsOn(listing, settings, at, search)) {
    const pause = pauses.take()
    if (pause) await pause
    found.set(row[key], row)
  }
  return found
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
  for await (const slice of inSlices(rows)) {
    const judged = slice.map((row) => ({ ...row }))
    await listing.judge(settings, at, judged)
    for (const [index, row] of slice.entries()) {
      const { allowed = false, reason = 'no_access_rights', place } = sure(judged[index])
      Object.assign(row, {
        [`allowed_${when}`]: allowed,
        [`reason_${when}`]: reason,
        ...(place === undefined ? {} : { place }),
      })
    }
  }
}
