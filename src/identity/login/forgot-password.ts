import { randomUUIDv7 } from 'node:crypto'
import { emailKey } from '../../core/people/email.ts'
import type { Actor } from '../../db/audit.ts'
import { change } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import type { MailOutbox } from '../../db/mails.ts'
import { sql } from '../../db/sql.ts'
import { makeLink } from '../users/links.ts'
import { record } from '../users/queries.ts'

export const FORGOT_PASSWORD = 'forgot_password'

export interface ForgotPassword {
  email: string
  address: string
  reqId: string
}

const HOUR = 3_600_000
/** Whoever asks again within this time has a letter on its way already. */
const AGAIN_MS = 5 * 60_000

/**
 * Puts the request in the queue of letters, whoever it is for: the answer, and the time it takes, are the same for
 * everybody. Whether there is such a user is looked at by the job that sends letters.
 */
export async function queueForgotPassword(engine: Engine, now: string, request: ForgotPassword): Promise<void> {
  const giveUpAt = new Date(Date.parse(now) + HOUR).toISOString()
  await engine.transaction((session) =>
    session.run(
      'insert into mails (id, org, user_id, kind, payload, attempts, next_at, give_up_at) values ($1, null, null, ' +
        '$2, $3, 0, $4, $5)',
      [randomUUIDv7(), FORGOT_PASSWORD, JSON.stringify(request), now, giveUpAt],
    ),
  )
}

/** A link for everybody of this address who logs in with a password; nobody else has one to forget. */
export async function sendResetLinks(
  engine: Engine,
  now: string,
  mail: MailOutbox,
  baseUrl: string,
  { email, address, reqId }: ForgotPassword,
): Promise<void> {
  const found = await engine.reader.all<{ org: number; id: string }>(
    `select u.org, u.id from users u join organizations o on o.key = u.org
     where u.email_key = $1 and u.status = 'active' and u.password_hash is not null and o.status = 'active'
     order by u.org`,
    [emailKey(email)],
  )
  const actor: Actor = { kind: 'system', id: null, name: 'Forgotten password', address, reqId }
  for (const { org, id } of found) {
    await change(engine, org, now, actor, async (tx) => {
      const recent = new Date(Date.parse(now) + HOUR - AGAIN_MS).toISOString()
      const made = await tx.one(
        sql`select t.kind from user_links t where t.org = :org and t.user_id = ${id} and t.kind = 'reset'
          and t.expires_at > ${recent}`,
      )
      if (made) return
      const { token, expiresAt } = await makeLink(tx, id, 'reset', 'mail')
      record(tx, 'user.reset_link_made', id, { expires_at: expiresAt, is_self_service: true })
      await mail.queue(tx, id, 'password_reset', { link: `${baseUrl}/reset#${token}`, expiresAt })
    })
  }
}
