import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { sql } from '../../db/sql.ts'
import { reading } from '../../http/context.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { LoginAttempts } from '../login/attempts.ts'
import { originOf } from '../login/known-device.ts'
import { redeemCode } from '../second-factor.ts'
import { requireUser } from '../sessions/caller.ts'
import { record } from '../users/queries.ts'
import { answer, changing } from './changing.ts'

const Confirm = Type.Object(
  {
    code: Type.String({
      maxLength: 40,
      description: 'The code that the app shows, or a recovery code.',
      examples: ['123456'],
    }),
  },
  { additionalProperties: false },
)
const CONFIRMED = 'Confirmed that it is you'

const doc: RouteDoc = {
  tag: 'me',
  operationId: 'confirmCode',
  summary: 'Confirm that it is you, with a code',
  description:
    'For whoever logged in without their second factor, by single sign-on for example, where one is demanded since ' +
    '(403 `second_factor_required`). It does not stand for the password.',
  body: { name: 'CodeConfirm', schema: Confirm },
  success: { status: 200, msg: CONFIRMED },
  errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
  isRepeatable: false,
}

const wrongCode = () =>
  new AppError('UNAUTHORIZED', 'The code is not right, or was used already', { status: 403, reason: 'wrong_code' })

/** Counted like a login: a session without its factor must not be a place to guess in. */
export function codeRoutes(app: FastifyInstance): void {
  const attempts = new LoginAttempts(app.house.engine, app.house.clock)
  app.post(
    '/api/v1/me/confirm-code',
    { config: { permission: 'self', doc, beforeFactor: ['confirm'] }, schema: { body: Confirm } },
    async (request, reply) => {
      const { id, session } = requireUser(request)
      const { code } = bodyOf(request, Confirm)
      const row = await reading(request).one<{ email: string }>(
        sql`select t.email from users t where t.org = :org and t.id = ${id}`,
      )
      const email = row?.email ?? ''
      const confirm = () =>
        changing(request, async (tx) => {
          const factor = await redeemCode(tx, id, code)
          if (factor) await tx.update('sessions', session.id, { factor })
          record(tx, factor ? 'user.code_confirmed' : 'user.code_refused', id, { session_id: session.id })
          return factor
        })
      const origin = await originOf(request, { email, userId: id })
      const factor = await attempts.attempt(email, origin, confirm, (found) => (found ? 'neither' : 'wrong'))
      if (!factor) throw wrongCode()
      return answer(reply, CONFIRMED)
    },
  )
}
