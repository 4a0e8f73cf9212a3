import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorCode, invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { pathOf } from '../../http/address.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { bodyOf, rowOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import type { Written } from '../../http/items/written.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { parseRange } from '../../net/addresses.ts'
import { serviceUsers } from '../service-users/schema.ts'
import { refuseTokens } from '../sessions/caller.ts'
import { readExpiry } from './expiry.ts'
import { createToken, revokeToken, rotateToken } from './queries.ts'
import { reportLeakedRoute } from './report-leaked.ts'
import { type Token, tokens } from './schema.ts'

const parent = { resource: serviceUsers, field: 'service_user_id', segment: 'tokens' }
const collection = '/api/v1/service-users/:parent_id/tokens'
const permission = 'tokens:write'
const MAX_GRACE_SECONDS = 7 * 24 * 3600
const DEFAULT_GRACE_SECONDS = 3600

export function tokenRoutes(app: FastifyInstance): void {
  resourceRoutes(app, tokens, {
    operations: ['list', 'get', 'create', 'delete'],
    parent,
    beforeWrite: refuseTokens,
    wording: { properties: { expires_at: expiresAt }, read: readToken },
    creation: {
      description:
        `The value is in this answer and nowhere else. ${NOT_BY_TOKEN} Nobody can make a token that may ` +
        `do more than they may themselves.`,
      shows: { name: success.name, properties: { value } },
      make: createToken,
    },
  })
  rotateRoute(app)
  revokeRoute(app)
  reportLeakedRoute(app)
}

const NOT_BY_TOKEN =
  'A token cannot make tokens: only somebody who has logged in can; the command line makes tokens too.'

const expiresAt = Type.String({
  maxLength: 40,
  description:
    'When it ends: RFC 3339, or a date, which means the end of that day in UTC. At least 1 hour and at most 366 days ' +
    'ahead, or less where the organization says so.',
  examples: ['2027-03-31'],
})

const value = Type.String({
  description: 'The token itself. Shown this once: a repetition with the same Idempotency-Key leaves it out.',
  examples: ['acs_pat_…'],
})
const item = itemSchema(tokens)
/** The answers that hold the value. */
const success = { name: 'TokenCreated', schema: { ...item, properties: { ...item.properties, value } } }

const TokenRotate = Type.Object(
  {
    expires_at: expiresAt,
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_SECONDS,
        default: DEFAULT_GRACE_SECONDS,
        description: 'How long the old token still works; 0 revokes it at once.',
      }),
    ),
  },
  { additionalProperties: false },
)

const errors: ErrorCode[] = ['VALIDATION_ERROR', 'NOT_FOUND', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']
function rotateRoute(app: FastifyInstance): void {
  const doc: RouteDoc = {
    tag: tokens.plural,
    operationId: 'rotateToken',
    summary: 'Rotate a token',
    description:
      `Makes a new token with the same name and limits; the old one still works for the grace ` +
      `period. ${NOT_BY_TOKEN}`,
    body: { name: 'TokenRotate', schema: TokenRotate },
    success: { status: 201, ...success },
    errors: [...errors, 'INVALID_STATE', 'VERSION_CONFLICT'],
    hasEtag: true,
  }
  app.post(
    `${collection}/:id/rotate`,
    { config: { permission, doc }, schema: { body: TokenRotate }, onRequest: refuseTokens },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const old = await tokenOf(request, tx)
        const { expires_at, grace_seconds = DEFAULT_GRACE_SECONDS } = bodyOf(request, TokenRotate)
        const { row, value, endsAt } = await rotateToken(tx, old, instantOf(expires_at), grace_seconds)
        return made(
          `Rotated token; its value is shown this once, and the old one works until ${endsAt}`,
          request,
          row,
          value,
        )
      }),
  )
}

function revokeRoute(app: FastifyInstance): void {
  const doc: RouteDoc = {
    tag: tokens.plural,
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Ends it at once and for good, and keeps it on the list. Deleting it ends it too, and takes it off the list.',
    success: { status: 200, name: 'Token', schema: itemSchema(tokens) },
    errors: [...errors, 'INVALID_STATE', 'VERSION_CONFLICT'],
    hasEtag: true,
  }
  app.post(
    `${collection}/:id/revoke`,
    { config: { permission, doc }, schema: { body: NoBody } },
    async (request, reply) =>
      write(request, reply, async (tx) => ({
        msg: 'Revoked token',
        data: await revokeToken(tx, await tokenOf(request, tx)),
      })),
  )
}

async function tokenOf(request: FastifyRequest, tx: Tx): Promise<Token> {
  const row = await rowOf(request, tx, tokens, { parent })
  checkIfMatch(request, row)
  return row
}

const made = (msg: string, request: FastifyRequest, row: Token, value: string): Written => ({
  msg,
  status: 201,
  location: `${pathOf(request).split('/tokens', 1).join()}/tokens/${row.id}`,
  data: row,
  secret: { value },
})

/** An end may be said as a date; addresses are checked. */
function readToken(body: AnyRow): AnyRow {
  checkAddresses(body.addresses as Token['addresses'] | undefined)
  return typeof body.expires_at === 'string' ? { ...body, expires_at: instantOf(body.expires_at) } : body
}

function instantOf(text: string): string {
  const instant = readExpiry(text)
  if (instant === undefined)
    throw invalid('expires_at', 'body.format', 'expires_at must be an RFC 3339 timestamp or a date like 2027-03-31')
  return instant
}

function checkAddresses(addresses: readonly string[] | null | undefined): void {
  for (const [index, text] of (addresses ?? []).entries()) {
    if (parseRange(text)) continue
    const message = `addresses.${index} must be an IP address or a network like 192.0.2.0/24`
    throw invalid(`addresses.${index}`, 'body.format', message)
  }
}
