import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { secretHash } from '../../core/secrets/secret.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import { getRow, updateRow } from '../../db/rows.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { signalOf } from '../../http/signal.ts'
import { hashPassword, NewPassword } from '../passwords.ts'
import { findLink, invalidLink, type LinkKind, redeemLink, statusFor } from '../users/links.ts'
import { record, setPassword } from '../users/queries.ts'
import { type User, users } from '../users/schema.ts'
import { answerLogin, LoginAnswer, requestOf } from './answer.ts'
import { byLink, LinkToken } from './by-link.ts'
import { describeLinkRoute } from './describe-link.ts'
import { open } from './queries.ts'

const Accept = Type.Object(
  {
    token: LinkToken,
    password: NewPassword,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        format: 'line',
        description: 'Your name, if it is not as invited.',
        examples: ['Ada Lovelace'],
      }),
    ),
  },
  { additionalProperties: false },
)
const Reset = Type.Object({ token: LinkToken, password: NewPassword }, { additionalProperties: false })

const acceptDoc: RouteDoc = {
  tag: 'login',
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description: 'Sets the password that the invited user chooses, and logs them in. The link works once.',
  body: { name: 'InvitationAccept', schema: Accept },
  success: { status: 200, name: 'LoginAnswer', schema: LoginAnswer, msg: 'Welcome, Ada Lovelace' },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
}
const RESET_MSG = 'The password is set; log in with it'
const resetDoc: RouteDoc = {
  tag: 'login',
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description:
    'With the link that an administrator has made, or that came by mail. It works once, ends all sessions of the ' +
    'user and what they have let applications do for them, and logs nobody in.',
  body: { name: 'PasswordReset', schema: Reset },
  success: { status: 200, msg: RESET_MSG },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
}

export function linkRoutes(app: FastifyInstance): void {
  const { mail } = app.house
  const latest = neverBack(app.house.clock)
  describeLinkRoute(app)
  app.post(
    '/api/v1/invitations/accept',
    {
      config: { open: 'whoever is invited has no credential yet', doc: acceptDoc, login: 'link' },
      schema: { body: Accept },
    },
    async (request, reply) => {
      const { name } = bodyOf(request, Accept)
      const done = await redeem(request, latest, 'invitation', async (tx, user, passwordHash) => {
        await tx.update('users', user.id, { password_hash: passwordHash })
        const accepted = await updateRow(tx, users, user, { status: 'active', name: name ?? user.name }, 'accepted')
        return open(tx, accepted, requestOf(request), 'none')
      })
      return answerLogin(reply, `Welcome, ${done.user.name}`, done)
    },
  )
  app.post(
    '/api/v1/password-reset',
    {
      config: { open: 'whoever has forgotten the password has no credential', doc: resetDoc },
      schema: { body: Reset },
    },
    async (request, reply) => {
      await redeem(request, latest, 'reset', async (tx, user, passwordHash) => {
        await setPassword(tx, user.id, passwordHash)
        record(tx, 'user.password_reset', user.id)
        await mail.queue(tx, user.id, 'password_changed', { address: request.ip })
      })
      return reply.header('cache-control', 'no-store').send({ msg: RESET_MSG })
    },
  )
}

/**
 * Looks whether the link is good, hashes the new password, then uses the link up: of any number at once one succeeds.
 */
function redeem<T>(
  request: FastifyRequest,
  latest: Clock,
  kind: LinkKind,
  work: (tx: Tx, user: User, passwordHash: string) => Promise<T>,
): Promise<T> {
  const { engine, clock } = request.server.house
  const { token, password } = bodyOf(request, Reset)
  const signal = signalOf(request)
  return byLink(request, async () => {
    const { org, userId } = await findLink(engine, latest.now(), kind, token)
    const passwordHash = await hashPassword(password, {
      signal,
      check: async () => void (await findLink(engine, latest.now(), kind, token)),
    })
    const actor: Actor = { kind: 'user', id: userId, name: 'By link', address: request.ip, reqId: request.id }
    const use = async (tx: Tx) => {
      await redeemLink(tx, latest.now(), kind, secretHash(token))
      const user = await getRow(tx, users, userId, 'all')
      if (user.status !== statusFor[kind]) throw invalidLink()
      actor.name = user.name
      return work(tx, user, passwordHash)
    }
    return change(engine, org, clock.now(), actor, use, { signal })
  })
}
