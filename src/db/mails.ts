import { randomUUIDv7 } from 'node:crypto'
import type { Language, MailFacts, MailKind, Recipient } from '../core/mail-texts.ts'
import type { Tx } from './change.ts'
import { seal } from './sealing.ts'
import { sql } from './sql.ts'

/** How long it is tried to send a letter that does not say itself until when it is of use. */
const GIVE_UP_MS = 3 * 24 * 3_600_000

/** A letter as it waits. */
export interface QueuedMail<K extends MailKind = MailKind> {
  kind: K
  to: string
  recipient: Recipient
  facts: MailFacts[K]
}

/** A sealed letter opens in its own row only. */
export const mailContext = (id: string): string => `mail ${id}`

/**
 * Letters are queued in the transaction of what they tell of, and sent by a job: what is committed is sent, and nothing
 * else. Without mail nothing is queued.
 */
export class MailOutbox {
  readonly isOn: boolean

  constructor(isOn: boolean) {
    this.isOn = isOn
  }

  /** To a user, in their language or the organization's. */
  async queue<K extends MailKind>(tx: Tx, userId: string, kind: K, facts: MailFacts[K]): Promise<void> {
    if (!this.isOn) return
    const user = await tx.one<{ email: string; name: string; language: Language | null }>(
      sql`select t.email, t.name, t.language from users t where t.org = :org and t.id = ${userId}`,
    )
    const organization = await tx.one<{ name: string; time_zone: string; language: Language }>(
      sql`select name, time_zone, language from organizations where key = :org`,
    )
    if (!user || !organization) return
    const recipient: Recipient = {
      // It stands in a header too.
      name: user.name.replace(/\s+/g, ' '),
      organization: organization.name,
      timeZone: organization.time_zone,
      language: user.language ?? organization.language,
    }
    const mail: QueuedMail<K> = { kind, to: user.email, recipient, facts }
    const id = randomUUIDv7()
    const giveUpAt = 'link' in facts ? facts.expiresAt : new Date(Date.parse(tx.now) + GIVE_UP_MS).toISOString()
    const payload = await seal(tx, JSON.stringify(mail), mailContext(id))
    await tx.aside(sql`insert into mails (org, id, user_id, kind, payload, attempts, next_at, give_up_at)
      values (:org, ${id}, ${userId}, ${kind}, ${payload}, 0, ${tx.now}, ${giveUpAt})`)
  }
}
