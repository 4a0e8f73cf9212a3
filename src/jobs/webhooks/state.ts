import { parsed } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { changeLive } from '../../live/live-transaction.ts'

/**
 * Nobody else sends for a webhook meanwhile, unless whoever does has died. It is prolonged while an attempt takes
 * longer.
 */
export const LEASE_MS = 6000

export interface Key {
  readonly org: number
  readonly id: string
}

/** A webhook with how far it has come. */
export interface Sending {
  url: string
  types: string[]
  status: 'active' | 'disabled'
  owner_id: string
  cursors: Record<string, number>
  generation: number
  failure_count: number
  failing_since: string | null
  next_at: string
  blocked_reason: string | null
}

export interface Delivery {
  id: string
  attempted_at: string
  feed: string
  sequence: number
  message_id: string
  type: string
  attempt: number
  result: 'delivered' | 'failed'
  status_code: number | null
  response: string | null
  error: string | null
  duration_ms: number
}

const later = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString()

/**
 * One that lasts longer was taken by a clock that was ahead: whoever has it takes it anew by the right one, or has
 * died.
 */
const lastLease = (now: string): string => later(now, 2 * LEASE_MS)

/** Those that nobody sends for, or whoever did has died. */
export const findFree = ({ reader }: Engine, now: string): Promise<Key[]> =>
  reader.all<Key>(
    `select s.org, s.webhook_id as id from webhook_states s join webhooks w on w.org = s.org and w.id = s.webhook_id
     join organizations o on o.key = s.org where w.status = 'active' and o.status = 'active'
       and (s.lease_until is null or s.lease_until <= $1 or s.lease_until > $2) order by s.org, s.webhook_id
       limit 1000`,
    [now, lastLease(now)],
  )

/** One of any number of processes gets it, and keeps it as long as it asks again in time. */
export async function lease(engine: Engine, { org, id }: Key, now: string, owner: string): Promise<boolean> {
  const claimed = await changeLive(engine, org, now, (tx) =>
    tx.run(sql`update webhook_states as t set lease_owner = ${owner}, lease_until = ${later(now, LEASE_MS)}
      where t.org = :org and t.webhook_id = ${id} and (t.lease_until is null or t.lease_until <= ${now}
        or t.lease_until > ${lastLease(now)} or t.lease_owner = ${owner})`),
  )
  return claimed === 1
}

/** Prolongs all that it has in an organization, with one statement; gives which those are. */
export async function prolong(engine: Engine, org: number, now: string, owner: string): Promise<Set<string>> {
  const rows = await changeLive(engine, org, now, async (tx) => {
    await tx.run(
      sql`update webhook_states as t set lease_until = ${later(now, LEASE_MS)} where t.org = :org
        and t.lease_owner = ${owner}`,
    )
    return tx.all<{ id: string }>(
      sql`select t.webhook_id as id from webhook_states t where t.org = :org and t.lease_owner = ${owner}`,
    )
  })
  return new Set(rows.map(({ id }) => id))
}

export async function release(engine: Engine, { org, id }: Key, now: string, owner: string): Promise<void> {
  await changeLive(engine, org, now, (tx) =>
    tx.run(sql`update webhook_states as t set lease_owner = null, lease_until = null
      where t.org = :org and t.webhook_id = ${id} and t.lease_owner = ${owner}`),
  )
}

/** Undefined: it is gone, or its organization is suspended. */
export async function findSending(handle: OrgHandle, id: string): Promise<Sending | undefined> {
  const row = await handle.one<Sending>(
    sql`select w.url, w.types, w.status, coalesce(w.user_id, w.service_user_id) as owner_id, t.cursors, t.generation,
      t.failure_count, t.failing_since, t.next_at, t.blocked_reason
        from webhook_states t join webhooks w on w.org = :org and w.id = t.webhook_id
        join organizations o on o.key = :org and o.status = 'active' where t.org = :org and t.webhook_id = ${id}`,
  )
  return row && { ...row, types: parsed<string[]>(row.types), cursors: parsed<Record<string, number>>(row.cursors) }
}

/** The type of a delivery that never was one. */
export const PASSED_OVER = 'webhook.passed_over'

/** Keeps what was done. False: somebody else sends by now, or somebody has set the cursors. */
export async function keep(
  engine: Engine,
  key: Key,
  now: string,
  owner: string,
  next: Sending,
  done: readonly Delivery[],
): Promise<boolean> {
  return changeLive(engine, key.org, now, async (tx) => {
    const last = done.findLast(({ result }) => result === 'delivered')?.attempted_at ?? null
    const moved = await tx.run(sql`update webhook_states as t set cursors = ${JSON.stringify(next.cursors)},
        failure_count = ${next.failure_count},
      failing_since = ${next.failing_since}, next_at = ${next.next_at}, blocked_reason = ${next.blocked_reason},
      last_delivered_at = coalesce(${last}, t.last_delivered_at)
      where t.org = :org and t.webhook_id = ${key.id} and t.generation = ${next.generation}
      and t.lease_owner = ${owner}`)
    const isOurs = moved === 1
    // What was sent was sent, whoever sends by now; what is passed over is told by whoever goes on behind it.
    const told = done.filter(({ type }) => isOurs || type !== PASSED_OVER)
    await tx.insertMany(
      'webhook_deliveries',
      told.map((delivery) => ({ ...delivery, webhook_id: key.id })),
    )
    return isOurs
  })
}
