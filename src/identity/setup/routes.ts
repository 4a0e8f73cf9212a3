import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { neverBack } from '../../core/time/clock.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { createSchema } from '../../http/schemas.ts'
import { signalOf } from '../../http/signal.ts'
import { answerLogin, LoginAnswer, requestOf } from '../login/answer.ts'
import { byLink, LinkToken } from '../login/by-link.ts'
import { hashPassword, NewPassword } from '../passwords.ts'
import { users } from '../users/schema.ts'
import { checkSetupLink, type Setup, setUp } from './queries.ts'

const { email, name } = (
  createSchema(users) as unknown as { properties: Record<'email' | 'name', ReturnType<typeof Type.String>> }
).properties

const SetupBody = Type.Object(
  {
    token: LinkToken,
    organization: Type.String({
      minLength: 1,
      maxLength: 200,
      format: 'line',
      description: 'The organization’s name.',
      examples: ['ETH Zürich'],
    }),
    time_zone: Type.Optional(
      Type.String({ maxLength: 100, default: 'UTC', description: 'Its IANA time zone.', examples: ['Europe/Zurich'] }),
    ),
    name,
    email,
    password: NewPassword,
  },
  { additionalProperties: false },
)

const doc: RouteDoc = {
  tag: 'login',
  operationId: 'setUp',
  summary: 'Set up the service',
  description:
    'On an empty database only, with the link that the service prints when it starts (or `gatehouse setup-link`): ' +
    'makes the organization and its first user, an Owner, and logs them in. The link works once, for 15 minutes.',
  body: { name: 'Setup', schema: SetupBody },
  success: { status: 200, name: 'LoginAnswer', schema: LoginAnswer, msg: 'Set up ETH Zürich' },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
}

export function setupRoutes(app: FastifyInstance): void {
  const { engine, clock } = app.house
  // A link that has expired stays so, though the clock is set back.
  const latest = neverBack(clock)
  app.post(
    '/api/v1/setup',
    { config: { open: 'the set-up link is the credential', doc }, schema: { body: SetupBody } },
    async (request, reply) => {
      const { password, time_zone = 'UTC', ...rest } = bodyOf<Setup & { password: string; time_zone?: string }>(request)
      const check = async () => void (await checkSetupLink(engine, latest.now(), rest.token))
      const done = await byLink(request, async () => {
        checkTimeZone('time_zone', time_zone)
        await check()
        const passwordHash = await hashPassword(password, { signal: signalOf(request), check })
        return setUp(engine, latest.now(), { ...rest, time_zone }, passwordHash, requestOf(request))
      })
      return answerLogin(reply, `Set up ${done.organization.name}`, done)
    },
  )
}
