import { settingsAt } from '../../access/as-of.ts'
import { type Listing, rightsOn } from '../../access/lists/listing.ts'
import { Settings } from '../../access/settings.ts'
import { invalid } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'

interface Moment {
  readonly settings: Settings
  readonly at: string
}

/** A moment as it was, or will be if nothing changes; under settings of one's choice where those are named. */
async function momentOf(handle: OrgHandle, at: string, asOf: string | undefined): Promise<Moment> {
  if (asOf === undefined && at > handle.now) return { settings: new Settings(handle), at }
  return { settings: await settingsAt(handle, asOf ?? at), at }
}

interface Compared {
  readonly from: string
  readonly to: string
  /** Undefined: each moment under its own settings. */
  readonly asOf: string | undefined
  readonly search: string | null
}

/** What has a right at one of two moments and not at the other, each judged at both. */
export async function compare(listing: Listing, handle: OrgHandle, { from, to, asOf, search }: Compared): Promise<AnyRow[]> {
  if (to < from) throw invalid('to', 'changes.order', 'to must not be earlier than from')
  const before = await momentOf(handle, from, asOf)
  const after = await momentOf(handle, to, asOf)
  const key = Object.keys(listing.columns)[0] as string
  const was = new Map((await rightsOn(listing, before.settings, before.at, search)).map((row) => [row[key], row]))
  const is = new Map((await rightsOn(listing, after.settings, after.at, search)).map((row) => [row[key], row]))
  const rows: AnyRow[] = []
  for (const [id, row] of was) if (!is.has(id)) rows.push({ ...row, change: 'lost' })
  for (const [id, row] of is) if (!was.has(id)) rows.push({ ...row, change: 'gained' })
  await addJudgement(listing, before, rows, 'before')
  await addJudgement(listing, after, rows, 'after')
  return rows
}

/** Who is not known at one of the moments had nothing then. */
async function addJudgement(listing: Listing, { settings, at }: Moment, rows: readonly AnyRow[], when: 'before' | 'after'): Promise<void> {
  const judged = rows.map((row) => ({ ...row }))
  await listing.judge(settings, at, judged)
  for (const [index, row] of rows.entries()) {
    const { allowed = false, reason = 'no_access_rights', place } = judged[index] as AnyRow
    Object.assign(row, { [`allowed_${when}`]: allowed, [`reason_${when}`]: reason, ...(place === undefined ? {} : { place }) })
  }
}
