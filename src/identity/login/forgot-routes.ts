import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { signalOf } from '../../http/signal.ts'
import { refuseOtherSites } from '../sessions/same-origin.ts'
import { LoginAttempts } from './attempts.ts'
import { queueForgotPassword } from './forgot-password.ts'

const Forgot = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The e-mail address you log in with.',
      examples: ['ada@example.org'],
    }),
  },
  { additionalProperties: false },
)

const MSG = 'If somebody logs in with this address and a password, a letter is on its way'

const doc: RouteDoc = {
  tag: 'login',
  operationId: 'forgotPassword',
  summary: 'Ask for a new password',
  description:
    'Sends a link to a new password to the address, where letters are sent at all (409 `mail.not_configured` ' +
    'otherwise). The answer is the same whether anybody has the address or not. Repeated requests have to wait ' +
    'like failed logins.',
  body: { name: 'ForgotPassword', schema: Forgot },
  success: { status: 200, msg: MSG },
  errors: ['UNAUTHORIZED', 'INVALID_STATE', 'RATE_LIMITED'],
}

export function forgotRoutes(app: FastifyInstance): void {
  const { engine, clock, mail } = app.house
  // Counted apart from failed logins: asking for a letter makes nobody wait at the login.
  const attempts = new LoginAttempts(engine, clock, 'forgot-password')
  app.post(
    '/api/v1/login/forgot-password',
    { config: { open: 'whoever has forgotten the password has no credential', doc }, schema: { body: Forgot } },
    async (request, reply) => {
      refuseOtherSites(request)
      if (!mail.isOn)
        throw new AppError(
          'INVALID_STATE',
          'This service sends no letters; ask an administrator for a link to a new password',
          {
            reason: 'mail.not_configured',
          },
        )
      const { email } = bodyOf(request, Forgot)
      const queue = () => queueForgotPassword(engine, clock.now(), { email, address: request.ip, reqId: request.id })
      await attempts.attempt(email, { address: request.ip, signal: signalOf(request) }, queue, () => 'wrong')
      return reply.header('cache-control', 'no-store').send({ msg: MSG })
    },
  )
}
