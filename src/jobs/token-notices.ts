import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { join, render, type Sql, sql } from '../db/sql.ts'
import { DAY, noticeAt, WARNING_DAYS } from '../identity/tokens/expiry.ts'
import { type Later, repeat } from './repeat.ts'

const MINUTE = 60_000
/** Tokens per transaction: nobody waits long for the writer. */
const BATCH = 200

const actor: Actor = { kind: 'system', id: null, name: 'Token expiry', address: null, reqId: null }

interface Ending {
  id: string
  service_user_id: string
  service_user_name: string
  name: string
  expires_at: string
}

/** Token `t` has come nearer to its end than the last notice says. */
const isDue = (now: string): Sql => {
  const within = (days: number) =>
    sql`(t.notice_days > ${days} and t.expires_at <= ${new Date(Date.parse(now) + days * DAY).toISOString()})`
  return sql`t.revoked_at is null and t.notice_days > 0 and (${join([...WARNING_DAYS, 0].map(within), ' or ')})`
}

/** Tells of tokens that are about to expire, or have: events, and entries of the audit log. Gives how many. */
export async function giveTokenNotices(engine: Engine, now: string): Promise<number> {
  const { text, values } = render(
    sql`select distinct t.org from tokens t join organizations o on o.key = t.org where ${isDue(now)} and o.status = 'active'`,
  )
  let total = 0
  for (const { org } of await engine.reader.all<{ org: number }>(text, values)) {
    let given: number
    do {
      given = await change(engine, org, now, actor, noticeBatch)
      total += given
    } while (given === BATCH)
  }
  return total
}

/** Looks once more inside the transaction: of two processes, one finds it done. */
async function noticeBatch(tx: Tx): Promise<number> {
  const tokens = await tx.all<Ending>(
    sql`select t.id, t.service_user_id, u.name as service_user_name, t.name, t.expires_at
        from tokens t join service_users u on u.org = :org and u.id = t.service_user_id
        where t.org = :org and ${isDue(tx.now)} order by t.expires_at, t.id limit ${BATCH}`,
  )
  for (const { id, ...token } of tokens) {
    const days = noticeAt(tx.now, token.expires_at)
    await tx.run(sql`update tokens as t set notice_days = ${days} where t.org = :org and t.id = ${id}`)
    const action = days === 0 ? 'token.expired' : 'token.expires_soon'
    tx.record({ action, resource: 'tokens', resourceId: id, before: null, after: { ...token, days_left: days } })
  }
  return tokens.length
}

/** Every minute: an expiry is told within that time. */
export function startTokenNotices(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    try {
      const given = await giveTokenNotices(engine, clock.now())
      if (given > 0) logger.info({ given }, 'told of tokens that expire')
    } catch (err) {
      logger.warn({ err }, 'could not tell of tokens that expire; it is tried again in a minute')
    }
  }
  return repeat(run, { firstMs: MINUTE / 6, everyMs: MINUTE }, schedule)
}
