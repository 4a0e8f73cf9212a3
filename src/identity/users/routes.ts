import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { Type } from '../../core/schema.ts'
import type { Actor } from '../../db/audit.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { getRow, type Made } from '../../db/rows.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny, idOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { STEP_ERRORS } from '../../http/route-doc.ts'
import { NoBody } from '../../http/schemas.ts'
import { refuseTokens } from '../sessions/caller.ts'
import { issuersOf } from '../ways-in.ts'
import { type HandedOver, type LinkKind, letterOf, linkTo, type MadeLink } from './links.ts'
import {
  beforeUserDelete,
  inviteAgain,
  inviteUser,
  isOtherAddress,
  makeResetLink,
  prepareUser,
  reactivateUser,
  removeFactors,
  suspendUser,
} from './queries.ts'
import { type User, users } from './schema.ts'

const permission = 'users:write'

export function userRoutes(app: FastifyInstance): void {
  resourceRoutes(app, users, {
    prepare: async (tx: Tx, next: User, current: User) => {
      const more = await prepareUser(tx, next, current)
      // To the address before: whoever reads there did not ask for it, perhaps. An invitation may have gone to a
      // stranger.
      if (current.status !== 'invited' && isOtherAddress(next, current))
        await app.house.mail.queue(tx, current.id, 'email_changed', { email: next.email })
      return more
    },
    beforeDelete: beforeUserDelete,
    errors: { delete: ['INVALID_STATE'] },
    creation: {
      summary: 'Invite a user',
      description:
        'Makes the user, without any role, and a link with which they choose a password. Where mail is configured ' +
        'the link is sent to them; otherwise it is in this answer and nowhere else. It works once, for 7 days. A ' +
        'token does not get to see a link: without mail it makes the user alone, and somebody who has logged in ' +
        'makes the link (`POST /api/v1/users/{id}/invite`). A link that was shown to you is dead once the user ' +
        'holds more than you.',
      shows: { name: 'UserInvited', properties: { link, link_expires_at: linkExpiresAt, mailed } },
      make: inviting(app),
      makeUnseen: invitingUnseen(app),
    },
  })
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
    description:
      'For a user who has forgotten theirs: it is sent to them, or without mail shown to you to hand over. It works ' +
      'once, for an hour; a second factor stays as it is.',
    msg: 'Made a link to a new password; it is shown this once',
    page: 'reset',
    make: makeResetLink,
  })
  removeFactorRoute(app)
  actionRoute(app, users, {
    verb: 'suspend',
    summary: 'Suspend a user',
    description: 'Logs them out everywhere, and lets them log in no more until they are reactivated. Roles stay.',
    run: async (tx, user) => ({ msg: 'Suspended user', data: await suspendUser(tx, user) }),
  })
  actionRoute(app, users, {
    verb: 'reactivate',
    summary: 'Reactivate a user',
    description: 'Lets a suspended user log in again. One who had not accepted the invitation needs a fresh link.',
    run: async (tx, user) => ({
      msg: 'Reactivated user',
      data: await reactivateUser(tx, user, issuersOf(app.house.config)),
    }),
  })
}

/**
 * By mail where there is mail; otherwise whoever asked for it sees it, this once, and hands it over. A token sees no
 * link, ever.
 */
function wayOf({ house }: FastifyInstance, { credential }: Actor): HandedOver | undefined {
  if (house.mail.isOn) return 'mail'
  return credential === 'session' ? 'viewer' : undefined
}

async function handOver(
  { house }: FastifyInstance,
  tx: Tx,
  userId: string,
  page: LinkKind,
  made: MadeLink,
  by: HandedOver,
) {
  const link = linkTo(house.config, page, made.token)
  const data = { link_expires_at: made.expiresAt, mailed: by === 'mail' }
  if (by === 'viewer') return { data, secret: { link } }
  await house.mail.queue(tx, userId, letterOf[page], { link, expiresAt: made.expiresAt })
  return { data }
}

const link = Type.String({
  description:
    'The link, shown this once: a repetition with the same Idempotency-Key leaves it out. What follows `#` is its ' +
    'token.',
  examples: ['https://gatehouse.example/invitation#…'],
})
const mailed = Type.Boolean({
  description: 'Whether it was sent to the user by mail; then it is not shown.',
  examples: [false],
})
const linkExpiresAt = Type.String({
  format: 'date-time',
  description: 'Until when the link works.',
  examples: ['2026-05-11T08:30:00.000Z'],
})

const UserLink = Type.Object(
  {
    user_id: Type.String({ format: 'uuid', description: 'Whose it is.' }),
    link: Type.Optional(link),
    link_expires_at: linkExpiresAt,
    mailed,
  },
  { additionalProperties: false },
)

const NO_LINK =
  'a token sees no link, so none was made: somebody who has logged in makes it (POST /api/v1/users/{id}/invite)'

/** Makes the user and their link, and hands it over as it can be. */
const inviting =
  (app: FastifyInstance) =>
  async (tx: Tx, body: AnyRow, scope: Scope): Promise<Made> => {
    if (scope !== 'all') throw outOfReach()
    const by = wayOf(app, tx.actor)
    const { user, link: made } = await inviteUser(tx, body, by)
    if (!by || !made) return { msg: `Invited user; ${NO_LINK}`, row: { ...user, mailed: false } }
    const { data, ...secret } = await handOver(app, tx, user.id, 'invitation', made, by)
    const msg = by === 'viewer' ? 'Invited user; the link is shown this once' : 'Invited user; the link is sent by mail'
    return { ...secret, msg, row: { ...user, ...data } }
  }

/** Where nobody looks: by mail alone. Otherwise somebody who has logged in makes each their link. */
const invitingUnseen =
  (app: FastifyInstance) =>
  async (tx: Tx, body: AnyRow, scope: Scope): Promise<Made> => {
    if (scope !== 'all') throw outOfReach()
    const { user, link: made } = await inviteUser(tx, body, app.house.mail.isOn ? 'mail' : undefined)
    if (made) await handOver(app, tx, user.id, 'invitation', made, 'mail')
    return { row: user }
  }

interface LinkRoute {
  path: string
  operationId: string
  summary: string
  description: string
  msg: string
  page: LinkKind
  make(tx: Tx, user: User, by: HandedOver): Promise<MadeLink>
}

function linkRoute(app: FastifyInstance, { path, msg, page, make, ...more }: LinkRoute): void {
  const doc: RouteDoc = {
    tag: users.plural,
    ...more,
    success: { status: 200, name: 'UserLink', schema: UserLink, msg },
    errors: STEP_ERRORS,
  }
  app.post(
    `/api/v1/users/:id/${path}`,
    // Such a link is a credential of somebody who has rights already; see decision 6.
    { config: { permission, doc }, schema: { body: NoBody }, onRequest: refuseTokens },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const user = await getRow(tx, users, idOf(request), request.scope)
        checkIfMatch(request, user)
        const by = app.house.mail.isOn ? 'mail' : 'viewer'
        const handed = await handOver(app, tx, user.id, page, await make(tx, user, by), by)
        return {
          ...handed,
          msg: handed.secret ? msg : 'The link is sent by mail',
          data: { user_id: user.id, ...handed.data },
        }
      }),
  )
}

const RemoveFactor = Type.Object(
  {
    passkeys: Type.Optional(
      Type.Boolean({ default: false, description: 'Their passkeys too: the device is lost.', examples: [true] }),
    ),
  },
  { additionalProperties: false },
)

/** For somebody who has lost their phone: they log in with the password alone, once, and set up another. */
function removeFactorRoute(app: FastifyInstance): void {
  const { mail, config } = app.house
  actionRoute(app, users, {
    verb: 'remove-second-factor',
    summary: 'Remove a lost second factor',
    description:
      'Takes away the authenticator app with its recovery codes, and the passkeys if asked, logs the user out ' +
      'everywhere, and ends what they have let applications do for them. Make sure that it is them who asks. Needs ' +
      'a login rather than a token, and all that the user holds.',
    body: { name: 'SecondFactorRemove', schema: RemoveFactor, required: false },
    run: async (tx, user, request) => {
      await refuseTokens(request)
      const { passkeys = false } = bodyIfAny(request, RemoveFactor)
      const data = await removeFactors(tx, user, passkeys, issuersOf(config))
      await mail.queue(tx, user.id, 'factor_changed', { what: 'removed_by_administrator', address: null })
      return { msg: 'Removed the second factor, and ended all sessions', data }
    },
  })
}

/** Users belong to the organization as a whole. */
const outOfReach = () =>
  new AppError('UNAUTHORIZED', 'This would put the item outside the places you may manage', {
    status: 403,
    reason: 'insufficient_permissions',
  })
