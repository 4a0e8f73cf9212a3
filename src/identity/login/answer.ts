import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { signalOf } from '../../http/signal.ts'
import { setSessionCookie } from '../sessions/cookie.ts'
import type { Origin } from './attempts.ts'
import { rememberDevice } from './known-device.ts'
import type { LoggedIn, Request } from './queries.ts'

const id = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['01997d2a-4c00-7000-8000-000000000001'] })
const closed = { additionalProperties: false }

/** What is demanded of a session before anything else. */
export const AwaitedFactor = Type.Unsafe<'set_up' | 'confirm' | null>({
  type: ['string', 'null'],
  enum: ['set_up', 'confirm', null],
  description:
    'A second factor is demanded of you, by the organization or a role, and until it is there the session is good ' +
    'for nothing else. `set_up`: you have none, and set one up. `confirm`: you have one, and give a code or use ' +
    'the passkey. Null: nothing stands in the way.',
  examples: [null],
})

export const LoginAnswer = Type.Object(
  {
    organization: Type.Object(
      {
        id: id('Identifier.'),
        name: Type.String({ description: 'Name.', examples: ['ETH Zürich'] }),
        time_zone: Type.String({ description: 'IANA time zone.', examples: ['Europe/Zurich'] }),
      },
      { ...closed, description: 'The organization.' },
    ),
    user: Type.Object(
      {
        id: id('Identifier.'),
        email: Type.String({ description: 'E-mail address.', examples: ['ada@example.org'] }),
        name: Type.String({ description: 'Name.', examples: ['Ada Lovelace'] }),
      },
      { ...closed, description: 'Who has logged in.' },
    ),
    session: Type.Object(
      {
        id: id('Identifier.'),
        expires_at: Type.String({
          format: 'date-time',
          description: 'When it ends at the latest.',
          examples: ['2026-05-04T20:30:00.000Z'],
        }),
        awaited_factor: AwaitedFactor,
      },
      { ...closed, description: 'The session; its value is in the cookie alone.' },
    ),
  },
  closed,
)

/** Where a login came from. */
export const requestOf = (request: FastifyRequest): Request => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  reqId: request.id,
  signal: signalOf(request),
})

/**
 * The cookie holds the session's value, the answer does not. Who came by password is known on this device from now on.
 */
export function answerLogin(reply: FastifyReply, msg: string, done: LoggedIn, origin?: Origin): FastifyReply {
  const { organization, user, session } = done
  setSessionCookie(reply, session.value)
  if (origin) rememberDevice(reply, done, origin)
  const { id, expires_at, awaitedFactor = null } = session
  const data = { organization, user, session: { id, expires_at, awaited_factor: awaitedFactor } }
  return reply.header('cache-control', 'no-store').send({ msg, data })
}
