import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { type Static, Type } from '../../core/schema.ts'
import { change, type Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import { actorOf, reading } from '../../http/context.ts'
import { bodyOf } from '../../http/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { LoginAttempts } from '../login/attempts.ts'
import { GivenPassword, hashPassword, isPassword, NewPassword } from '../passwords.ts'
import { requireUser, type SessionCaller } from '../sessions/caller.ts'
import { record, setPassword } from '../users/queries.ts'

const Confirm = Type.Object({ password: GivenPassword }, { additionalProperties: false })
const Change = Type.Object({ current_password: GivenPassword, new_password: NewPassword }, { additionalProperties: false })

const CONFIRMED = 'Confirmed that it is you'
const CHANGED = 'Changed your password, and logged you out everywhere else'

const common = { tag: 'me', errors: ['VALIDATION_ERROR', 'RATE_LIMITED'], isRepeatable: false } as const

const confirmDoc: RouteDoc = {
  ...common,
  operationId: 'confirmPassword',
  summary: 'Confirm that it is you',
  description: 'Tokens, roles, users and second factors are changed within 10 minutes of giving the password only; this gives it again.',
  body: { name: 'PasswordConfirm', schema: Confirm },
  success: { status: 200, msg: CONFIRMED },
}
const changeDoc: RouteDoc = {
  ...common,
  operationId: 'changePassword',
  summary: 'Change your password',
  description: 'Ends all your other sessions.',
  body: { name: 'PasswordChange', schema: Change },
  success: { status: 200, msg: CHANGED },
}

/** Neither goes through `write`: it would keep a digest of the body with its Idempotency-Key, and a fast digest of a password is a hint. */
export function passwordRoutes(app: FastifyInstance): void {
  const attempts = new LoginAttempts(app.house.engine, app.house.clock)

  app.post(
    '/api/v1/me/confirm-password',
    { config: { permission: 'self', doc: confirmDoc }, schema: { body: Confirm } },
    async (request, reply) => {
      const caller = requireUser(request)
      const { password } = bodyOf(request) as Static<typeof Confirm>
      await checkPassword(request, caller, attempts, password)
      await changing(request, async (tx) => {
        await tx.update('sessions', caller.session.id, { confirmed_at: tx.now })
        record(tx, 'user.password_confirmed', caller.id, { session_id: caller.session.id })
      })
      return answer(reply, CONFIRMED)
    },
  )

  app.post('/api/v1/me/password', { config: { permission: 'self', doc: changeDoc }, schema: { body: Change } }, async (request, reply) => {
    const caller = requireUser(request)
    const { current_password, new_password } = bodyOf(request) as Static<typeof Change>
    const checked = await checkPassword(request, caller, attempts, current_password)
    const passwordHash = await hashPassword(new_password)
    await changing(request, async (tx) => {
      // Two changes at once: the second was made with a password that is not the current one any more.
      if ((await storedHash(tx, caller.id)) !== checked) throw wrongPassword()
      await setPassword(tx, caller.id, passwordHash, caller.session.id)
      await tx.update('sessions', caller.session.id, { confirmed_at: tx.now })
      record(tx, 'user.password_changed', caller.id)
    })
    return answer(reply, CHANGED)
  })
}

const answer = (reply: FastifyReply, msg: string) => reply.header('cache-control', 'no-store').send({ msg })

const changing = <T>(request: FastifyRequest, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const { engine, clock } = request.server.house
  return change(engine, request.caller.org, clock.now(), actorOf(request), work)
}

const wrongPassword = () => new AppError('UNAUTHORIZED', 'The password is not right', { status: 403, reason: 'wrong_password' })

/** Counted like a login: a session left open must not be a place to guess in. */
async function checkPassword(request: FastifyRequest, { id }: SessionCaller, attempts: LoginAttempts, password: string): Promise<string> {
  const handle = reading(request)
  const row = await handle.one<{ email: string; password_hash: string }>(
    sql`select t.email, t.password_hash from users t where t.org = :org and t.id = ${id}`,
  )
  if (!row) throw wrongPassword()
  await attempts.begin(row.email, request.ip)
  if (!(await isPassword(password, row.password_hash))) {
    await changing(request, async (tx) => record(tx, 'user.password_refused', id))
    throw wrongPassword()
  }
  await attempts.takeBack(row.email, request.ip)
  return row.password_hash
}

const storedHash = async (tx: Tx, id: string): Promise<string | undefined> =>
  (await tx.one<{ password_hash: string }>(sql`select t.password_hash from users t where t.org = :org and t.id = ${id}`))?.password_hash
