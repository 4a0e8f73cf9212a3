import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { TOTP } from 'otpauth'
import { AppError } from '../core/errors.ts'
import { secretHash } from '../core/secrets/secret.ts'
import type { Tx } from '../db/change.ts'
import { seal, unseal } from '../db/sealing.ts'
import { sql } from '../db/sql.ts'

const PERIOD_MS = 30_000
/** A clock may be one step off, either way. */
const WINDOW = 1
const RECOVERY_CODES = 10
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Loaded with the first code, not at the start. */
const load = createRequire(import.meta.url)
const otp = (): typeof import('otpauth') => load('otpauth')

const generator = (secret: string, label = ''): TOTP =>
  new (otp().TOTP)({ issuer: 'Gatehouse', label, secret: otp().Secret.fromBase32(secret) })

/** Which step a code is of; undefined: of none that counts now. */
function stepOf(secret: string | undefined, code: string, now: string): number | undefined {
  if (secret === undefined) return undefined
  const timestamp = Date.parse(now)
  const delta = generator(secret).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / PERIOD_MS) + delta
}

/** Sealed for this user alone. */
const context = (userId: string): string => `totp ${userId}`

/**
 * What was stored before secrets were sealed is read as it is. Undefined: it is another's, or was altered, and fits no
 * code.
 */
function unsealed(tx: Tx, userId: string, stored: string): string | undefined {
  if (!stored.startsWith('sealed.')) return stored
  try {
    return unseal(tx, stored, context(userId))
  } catch {
    return undefined
  }
}

/** Seals what an earlier version stored as it is; gives whose. */
export async function sealFactors(tx: Tx): Promise<string[]> {
  const rows = await tx.all<Pick<Factor, 'totp_secret' | 'totp_pending'> & { id: string }>(
    sql`select t.id, t.totp_secret, t.totp_pending from users t
        where t.org = :org and (t.totp_secret not like 'sealed.%' or t.totp_pending not like 'sealed.%') order by t.id`,
  )
  const sealed = async (id: string, stored: string | null): Promise<string | null> =>
    stored === null || stored.startsWith('sealed.') ? stored : seal(tx, stored, context(id))
  for (const { id, totp_secret, totp_pending } of rows)
    await tx.update('users', id, {
      totp_secret: await sealed(id, totp_secret),
      totp_pending: await sealed(id, totp_pending),
    })
  return rows.map(({ id }) => id)
}

interface Factor {
  totp_secret: string | null
  totp_pending: string | null
  email: string
}

async function factorOf(tx: Tx, userId: string): Promise<Factor> {
  const row = await tx.one<Factor>(
    sql`select t.totp_secret, t.totp_pending, t.email from users t where t.org = :org and t.id = ${userId}`,
  )
  if (!row) throw new Error('the user is gone')
  return row
}

const state = (reason: string, msg: string) => new AppError('INVALID_STATE', msg, { reason })

/** A secret for an authenticator app. It counts once a code of it has been given. */
export async function enrolTotp(tx: Tx, userId: string): Promise<{ secret: string; uri: string }> {
  const { totp_secret, email } = await factorOf(tx, userId)
  if (totp_secret !== null) throw state('mfa.enrolled', 'There is a second factor already; disable it first')
  const secret = new (otp().Secret)({ size: 20 }).base32
  await tx.update('users', userId, { totp_pending: await seal(tx, secret, context(userId)) })
  return { secret, uri: generator(secret, email).toString() }
}

/** Gives the recovery codes, or undefined when the code is wrong. */
export async function confirmTotp(tx: Tx, userId: string, code: string): Promise<string[] | undefined> {
  const { totp_pending } = await factorOf(tx, userId)
  if (totp_pending === null)
    throw state('mfa.not_begun', 'There is no second factor that waits to be confirmed; enrol first')
  const step = stepOf(unsealed(tx, userId, totp_pending), code, tx.now)
  if (step === undefined) return undefined
  await tx.update('users', userId, {
    totp_secret: totp_pending,
    totp_confirmed_at: tx.now,
    totp_last_step: step,
    totp_pending: null,
  })
  return newRecoveryCodes(tx, userId)
}

export async function disableTotp(tx: Tx, userId: string): Promise<void> {
  const { totp_secret } = await factorOf(tx, userId)
  if (totp_secret === null) throw notEnrolled()
  await tx.update('users', userId, {
    totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    totp_pending: null,
  })
  await dropRecoveryCodes(tx, userId)
}

export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  if ((await factorOf(tx, userId)).totp_secret === null) throw notEnrolled()
  return newRecoveryCodes(tx, userId)
}

const notEnrolled = () => state('mfa.not_enrolled', 'There is no second factor')

/** Shown once. The ones before do not work any more. */
async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  for (const code of codes)
    await tx.run(
      sql`insert into recovery_codes (org, user_id, hash) values (:org, ${userId}, ${recoveryHash(userId, code)})`,
    )
  return codes
}

async function dropRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from recovery_codes as t where t.org = :org and t.user_id = ${userId}`)
}

/** 80 bits, in letters and digits that are not mistaken for each other. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

const recoveryHash = (userId: string, code: string): string =>
  secretHash(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)

/**
 * A code of the app or a recovery code, each of them once. Gives which it was, or undefined when it is wrong or used.
 */
export async function redeemCode(tx: Tx, userId: string, code: string): Promise<'totp' | 'recovery_code' | undefined> {
  const digits = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(digits)) return (await redeemRecoveryCode(tx, userId, code)) ? 'recovery_code' : undefined
  const { totp_secret } = await factorOf(tx, userId)
  const step = totp_secret === null ? undefined : stepOf(unsealed(tx, userId, totp_secret), digits, tx.now)
  if (step === undefined) return undefined
  const used = await tx.run(sql`update users as t set totp_last_step = ${step}
    where t.org = :org and t.id = ${userId} and (t.totp_last_step is null or t.totp_last_step < ${step})`)
  return used === 1 ? 'totp' : undefined
}

async function redeemRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const used = await tx.run(sql`update recovery_codes as t set used_at = ${tx.now}
    where t.org = :org and t.user_id = ${userId} and t.hash = ${recoveryHash(userId, code)} and t.used_at is null`)
  return used === 1
}
