import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../../core/errors.ts'
import type { FactorChange } from '../../core/mail-texts.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import { requireRecentLogin } from '../../http/callers/recent-login.ts'
import { bodyOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import type { Written } from '../../http/items/written.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { NoBody } from '../../http/schemas.ts'
import { confirmTotp, disableTotp, enrolTotp, renewRecoveryCodes } from '../second-factor.ts'
import { requireUser, type SessionCaller } from '../sessions/caller.ts'
import { record } from '../users/queries.ts'

const closed = { additionalProperties: false }
const mfa = Type.Boolean({ description: 'Whether logging in takes a second factor.', examples: [true] })
const Factor = Type.Object({ mfa }, closed)
const Enrolment = Type.Object(
  {
    mfa: { ...mfa, examples: [false] },
    secret: Type.Optional(
      Type.String({ description: 'For the authenticator app, in base 32. Shown this once.', examples: ['…'] }),
    ),
    uri: Type.Optional(
      Type.String({
        description: 'The same as an `otpauth:` URI, for a QR code. Shown this once.',
        examples: ['otpauth://totp/…'],
      }),
    ),
  },
  closed,
)
const RecoveryCodes = Type.Object(
  {
    mfa,
    recovery_codes: Type.Optional(
      Type.Array(Type.String({ examples: ['…'] }), {
        description: 'Each lets you log in once without the app. Shown this once.',
        examples: [['…']],
      }),
    ),
  },
  closed,
)
const Code = Type.Object(
  { code: Type.String({ maxLength: 40, description: 'The code that the app shows.', examples: ['123456'] }) },
  closed,
)

interface FactorRoute {
  path: string
  operationId: string
  summary: string
  description: string
  body?: { name: string; schema: TSchema }
  success: { name: string; schema: TSchema; msg: string }
  /** It is how somebody gets the factor that is demanded of them. */
  isSetUp?: true
  /** What the user is told by mail. */
  notice?: FactorChange
  run(tx: Tx, caller: SessionCaller, request: FastifyRequest): Promise<Omit<Written, 'msg'>>
}

export function factorRoutes(app: FastifyInstance): void {
  route(app, {
    path: 'totp',
    operationId: 'enrolTotp',
    summary: 'Begin a second factor',
    description: 'Makes a secret for an authenticator app (TOTP). It counts once a code of it is confirmed.',
    isSetUp: true,
    success: {
      name: 'TotpEnrolment',
      schema: Enrolment,
      msg: 'Made a secret for the authenticator app; confirm it with a code',
    },
    run: async (tx, { id }) => {
      const secret = await enrolTotp(tx, id)
      record(tx, 'user.mfa_begun', id)
      return { data: { mfa: false }, secret: { ...secret } }
    },
  })
  route(app, {
    path: 'totp/confirm',
    operationId: 'confirmTotp',
    summary: 'Confirm a second factor',
    description:
      'With a code of the app. From now on logging in takes one. Answers with recovery codes, shown this once.',
    body: { name: 'TotpConfirm', schema: Code },
    success: {
      name: 'RecoveryCodes',
      schema: RecoveryCodes,
      msg: 'The second factor is on; keep the recovery codes in a safe place',
    },
    isSetUp: true,
    notice: 'totp_enabled',
    run: async (tx, { id, session }, request) => {
      const codes = await confirmTotp(tx, id, bodyOf(request, Code).code)
      if (!codes) throw invalid('code', 'mfa.wrong_code', 'code: that is not what the app shows now')
      // Whoever has the app in front of them has proved it.
      await tx.update('sessions', session.id, { factor: 'totp' })
      record(tx, 'user.mfa_enabled', id)
      return { data: { mfa: true }, secret: { recovery_codes: codes } }
    },
  })
  route(app, {
    path: 'totp/disable',
    operationId: 'disableTotp',
    summary: 'Disable the second factor',
    description:
      'Logging in takes the password alone again, and the recovery codes are gone. Where a second factor is demanded ' +
      'of you and this was the last, you set up another before anything else.',
    success: { name: 'SecondFactor', schema: Factor, msg: 'The second factor is off' },
    notice: 'totp_disabled',
    run: async (tx, { id }) => {
      await disableTotp(tx, id)
      record(tx, 'user.mfa_disabled', id)
      return { data: { mfa: false } }
    },
  })
  route(app, {
    path: 'recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Renew the recovery codes',
    description: 'Ten new ones, shown this once; the ones before do not work any more.',
    success: {
      name: 'RecoveryCodes',
      schema: RecoveryCodes,
      msg: 'Made new recovery codes; keep them in a safe place',
    },
    notice: 'recovery_codes_renewed',
    run: async (tx, { id }) => {
      const codes = await renewRecoveryCodes(tx, id)
      record(tx, 'user.recovery_codes_renewed', id)
      return { data: { mfa: true }, secret: { recovery_codes: codes } }
    },
  })
}

function route(app: FastifyInstance, { path, run, success, body, isSetUp, notice, ...words }: FactorRoute): void {
  const doc: RouteDoc = {
    tag: 'me',
    ...words,
    ...(body ? { body } : {}),
    success: { status: 200, ...success },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
  }
  const schema = { body: body?.schema ?? NoBody }
  const config = { permission: 'self', doc, beforeFactor: isSetUp ? (['set_up'] as const) : [] } as const
  app.post(`/api/v1/me/${path}`, { config, schema }, async (request, reply) => {
    const caller = requireUser(request)
    requireRecentLogin(request)
    return write(request, reply, async (tx) => {
      const done = await run(tx, caller, request)
      if (notice) await app.house.mail.queue(tx, caller.id, 'factor_changed', { what: notice, address: request.ip })
      return { msg: success.msg, ...done }
    })
  })
}
