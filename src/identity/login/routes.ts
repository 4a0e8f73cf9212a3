import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { GivenPassword } from '../passwords.ts'
import { refuseOtherSites } from '../sessions/same-origin.ts'
import { answerLogin, LoginAnswer, requestOf } from './answer.ts'
import { LoginAttempts, type Verdict } from './attempts.ts'
import { originOf } from './known-device.ts'
import { logIn } from './queries.ts'

const Login = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The e-mail address, in any case.',
      examples: ['ada@example.org'],
    }),
    password: GivenPassword,
    code: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'With a second factor: the code of the app, or a recovery code.',
        examples: ['123456'],
      }),
    ),
    organization: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The organization’s name, where one address is known to several.',
        examples: ['ETH Zürich'],
      }),
    ),
  },
  { additionalProperties: false },
)

const doc: RouteDoc = {
  tag: 'login',
  operationId: 'logIn',
  summary: 'Log in',
  description:
    'Opens a session and sets its cookie, for pages of this service; other software uses a token. 401 ' +
    '`mfa_required`: the password is right and the code is missing. After five failures of an account or from a ' +
    'network each further attempt has to wait, longer each time, up to a minute; on a device or in a network that ' +
    'you have logged in from before, what others try makes you wait for nothing. 503 `too_many_logins`: many log ' +
    'in at once.',
  body: { name: 'Login', schema: Login },
  success: { status: 200, name: 'LoginAnswer', schema: LoginAnswer, msg: 'Logged in as Ada Lovelace' },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'CONFLICT'],
}

const verdictOn = (result: Awaited<ReturnType<typeof logIn>>): Verdict => {
  if (!('error' in result)) return result.isShared ? 'shared' : 'right'
  return result.error.reason === 'login_failed' ? 'wrong' : 'neither'
}

export function loginRoutes(app: FastifyInstance): void {
  const { engine, clock } = app.house
  const attempts = new LoginAttempts(engine, clock)
  app.post(
    '/api/v1/login',
    { config: { open: 'logging in', doc, login: 'password' }, schema: { body: Login } },
    async (request, reply) => {
      refuseOtherSites(request)
      const given = bodyOf(request, Login)
      const origin = await originOf(request, given)
      const result = await attempts.attempt(
        given.email,
        origin,
        () => logIn(engine, clock.now(), given, requestOf(request)),
        verdictOn,
      )
      if ('error' in result) {
        // Of an address that nobody has there is no organization to record it with.
        if (result.isUnknown) request.log.info({ ip: request.ip }, 'a login failed: nobody has this address')
        throw result.error
      }
      return answerLogin(reply, `Logged in as ${result.user.name}`, result, origin)
    },
  )
}
