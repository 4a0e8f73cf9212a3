import { credentialStatuses } from '../../core/cards/credential-state.ts'
import type { Caller, Scope } from '../../core/rights.ts'
import { countBy, sum, visible, withAll } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import { accessEvents } from '../access-events/schema.ts'
import { accessPoints } from '../access-points/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { individuals } from '../individuals/schema.ts'
import { accessControlSystems, systemStatuses } from './schema.ts'

const DAY = 86_400_000
const READS = [
  'access-control-systems:read',
  'access-points:read',
  'credentials:read',
  'individuals:read',
  'access-events:read',
] as const

/**
 * Counts over the systems in the caller's scope; of each other family, what the caller may see of it, or null if
 * nothing.
 */
export async function overviewOf(handle: OrgHandle, scope: Scope, caller: Caller) {
  const byStatus = await countBy(handle, accessControlSystems, 'status', scope)
  const byKind = await countBy(handle, accessControlSystems, 'kind', scope)
  const { until, ...events } = await eventsOf(handle, caller.rights.scopeOf('access-events:read'))
  const data = {
    total: sum(byStatus),
    by_status: withAll(systemStatuses, byStatus),
    by_kind: Object.fromEntries(byKind),
    access_points: await accessPointsOf(handle, caller.rights.scopeOf('access-points:read')),
    credentials: await credentialsOf(handle, caller.rights.scopeOf('credentials:read')),
    individuals: await individualsOf(handle, caller.rights.scopeOf('individuals:read')),
    events,
    limited_to: await limitsOfAny(handle, caller.rights, READS),
  }
  return { data, until }
}

async function accessPointsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, online: null, offline: null, in_alarm: null }
  const row = await handle.one<{ total: number; online: number; offline: number; in_alarm: number }>(sql`
    select count(*) as total, count(case when l.connectivity = 'online' then 1 end) as online,
      count(case when l.connectivity = 'offline' then 1 end) as offline,
      count(case when l.in_alarm then 1 end) as in_alarm
    from access_points t left join access_point_states l on l.org = :org and l.id = t.id
    where ${await visible(handle, accessPoints, scope)}`)
  return row ?? { total: 0, online: 0, offline: 0, in_alarm: 0 }
}

async function credentialsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, by_status_type: null }
  const counts = await countBy(handle, credentials, 'status_type', scope)
  return { total: sum(counts), by_status_type: withAll(credentialStatuses, counts) }
}

async function individualsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, active: null }
  const counts = await countBy(handle, individuals, 'status', scope)
  return { total: sum(counts), active: counts.get('active') ?? 0 }
}

/**
 * The last 24 hours, and the moment at which the oldest event counted is older than that. One of a clock that is ahead
 * counts for a day from when it came.
 */
async function eventsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { last_24_hours: null, denied_last_24_hours: null, until: undefined }
  const { now } = handle
  const since = new Date(Date.parse(now) - DAY).toISOString()
  const row = await handle.one<{ n: number; denied: number; oldest: string | null }>(sql`
    select count(*) as n, count(case when t.type = 'access.denied' then 1 end) as denied,
      min(case when t.occurred_at <= ${now} then t.occurred_at else t.received_at end) as oldest
    from access_events t where ${await visible(handle, accessEvents, scope)}
    and t.occurred_at > ${since} and (t.occurred_at <= ${now} or t.received_at > ${since})`)
  const until = row?.oldest ? new Date(Date.parse(row.oldest) + DAY).toISOString() : undefined
  return { last_24_hours: row?.n ?? 0, denied_last_24_hours: row?.denied ?? 0, until }
}
