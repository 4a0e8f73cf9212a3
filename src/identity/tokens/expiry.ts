import { invalid } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { parseTimestamp } from '../../query/operands.ts'
import { MAX_TOKEN_DAYS } from '../organization/schema.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
const DEFAULT_DAYS = 90

/** How many days ahead it is told that a token will end, once each. */
export const WARNING_DAYS = [30, 7, 1] as const
export const LAST_WARNING_DAYS = 1
const NO_NOTICE = 9999

/**
 * The notice that the token is at, in days ahead, when no more were given than its life has reached; 0: it has expired.
 */
export const noticeAt = (now: string, expiresAt: string): number =>
  [...WARNING_DAYS, 0].filter((days) => Date.parse(expiresAt) - days * DAY <= Date.parse(now)).at(-1) ?? NO_NOTICE

/** RFC 3339, or a bare date, which means the end of that day in UTC. Undefined: neither. */
export function readExpiry(text: string): string | undefined {
  const instant = parseTimestamp(text)
  if (instant === undefined) return undefined
  return text.length === 10 ? `${text}T23:59:59.999Z` : `${instant.slice(0, 23)}Z`
}

async function maxDaysOf(handle: OrgHandle): Promise<number> {
  const row = await handle.one<{ max_token_days: number }>(
    sql`select max_token_days from organizations where key = :org`,
  )
  return row?.max_token_days ?? MAX_TOKEN_DAYS
}

/** For whoever names none: 90 days, or what the organization allows. */
export async function defaultExpiry(handle: OrgHandle): Promise<string> {
  return new Date(Date.parse(handle.now) + Math.min(DEFAULT_DAYS, await maxDaysOf(handle)) * DAY).toISOString()
}

/** At least an hour ahead, and at most a year or what the organization allows. */
export async function checkExpiry(handle: OrgHandle, expiresAt: string): Promise<void> {
  const maxDays = await maxDaysOf(handle)
  const latest = new Date(Date.parse(handle.now) + maxDays * DAY).toISOString()
  const earliest = new Date(Date.parse(handle.now) + HOUR).toISOString()
  if (expiresAt >= earliest && expiresAt <= latest) return
  throw invalid(
    'expires_at',
    'body.range',
    `expires_at must be at least 1 hour and at most ${maxDays} days ahead, which is ${latest}`,
  )
}
