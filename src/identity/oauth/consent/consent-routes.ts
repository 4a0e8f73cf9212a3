import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../core/errors.ts'
import { allPermissions, type Permission } from '../../../core/permissions.ts'
import { Type } from '../../../core/schema.ts'
import { bodyIfAny, inPath } from '../../../http/items/item.ts'
import type { RouteDoc } from '../../../http/route-doc.ts'
import { NoBody } from '../../../http/schemas.ts'
import { PermissionSet } from '../../roles/schema.ts'
import { hasSession, type SessionCaller } from '../../sessions/caller.ts'
import type { Oauth } from '../service.ts'
import { abortConsent, confirmConsent, describeConsent } from './consent.ts'

const permission = 'self'
const closed = { additionalProperties: false }
const id = Type.String({ format: 'uuid', description: 'Identifier.' })
const text = (description: string, example: string) => Type.String({ description, examples: [example] })

const Consent = Type.Object(
  {
    uid: text('Which request it is; also in the address of the page.', 'x2vTq4Jm0bD9uC1sWkLhE'),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Until when it can be answered.',
      examples: ['2026-05-04T08:45:00.000Z'],
    }),
    application: Type.Object(
      {
        id,
        name: text('Name.', 'Badge printer'),
        description: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'What it is for.',
          examples: [null],
        }),
        kind: Type.Unsafe<string>({
          type: 'string',
          enum: ['confidential', 'public'],
          description: 'Whether it can keep a secret.',
        }),
      },
      { ...closed, description: 'Who asks.' },
    ),
    redirect_uri: text('Where you are sent afterwards.', 'https://badges.example/callback'),
    user: Type.Object(
      { id, name: text('Name.', 'Ada Lovelace'), email: text('E-mail address.', 'ada@example.org') },
      { ...closed, description: 'Who is asked: you.' },
    ),
    identity: Type.Array(
      Type.Object(
        { scope: text('Its name.', 'openid'), description: text('What it means.', 'Know who you are.') },
        closed,
      ),
      { description: 'What it wants to know of you.' },
    ),
    permissions: Type.Array(
      Type.Object(
        {
          name: Type.Unsafe<Permission>({
            type: 'string',
            enum: allPermissions,
            description: 'Its name.',
            examples: ['individuals:read'],
          }),
          description: text('What it allows.', 'See people.'),
          is_held: Type.Boolean({
            description: 'Whether you have it; what you do not have you cannot give.',
            examples: [true],
          }),
        },
        closed,
      ),
      { description: 'What it wants to do for you.' },
    ),
  },
  closed,
)

const Confirm = Type.Object(
  {
    permissions: Type.Optional(
      Type.Unsafe<Permission[]>({
        ...PermissionSet,
        description: 'Only these of what is asked for; all of it unless given.',
      }),
    ),
  },
  closed,
)
const Next = Type.Object(
  { next: text('Where the browser goes on.', 'https://gatehouse.example/oauth/auth/x2vTq4Jm0bD9uC1sWkLhE') },
  closed,
)
const next = { status: 200, name: 'OAuthNext', schema: Next } as const

const tag = 'OAuth consent'
const errors = ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_ERROR'] as const

const docs = {
  get: {
    tag,
    operationId: 'getOAuthInteraction',
    summary: 'Get what an application asks for',
    description: 'For the page that asks somebody who has logged in for their consent. Only whoever began it sees it.',
    success: { status: 200, name: 'OAuthConsent', schema: Consent },
    errors: ['NOT_FOUND'],
  },
  confirm: {
    tag,
    operationId: 'confirmOAuthInteraction',
    summary: 'Agree',
    description:
      'Lets the application do what it asks for, or some of it, for at most 90 days. Send the browser on to `next`.',
    body: { name: 'OAuthConfirm', schema: Confirm, required: false },
    success: { ...next, msg: 'You agreed' },
    errors,
    isRepeatable: false,
  },
  abort: {
    tag,
    operationId: 'abortOAuthInteraction',
    summary: 'Refuse',
    description: 'The application is told that you do not agree. Send the browser on to `next`.',
    success: { ...next, msg: 'You refused' },
    errors,
    isRepeatable: false,
  },
} satisfies Record<string, RouteDoc>

/** By session alone: an application must not agree with itself. To everybody else there is nothing here. */
function askedPerson({ caller }: FastifyRequest): SessionCaller {
  if (!hasSession(caller)) throw notFound()
  return caller
}

const uidOf = (request: FastifyRequest): string => inPath(request, 'uid')
const send = (reply: FastifyReply, msg: string, data: object) =>
  reply.header('cache-control', 'no-store').send({ msg, data })

/** What the consent page needs; by session alone. */
export function consentRoutes(app: FastifyInstance, oauth: Oauth): void {
  const path = '/api/v1/oauth/interactions/:uid'
  app.get(path, { config: { permission, doc: docs.get } }, async (request, reply) => {
    const consent = await describeConsent(oauth, request, askedPerson(request), uidOf(request))
    return send(reply, `${consent.application.name} asks for access`, consent)
  })
  const body = { ...Confirm, type: ['object', 'null'] }
  app.post(
    `${path}/confirm`,
    { config: { permission, doc: docs.confirm }, schema: { body } },
    async (request, reply) => {
      const { permissions } = bodyIfAny(request, Confirm)
      return send(reply, 'You agreed', {
        next: await confirmConsent(oauth, request, askedPerson(request), uidOf(request), permissions),
      })
    },
  )
  app.post(
    `${path}/abort`,
    { config: { permission, doc: docs.abort }, schema: { body: NoBody } },
    async (request, reply) =>
      send(reply, 'You refused', { next: await abortConsent(oauth, request, askedPerson(request), uidOf(request)) }),
  )
}
