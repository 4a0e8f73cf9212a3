import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { requireRecentLogin } from '../../http/callers/recent-login.ts'
import { reading } from '../../http/context.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { signalOf } from '../../http/signal.ts'
import { LoginAttempts } from '../login/attempts.ts'
import { originOf } from '../login/known-device.ts'
import { arePasswords, GivenPassword, hashPassword, NewPassword } from '../passwords.ts'
import { requireUser, type SessionCaller } from '../sessions/caller.ts'
import { record, setPassword } from '../users/queries.ts'
import { answer, changing } from './changing.ts'

const Confirm = Type.Object({ password: GivenPassword }, { additionalProperties: false })
const Change = Type.Object(
  {
    current_password: Type.Optional({
      ...GivenPassword,
      description: 'The password until now; left out only by whoever has none.',
    }),
    new_password: NewPassword,
  },
  { additionalProperties: false },
)

const CONFIRMED = 'Confirmed that it is you'
const CHANGED = 'Changed your password, logged you out everywhere else, and ended the access of applications'

const common = { tag: 'me', errors: ['VALIDATION_ERROR', 'RATE_LIMITED'], isRepeatable: false } as const

const confirmDoc: RouteDoc = {
  ...common,
  operationId: 'confirmPassword',
  summary: 'Confirm that it is you',
  description:
    'Tokens, roles, users and second factors are changed within 10 minutes of giving the password only; this gives ' +
    'it again.',
  body: { name: 'PasswordConfirm', schema: Confirm },
  success: { status: 200, msg: CONFIRMED },
}
const changeDoc: RouteDoc = {
  ...common,
  operationId: 'changePassword',
  summary: 'Change your password',
  description:
    'Ends all your other sessions, and what you have let applications do for you. Whoever has none yet (they use ' +
    'passkeys or single sign-on) sets a first one within 10 minutes of logging in.',
  body: { name: 'PasswordChange', schema: Change },
  success: { status: 200, msg: CHANGED },
}

export function passwordRoutes(app: FastifyInstance): void {
  const attempts = new LoginAttempts(app.house.engine, app.house.clock)

  app.post(
    '/api/v1/me/confirm-password',
    { config: { permission: 'self', doc: confirmDoc, beforeFactor: ['set_up', 'confirm'] }, schema: { body: Confirm } },
    async (request, reply) => {
      const caller = requireUser(request)
      const { password } = bodyOf(request, Confirm)
      await checkPassword(request, caller, attempts, password)
      await changing(request, async (tx) => {
        await tx.update('sessions', caller.session.id, { confirmed_at: tx.now })
        record(tx, 'user.password_confirmed', caller.id, { session_id: caller.session.id })
      })
      return answer(reply, CONFIRMED)
    },
  )

  app.post(
    '/api/v1/me/password',
    { config: { permission: 'self', doc: changeDoc }, schema: { body: Change } },
    async (request, reply) => {
      const caller = requireUser(request)
      const { current_password, new_password } = bodyOf(request, Change)
      const checked = await checkCurrent(request, caller, attempts, current_password)
      const passwordHash = await hashPassword(new_password, { signal: signalOf(request) })
      await changing(request, async (tx) => {
        // Two changes at once: the second was made with a password that is not the current one any more.
        if ((await storedHash(tx, caller.id)) !== checked) throw wrongPassword()
        await setPassword(tx, caller.id, passwordHash, caller.session.id)
        await tx.update('sessions', caller.session.id, { confirmed_at: tx.now })
        record(tx, 'user.password_changed', caller.id)
        await app.house.mail.queue(tx, caller.id, 'password_changed', { address: request.ip })
      })
      return answer(reply, CHANGED)
    },
  )
}

const wrongPassword = () =>
  new AppError('UNAUTHORIZED', 'The password is not right', { status: 403, reason: 'wrong_password' })

/** Gives the hash that was checked; null: there was no password to give. */
async function checkCurrent(
  request: FastifyRequest,
  caller: SessionCaller,
  attempts: LoginAttempts,
  password: string | undefined,
): Promise<string | null> {
  if (password !== undefined) return checkPassword(request, caller, attempts, password)
  if ((await storedHash(reading(request), caller.id)) !== null)
    throw invalid('current_password', 'body.required', 'current_password is required')
  requireRecentLogin(request)
  return null
}

/** Counted like a login: a session left open must not be a place to guess in. */
async function checkPassword(
  request: FastifyRequest,
  { id }: SessionCaller,
  attempts: LoginAttempts,
  password: string,
): Promise<string> {
  const handle = reading(request)
  const row = await handle.one<{ email: string; password_hash: string }>(
    sql`select t.email, t.password_hash from users t where t.org = :org and t.id = ${id}`,
  )
  if (!row) throw wrongPassword()
  const isRight = await attempts.attempt(
    row.email,
    await originOf(request, { email: row.email, userId: id }),
    async () => {
      const [isRight] = await arePasswords(password, [row.password_hash], signalOf(request))
      if (!isRight) await changing(request, async (tx) => record(tx, 'user.password_refused', id))
      return isRight
    },
    (isRight) => (isRight ? 'neither' : 'wrong'),
  )
  if (!isRight) throw wrongPassword()
  return row.password_hash
}

const storedHash = async (handle: OrgHandle, id: string): Promise<string | null | undefined> =>
  (
    await handle.one<{ password_hash: string | null }>(
      sql`select t.password_hash from users t where t.org = :org and t.id = ${id}`,
    )
  )?.password_hash
