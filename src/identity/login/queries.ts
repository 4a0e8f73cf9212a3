import { hash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Caller } from '../../core/rights.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { sql } from '../../db/sql.ts'
import { awaitedBy, factorDemand } from '../demanded-factor.ts'
import { organizationSuspended } from '../organizations.ts'
import { arePasswords } from '../passwords.ts'
import { redeemCode } from '../second-factor.ts'
import { type From, type OpenedSession, openSession } from '../sessions/queries.ts'
import type { SessionFactor } from '../sessions/schema.ts'
import { record } from '../users/queries.ts'

/** Somebody who may be meant by an e-mail address: it is unique within an organization, not among them. */
interface Candidate {
  org: number
  organization_name: string
  id: string
  name: string
  email: string
  status: string
  organization_status: string
  password_hash: string | null
  has_factor: boolean | number
}

export interface Attempt extends Omit<Meant, 'userId'> {
  password: string
  code?: string
}

export interface Request extends From {
  reqId: string
  /** Whoever has left is not let in, and costs nothing more. */
  signal?: AbortSignal
}

export interface LoggedIn {
  /** By what a device is known that this was done on. */
  device?: string
  /** Other organizations know somebody by the same address. */
  isShared?: boolean
  organization: { id: string; name: string; time_zone: string }
  user: { id: string; email: string; name: string }
  session: OpenedSession & { awaitedFactor: Caller['awaitedFactor'] }
}

/** Unknown, wrong, suspended: all the same to whoever tries. */
export const loginFailed = () =>
  new AppError('UNAUTHORIZED', 'That did not work: check the e-mail address, the password and the code', {
    reason: 'login_failed',
  })

const codeNeeded = () =>
  new AppError(
    'UNAUTHORIZED',
    'The second factor is missing: send the code of your authenticator app, or a recovery code, as "code"',
    {
      reason: 'mfa_required',
    },
  )

const organizationNeeded = (names: readonly string[]) =>
  new AppError('CONFLICT', `This login is good for ${names.join(' and ')}: name one of them as "organization"`, {
    reason: 'login.organization_needed',
  })

/** Those of them who have a password. */
async function candidates(engine: Engine, email: string): Promise<Candidate[]> {
  return engine.reader.all<Candidate>(
    `select u.org, o.name as organization_name, o.status as organization_status, u.id, u.name, u.email, u.status,
      u.password_hash,
       u.totp_confirmed_at is not null as has_factor
     from users u join organizations o on o.key = u.org where u.email_key = $1 and u.password_hash is not null
     order by u.org`,
    [emailKey(email)],
  )
}

/** Whom an attempt is about: who is logged in already is known. */
export interface Meant {
  email: string
  organization?: string
  userId?: string
}

const isMeant = ({ organization, userId }: Meant, { organization_name, id }: Candidate): boolean =>
  (organization === undefined || organization === organization_name) && (userId === undefined || userId === id)

/**
 * Of this user alone, whoever else has the address, and with this password alone: who once knew another keeps nothing
 * by it.
 */
const deviceMark = ({ id, password_hash }: Candidate): string =>
  `${id}.${hash('sha256', password_hash ?? '', 'base64url').slice(0, 22)}`

/**
 * By what a device is known that may try the password of whoever is meant; undefined where that is nobody, or more than
 * one.
 */
export async function deviceMarkFor(engine: Engine, meant: Meant): Promise<string | undefined> {
  const [user, another] = (await candidates(engine, meant.email)).filter((one) => isMeant(meant, one))
  return user && !another ? deviceMark(user) : undefined
}

const actorFor = ({ id, name }: { id: string; name: string }, { address, reqId }: Request): Actor => ({
  kind: 'user',
  id,
  name,
  address,
  reqId,
})

interface Outcome {
  /** Nobody of this address has a password: nothing to record it with. */
  isUnknown: boolean
  error: AppError
}

/** The session, or why there is none. What it costs does not tell whether there is such a user. */
export async function logIn(
  engine: Engine,
  now: string,
  attempt: Attempt,
  request: Request,
): Promise<LoggedIn | Outcome> {
  const found = await candidates(engine, attempt.email)
  const known = found.filter((one) => isMeant(attempt, one))
  const hashes = known.length === 0 ? [null] : known.map(({ password_hash }) => password_hash)
  // Side by side: somebody whom two organizations know takes no longer than somebody whom none knows.
  const isRight = await arePasswords(attempt.password, hashes, request.signal)
  const fitting = known.filter((candidate, index) => isRight[index] && isActive(candidate))
  const [user, another] = fitting
  if (another) return { isUnknown: false, error: organizationNeeded(fitting.map((one) => one.organization_name)) }
  const factor = user?.has_factor ? attempt.code : ''
  if (user && factor === undefined) return { isUnknown: false, error: codeNeeded() }
  const done = user && (await enter(engine, now, user, factor ?? '', request))
  if (done) return { ...done, device: deviceMark(user), isShared: found.length > 1 }
  for (const candidate of user ? [user] : known) await recordFailure(engine, now, candidate, request)
  return { isUnknown: known.length === 0, error: loginFailed() }
}

const isActive = ({ status, organization_status }: Candidate): boolean =>
  status === 'active' && organization_status === 'active'

/**
 * In one transaction: the code is used up, the session opened. Undefined when the code is wrong, or the user changed
 * meanwhile.
 */
async function enter(
  engine: Engine,
  now: string,
  user: Candidate,
  code: string,
  request: Request,
): Promise<LoggedIn | undefined> {
  return change(
    engine,
    user.org,
    now,
    actorFor(user, request),
    async (tx) => {
      const current = await tx.one<Pick<Candidate, 'password_hash' | 'has_factor'>>(
        sql`select t.password_hash, t.totp_confirmed_at is not null as has_factor from users t
          where t.org = :org and t.id = ${user.id} and t.status = 'active'`,
      )
      if (!current || current.password_hash !== user.password_hash) return undefined
      const factor = current.has_factor ? await redeemCode(tx, user.id, code) : 'none'
      if (factor === undefined) throw new WrongCode()
      return open(tx, user, request, factor)
    },
    { signal: request.signal },
  ).catch((error: unknown) => {
    if (error instanceof WrongCode) return undefined
    throw error
  })
}

/** Ends the transaction, and with it whatever it wrote. */
class WrongCode extends Error {}

/**
 * By what somebody came in: a second factor, none, or a provider of single sign-on that does not say that it asked for
 * one.
 */
type Proof = SessionFactor | 'none' | 'sign_on'

/** Opens the session and says so; whichever way somebody comes, not in an organization that is suspended. */
export async function open(
  tx: Tx,
  user: { id: string; email: string; name: string },
  request: Request,
  proof: Proof,
): Promise<LoggedIn> {
  const row = await tx.one<LoggedIn['organization'] & { status: string }>(
    sql`select id, name, time_zone, status from organizations where key = :org`,
  )
  if (!row) throw new Error('the organization is gone')
  const { status, ...organization } = row
  if (status !== 'active') throw organizationSuspended()
  const factor = proof === 'none' || proof === 'sign_on' ? null : proof
  const session = await openSession(tx, user.id, request, factor)
  record(tx, 'user.logged_in', user.id, { session_id: session.id, factor: proof })
  const awaitedFactor = awaitedBy(await factorDemand(tx, user.id), factor)
  return {
    organization,
    user: { id: user.id, email: user.email, name: user.name },
    session: { ...session, awaitedFactor },
  }
}

async function recordFailure(engine: Engine, now: string, user: Candidate, request: Request): Promise<void> {
  const actor: Actor = { kind: 'system', id: null, name: 'Login', address: request.address, reqId: request.reqId }
  await change(engine, user.org, now, actor, async (tx) => record(tx, 'user.login_failed', user.id), {
    signal: request.signal,
  })
}
