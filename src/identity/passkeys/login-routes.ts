import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { FailureLimit } from '../../http/callers/failure-limit.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { NoBody } from '../../http/schemas.ts'
import { signalOf } from '../../http/signal.ts'
import { answerLogin, LoginAnswer, requestOf } from '../login/answer.ts'
import { turnsFor } from '../login/turns.ts'
import { refuseOtherSites } from '../sessions/same-origin.ts'
import { logInWithKey, verifyKey } from './queries.ts'
import { WebAuthn } from './webauthn.ts'

/** As the browser gives and takes it: passed on as it is. */
export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'For `navigator.credentials`, as JSON (WebAuthn).',
      examples: [{ challenge: '…' }],
    }),
  },
  { additionalProperties: false },
)

export const PasskeyResponse = Type.Unsafe<{ id: string }>({
  type: 'object',
  required: ['id', 'rawId', 'response', 'type'],
  properties: {
    id: Type.String({ minLength: 1, maxLength: 2000 }),
    rawId: Type.String({ minLength: 1, maxLength: 2000 }),
    type: Type.String({ maxLength: 40 }),
    response: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  },
  additionalProperties: true,
  description: 'What the browser answered, as JSON (WebAuthn).',
  examples: [{ id: '…', rawId: '…', type: 'public-key', response: {}, clientExtensionResults: {} }],
})

export const PasskeyLogin = Type.Object({ response: PasskeyResponse }, { additionalProperties: false })

/** Unknown, wrong, expired, suspended: all the same to whoever tries. */
const passkeyFailed = () =>
  new AppError('UNAUTHORIZED', 'That did not work: try the passkey again, or log in another way', {
    reason: 'login_failed',
  })

/** Beginnings per address and minute: each is a row until it expires. */
const BEGINNINGS = 120

const optionsDoc: RouteDoc = {
  tag: 'login',
  operationId: 'beginPasskeyLogin',
  summary: 'Begin a login with a passkey',
  description: 'A challenge for whichever passkey the browser has for this service. It works once, for 5 minutes.',
  success: { status: 200, name: 'PasskeyOptions', schema: PasskeyOptions, msg: 'Ask the browser for a passkey' },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'INVALID_STATE', 'RATE_LIMITED'],
}
const loginDoc: RouteDoc = {
  tag: 'login',
  operationId: 'logInWithPasskey',
  summary: 'Log in with a passkey',
  description: 'Opens a session and sets its cookie. The passkey says who it is, and stands for both factors.',
  body: { name: 'PasskeyLogin', schema: PasskeyLogin },
  success: { status: 200, name: 'LoginAnswer', schema: LoginAnswer, msg: 'Logged in as Ada Lovelace' },
  errors: ['UNAUTHORIZED', 'INVALID_STATE', 'RATE_LIMITED'],
}

export function passkeyLoginRoutes(app: FastifyInstance): void {
  const { engine, clock, failures } = app.house
  const webauthn = new WebAuthn(app.house)
  const beginnings = new FailureLimit(clock, BEGINNINGS)
  app.post(
    '/api/v1/login/passkey/options',
    { config: { open: 'logging in', doc: optionsDoc }, schema: { body: NoBody } },
    async (request, reply) => {
      refuseOtherSites(request)
      const refusal = beginnings.count(request.ip)
      if (refusal) throw refusal
      const options = await webauthn.loginOptions()
      return reply.header('cache-control', 'no-store').send({ msg: 'Ask the browser for a passkey', data: { options } })
    },
  )
  app.post(
    '/api/v1/login/passkey',
    { config: { open: 'logging in', doc: loginDoc, login: 'passkey' }, schema: { body: PasskeyLogin } },
    async (request, reply) => {
      refuseOtherSites(request)
      const { response } = bodyOf(request, PasskeyLogin)
      const found = await turnsFor(engine).run(() => verifyKey(engine, webauthn, response), signalOf(request))
      // Counted first: who only guesses does not fill the record.
      const refusal = found?.signed ? undefined : failures.count(request.ip)
      if (refusal) throw refusal
      const done = found && (await logInWithKey(engine, clock.now(), found.key, found.signed, requestOf(request)))
      if (!done) throw passkeyFailed()
      return answerLogin(reply, `Logged in as ${done.user.name}`, done)
    },
  )
}
