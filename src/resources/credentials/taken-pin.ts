import { terminating } from '../../core/cards/credential-state.ts'
import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { sql } from '../../db/sql.ts'
import { FailureWindow } from '../../http/callers/failure-window.ts'
import type { Credential } from './schema.ts'

/** That a PIN is taken says that it opens something: nobody is told that often (docs/decisions/0025). */
const told = perEngine(() => new FailureWindow('taken-pins', 10, 60 * 60_000))

/**
 * A PIN by itself says whose it is, so of those in use each is the only one, as a number is. Whose it is already is not
 * told. Each try counts before it is looked at, and not if the PIN was free: beyond the limit, free and taken ones are
 * refused alike.
 */
export async function refuseTakenPin(
  tx: Tx,
  { id, type, status_reason }: Credential,
  keys: readonly string[],
): Promise<void> {
  if (type !== 'pin' || keys.length === 0 || terminating.some((one) => one === status_reason)) return
  const window = told(tx.engine)
  const who = `${tx.org} ${tx.actor.kind} ${tx.actor.id}`
  const seconds = window.count(who, tx.now)
  if (seconds > 0) throw tooMany(window, seconds)
  const taken = await tx.one(sql`select t.id from credentials t where t.org = :org and t.type = 'pin' and t.id <> ${id}
    and ${tx.dialect.inList('t.pin_key', keys, 'text')}
    and not ${tx.dialect.inList('t.status_reason', terminating, 'text')} limit 1`)
  if (taken) throw cannotBeUsed()
  window.forgive(who)
}

/** What is stored of one that is taken into use again. */
export async function storedPin(tx: Tx, id: string): Promise<string[]> {
  const row = await tx.one<{ pin_key: string | null }>(
    sql`select t.pin_key from credentials t where t.org = :org and t.id = ${id}`,
  )
  return row?.pin_key ? [row.pin_key] : []
}

function cannotBeUsed(): AppError {
  const message = 'pin: this PIN cannot be used; choose another'
  return new AppError('CONFLICT', message, {
    reason: 'not_unique',
    details: [{ path: 'pin', rule: 'not_unique', message }],
  })
}

const tooMany = (window: FailureWindow, seconds: number) =>
  new AppError('RATE_LIMITED', `Too many PINs that cannot be used were tried; try again in ${seconds} s`, {
    reason: 'wrong_pins',
    headers: window.headers(seconds),
  })
