import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import { getRow } from '../../db/rows.ts'
import { actionRoute } from '../../http/action.ts'
import { checkIfMatch } from '../../http/etag.ts'
import { bodyOf, idOf } from '../../http/item.ts'
import { type ResourceRoutes, resourceRoutes } from '../../http/resource.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { createSchema, itemSchema, NoBody } from '../../http/schemas.ts'
import { write } from '../../http/write.ts'
import { issuersOf } from '../ways-in.ts'
import type { MadeLink } from './links.ts'
import { beforeUserDelete, inviteAgain, inviteUser, makeResetLink, prepareUser, reactivateUser, suspendUser } from './queries.ts'
import { type User, users } from './schema.ts'

const permission = 'users:write'

export function userRoutes(app: FastifyInstance): void {
  resourceRoutes(app, users, {
    operations: ['list', 'get', 'patch', 'delete'],
    prepare: prepareUser as ResourceRoutes['prepare'],
    beforeDelete: beforeUserDelete as ResourceRoutes['beforeDelete'],
    errors: { delete: ['INVALID_STATE'] },
  } as ResourceRoutes)
  inviteRoute(app)
  linkRoute(app, {
    path: 'invite',
    operationId: 'inviteUserAgain',
    summary: 'Repeat an invitation',
    description: 'A fresh link, for 7 days; the one before does not work any more.',
    msg: 'Made an invitation link; it is shown this once',
    page: 'invitation',
    make: inviteAgain,
  })
  linkRoute(app, {
    path: 'reset-link',
    operationId: 'makeResetLink',
    summary: 'Make a link to a new password',
    description: 'For a user who has forgotten theirs: hand it to them. It works once, for an hour; a second factor stays as it is.',
    msg: 'Made a link to a new password; it is shown this once',
    page: 'reset',
    make: makeResetLink,
  })
  actionRoute<User>(app, users, {
    verb: 'suspend',
    summary: 'Suspend a user',
    description: 'Logs them out everywhere, and lets them log in no more until they are reactivated. Roles stay.',
    run: async (tx, user) => ({ msg: 'Suspended user', data: await suspendUser(tx, user) }),
  })
  actionRoute<User>(app, users, {
    verb: 'reactivate',
    summary: 'Reactivate a user',
    description: 'Lets a suspended user log in again. One who had not accepted the invitation needs a fresh link.',
    run: async (tx, user) => ({ msg: 'Reactivated user', data: await reactivateUser(tx, user, issuersOf(app.house.config)) }),
  })
}

/** The page's address. The token is behind "#", which a browser sends to nobody: it is in no log. */
export const linkTo = (request: FastifyRequest, page: string, token: string): string =>
  `${request.server.house.config.baseUrl}/${page}#${token}`

const link = Type.String({
  description: 'The link, shown this once: a repetition with the same Idempotency-Key leaves it out. What follows `#` is its token.',
  examples: ['https://gatehouse.example/invitation#…'],
})
const linkExpiresAt = Type.String({
  format: 'date-time',
  description: 'Until when the link works.',
  examples: ['2026-05-11T08:30:00.000Z'],
})

const { properties, ...item } = itemSchema(users) as TSchema & { properties: Record<string, TSchema> }
const UserInvited: TSchema = { ...item, properties: { ...properties, link, link_expires_at: linkExpiresAt } }
const UserLink = Type.Object(
  { user_id: Type.String({ format: 'uuid', description: 'Whose it is.' }), link: Type.Optional(link), link_expires_at: linkExpiresAt },
  { additionalProperties: false },
)

function inviteRoute(app: FastifyInstance): void {
  const schema = createSchema(users)
  const doc: RouteDoc = {
    tag: users.plural,
    operationId: 'createUser',
    summary: 'Invite a user',
    description:
      'Makes the user, without any role, and a link with which they choose a password. The link is in this answer and nowhere else; it works once, for 7 days.',
    body: { name: 'UserCreate', schema },
    success: { status: 201, name: 'UserInvited', schema: UserInvited },
    errors: ['VALIDATION_ERROR', 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
    hasEtag: true,
  }
  app.post('/api/v1/users', { config: { permission, doc }, schema: { body: schema } }, async (request, reply) =>
    write(request, reply, async (tx) => {
      if (request.scope !== 'all') throw outOfReach()
      const made = await inviteUser(tx, bodyOf(request) as Record<string, unknown>)
      return {
        msg: 'Invited user; the link is shown this once',
        status: 201,
        location: `/api/v1/users/${made.user.id}`,
        data: { ...made.user, link_expires_at: made.link.expiresAt },
        secret: { link: linkTo(request, 'invitation', made.link.token) },
      }
    }),
  )
}

interface LinkRoute {
  path: string
  operationId: string
  summary: string
  description: string
  msg: string
  page: string
  make(tx: Parameters<typeof inviteAgain>[0], user: User): Promise<MadeLink>
}

function linkRoute(app: FastifyInstance, { path, msg, page, make, ...more }: LinkRoute): void {
  const doc: RouteDoc = {
    tag: users.plural,
    ...more,
    success: { status: 200, name: 'UserLink', schema: UserLink, msg },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'VERSION_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
  }
  app.post(
    `/api/v1/users/:id/${path}`,
    { config: { permission, doc }, schema: { body: NoBody }, onRequest: refuseTokens },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const user = (await getRow(tx, users, idOf(request), request.scope)) as User
        checkIfMatch(request, user)
        const made = await make(tx, user)
        return {
          msg,
          data: { user_id: user.id, link_expires_at: made.expiresAt },
          secret: { link: linkTo(request, page, made.token) },
        }
      }),
  )
}

/** Such a link is a credential of somebody who has rights already; see decision 6. */
async function refuseTokens({ caller }: FastifyRequest): Promise<void> {
  if (caller.credential !== 'personal_access_token') return
  throw new AppError('UNAUTHORIZED', 'A token cannot make links with which somebody logs in; log in to make one', {
    status: 403,
    reason: 'tokens_cannot_make_tokens',
  })
}

/** Users belong to the organization as a whole. */
const outOfReach = () =>
  new AppError('UNAUTHORIZED', 'This would put the item outside the places you may manage', {
    status: 403,
    reason: 'insufficient_permissions',
  })
