import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Transporter } from 'nodemailer'
import type { Config } from '../../config.ts'
import { type Letter, plainText, writeLetter } from '../../core/mail-texts.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Actor } from '../../db/audit.ts'
import { change } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { type MailOutbox, mailContext, type QueuedMail } from '../../db/mails.ts'
import { metricsOf } from '../../db/metrics.ts'
import { OrgHandle } from '../../db/org.ts'
import { unseal } from '../../db/sealing.ts'
import { html } from '../../docs/html.ts'
import { FORGOT_PASSWORD, type ForgotPassword, sendResetLinks } from '../../identity/login/forgot-password.ts'
import { record } from '../../identity/users/queries.ts'
import { repeat } from '../repeat.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** How long to wait after each failed attempt; the last one again and again, until the letter is of no use any more. */
const WAITS = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE]
/** Nobody else takes a letter that is being sent, unless whoever sends it has died. */
const LEASE_MS = 3 * MINUTE
const POLL_MS = 2 * SECOND
const STOP_MS = SECOND
const BATCH = 20

interface MailRow {
  id: string
  org: number | null
  user_id: string | null
  kind: string
  payload: string
  attempts: number
  give_up_at: string
}

export interface MailParts {
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  config: Config
  mail: MailOutbox
  /** How long a mail server may take over each step. */
  timeoutMs?: number
}

/**
 * Sends the letters that wait, oldest first, off the request path. Each is sent at least once; a letter is never
 * logged.
 */
export class MailSender {
  private readonly parts: MailParts
  private transport: Promise<Transporter> | undefined

  constructor(parts: MailParts) {
    this.parts = parts
  }

  /** Whatever is due. Gives how many were done with. */
  async run(): Promise<number> {
    const { engine, clock } = this.parts
    const due = await engine.reader.all<MailRow>(
      `select id, org, user_id, kind, payload, attempts, give_up_at from mails where next_at <= $1 order by next_at, id
        limit ${BATCH}`,
      [clock.now()],
    )
    let done = 0
    for (const row of due) {
      if (!(await this.claim(row))) continue
      const failure = await this.deliver(row)
      if (failure === undefined) await this.remove(row)
      const isPutOff = failure !== undefined && (await this.putOff(row, failure))
      if (!isPutOff) done += 1
      const result = failure === undefined ? 'sent' : isPutOff ? 'put_off' : 'given_up'
      // Who forgot a password is not a letter yet.
      if (row.kind !== FORGOT_PASSWORD) metricsOf(engine).count('gatehouse_mail_deliveries_total', { result })
      // Nobody is there: the others need not be tried.
      if (failure?.isUnreachable) break
    }
    return done
  }

  async close(): Promise<void> {
    ;(await this.transport)?.close()
  }

  /** One of any number of processes gets it. */
  private async claim({ id, attempts }: MailRow): Promise<boolean> {
    const until = this.later(LEASE_MS)
    const claimed = await this.parts.engine.transaction((session) =>
      session.run('update mails set attempts = attempts + 1, next_at = $1 where id = $2 and attempts = $3', [
        until,
        id,
        attempts,
      ]),
    )
    return claimed === 1
  }

  private async deliver(row: MailRow): Promise<Failure | undefined> {
    const { engine, clock, config, mail } = this.parts
    if (row.give_up_at <= clock.now()) return { code: 'too_late', isFinal: true, isUnreachable: false }
    if (row.kind === FORGOT_PASSWORD) {
      await sendResetLinks(engine, clock.now(), mail, config.baseUrl, JSON.parse(row.payload) as ForgotPassword)
      return undefined
    }
    const queued = this.unsealed(row)
    if (!queued) return { code: 'does_not_open', isFinal: true, isUnreachable: false }
    const { kind, facts, recipient, to } = queued
    const letter = writeLetter(kind, facts, recipient)
    try {
      await (await this.open()).sendMail({
        from: config.mail?.from,
        to: { name: recipient.name, address: to },
        subject: letter.subject,
        text: plainText(letter),
        html: asHtml(letter, recipient.language),
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return undefined
    } catch (error) {
      return failureOf(error)
    }
  }

  /** Undefined: it was altered, or moved from another row. */
  private unsealed({ org, id, payload }: MailRow): QueuedMail | undefined {
    try {
      const handle = new OrgHandle(this.parts.engine, org ?? 0, this.parts.clock.now())
      return JSON.parse(unseal(handle, payload, mailContext(id)))
    } catch (err) {
      this.parts.logger.error({ err, mail: id }, 'a letter that waits does not open')
      return undefined
    }
  }

  private open(): Promise<Transporter> {
    this.transport ??= createTransport(this.parts.config.mail?.smtpUrl ?? '', this.parts.timeoutMs ?? 15 * SECOND)
    return this.transport
  }

  private async remove({ id }: MailRow): Promise<void> {
    await this.parts.engine.transaction((session) => session.run('delete from mails where id = $1', [id]))
  }

  /** Until later; false: it is given up, and on the record. */
  private async putOff(row: MailRow, { code, isFinal }: Failure): Promise<boolean> {
    const { engine, clock, logger } = this.parts
    const nextAt = this.later(WAITS[Math.min(row.attempts, WAITS.length - 1)] as number)
    if (!isFinal && nextAt < row.give_up_at) {
      // Only while it is ours: whoever took it after the lease was over says when it is next.
      const ours = 'update mails set next_at = $1 where id = $2 and attempts = $3'
      await engine.transaction((session) => session.run(ours, [nextAt, row.id, row.attempts + 1]))
      logger.warn(
        { mail: row.id, kind: row.kind, code, next_at: nextAt },
        'a letter could not be sent; it is tried again',
      )
      return true
    }
    logger.error({ mail: row.id, kind: row.kind, code }, 'a letter could not be sent and is given up')
    await this.remove(row)
    const { org, user_id } = row
    if (org !== null && user_id !== null)
      await change(engine, org, clock.now(), actor, async (tx) =>
        record(tx, 'user.mail_failed', user_id, { kind: row.kind, reason: code }),
      )
    return false
  }

  private later(ms: number): string {
    return new Date(Date.parse(this.parts.clock.now()) + ms).toISOString()
  }
}

const actor: Actor = { kind: 'system', id: null, name: 'Mail', address: null, reqId: null }

interface Failure {
  code: string
  isFinal: boolean
  isUnreachable: boolean
}

/**
 * Loaded when there is a first letter. Who gives a password wants the connection to be encrypted, but on one's own
 * machine.
 */
async function createTransport(smtpUrl: string, timeoutMs: number): Promise<Transporter> {
  const { createTransport: create } = await import('nodemailer')
  const { username, hostname } = new URL(smtpUrl)
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  return create({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    ...(username !== '' && !isLocal ? { requireTLS: true } : {}),
  })
}

/**
 * The code alone: what a mail server answers may repeat the address. A refusal for good (5xx) of this letter is final;
 * of us, it is not.
 */
function failureOf(error: unknown): Failure {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number }
  const isOfLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    code: responseCode === undefined ? code : `${code} ${responseCode}`,
    isFinal: isOfLetter && (responseCode === undefined || responseCode >= 500),
    isUnreachable: !isOfLetter,
  }
}

const asHtml = ({ greeting, paragraphs, link, after }: Letter, language: string): string =>
  html`<!doctype html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5">
<p>${greeting}</p>
${paragraphs.map((text) => html`<p>${text}</p>\n`)}${
  link === undefined
    ? ''
    : html`<p><a
  href="${link}">${link}</a></p>\n`
}${after === undefined ? '' : html`<p>${after}</p>\n`}</body></html>
`.text

/** Looks every two seconds for letters that are due; what waits is in the database, so that a restart loses none. */
export function startMail(parts: MailParts): { stop: () => Promise<void> } {
  if (!parts.mail.isOn) return { stop: async () => undefined }
  const sender = new MailSender(parts)
  const run = async () => void (await sender.run())
  const failed = (err: unknown) => parts.logger.warn({ err }, 'letters could not be looked for; it is tried again')
  const job = repeat({ name: 'mail', engine: parts.engine, run, failed }, { firstMs: 0, everyMs: POLL_MS })
  return {
    stop: async () => {
      // A mail server that hangs keeps nobody: the letter is tried again after the restart.
      await Promise.race([job.stop(), pause(STOP_MS, undefined, { ref: false })])
      await sender.close()
    },
  }
}
