import type { FastifyBaseLogger } from 'fastify'
import type { Permission } from '../../core/permissions.ts'
import type { Clock } from '../../core/time/clock.ts'
import { parsed } from '../../db/assignments.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { MailOutbox } from '../../db/mails.ts'
import { join, render, type Sql, sql } from '../../db/sql.ts'
import { DAY, noticeAt, WARNING_DAYS } from '../../identity/tokens/expiry.ts'
import { type Later, repeat } from '../repeat.ts'

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

/** Tells of tokens that are about to expire, or have: events, entries of the audit log, and letters. Gives how many. */
export async function giveTokenNotices(engine: Engine, now: string, mail = new MailOutbox(false)): Promise<number> {
  const { text, values } = render(
    sql`select distinct t.org from tokens t join organizations o on o.key = t.org where ${isDue(now)}
      and o.status = 'active'`,
  )
  let total = 0
  for (const { org } of await engine.unhurried.all<{ org: number }>(text, values)) {
    let given: number
    do {
      given = await change(engine, org, now, actor, (tx) => noticeBatch(tx, mail))
      total += given
    } while (given === BATCH)
  }
  return total
}

/** Looks once more inside the transaction: of two processes, one finds it done. */
async function noticeBatch(tx: Tx, mail: MailOutbox): Promise<number> {
  const tokens = await tx.all<Ending>(
    sql`select t.id, t.service_user_id, u.name as service_user_name, t.name, t.expires_at
        from tokens t join service_users u on u.org = :org and u.id = t.service_user_id
        where t.org = :org and ${isDue(tx.now)} order by t.expires_at, t.id limit ${BATCH}`,
  )
  const keepers = mail.isOn ? await keepersOf(tx) : []
  for (const { id, ...token } of tokens) {
    const days = noticeAt(tx.now, token.expires_at)
    await tx.run(sql`update tokens as t set notice_days = ${days} where t.org = :org and t.id = ${id}`)
    const action = days === 0 ? 'token.expired' : 'token.expires_soon'
    tx.record({ action, resource: 'tokens', resourceId: id, before: null, after: { ...token, days_left: days } })
    if (days === 0) continue
    const facts = { token: token.name, serviceUser: token.service_user_name, expiresAt: token.expires_at }
    for (const userId of keepers) await mail.queue(tx, userId, 'token_expiring', facts)
  }
  return tokens.length
}

/** Whoever can rotate them: people who may make tokens in the whole organization. */
async function keepersOf(tx: Tx): Promise<Iterable<string>> {
  const held = await tx.all<{ user_id: string; permissions: Permission[] | string }>(
    sql`select u.id as user_id, r.permissions from role_assignments a join roles r on r.org = :org and r.id = a.role_id
        join users u on u.org = :org and u.id = a.user_id and u.status = 'active'
        where a.org = :org and a.location_id is null and a.building_id is null order by u.id`,
  )
  return new Set(
    held
      .filter(({ permissions }) => parsed<Permission[]>(permissions).includes('tokens:write'))
      .map((row) => row.user_id),
  )
}

/** Every minute: an expiry is told within that time. */
export function startTokenNotices(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  mail: MailOutbox,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    const given = await giveTokenNotices(engine, clock.now(), mail)
    if (given > 0) logger.info({ given }, 'told of tokens that expire')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not tell of tokens that expire; it is tried again in a minute')
  return repeat({ name: 'token_notices', engine, run, failed }, { firstMs: MINUTE / 6, everyMs: MINUTE }, schedule)
}
