import { invalid } from '../core/errors.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { Settings } from './settings.ts'

/** The settings of a moment: now unless one is named, which must lie where the history reaches. */
export async function settingsAt(handle: OrgHandle, asOf: string | undefined): Promise<Settings> {
  if (asOf === undefined || asOf === handle.now) return new Settings(handle)
  if (asOf > handle.now)
    throw invalid(
      'as_of',
      'as_of.future',
      `as_of: ${asOf} is yet to come; settings are known up to now. Use at to ask about a later hour`,
    )
  const since = await historySince(handle)
  if (asOf < since)
    throw invalid(
      'as_of',
      'as_of.before_history',
      `as_of: the history of settings begins on ${since}; nothing is known of ${asOf}`,
    )
  return new Settings(handle, asOf)
}

/** From when on the settings of a past moment are known. */
export async function historySince(handle: OrgHandle): Promise<string> {
  const row = await handle.one<{ since: string }>(
    sql`select coalesce(history_since, created_at) as since from organizations where key = :org`,
  )
  return row?.since ?? handle.now
}
