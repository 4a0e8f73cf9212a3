import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import { rawQueryOf } from '../../http/address.ts'
import { toAppError } from '../../http/answers/errors.ts'
import { isNotModified } from '../../http/answers/etag.ts'
import { changeAs } from '../../http/change-as.ts'
import { reading } from '../../http/context.ts'
import { redactTokens } from '../../http/logger.ts'
import { about } from './about.ts'
import { chosen } from './attributes.ts'
import { type Kind, kinds } from './kinds.ts'
import { type Json, scimError } from './messages.ts'

const TYPE = 'application/scim+json; charset=utf-8'

export function refuse(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error)
  if (known.status >= 500) request.log.error({ err: error, code: known.code }, known.message)
  request.failure = known
  if (known.headers) reply.headers(known.headers)
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="Gatehouse"')
  reply.code(known.status).header('content-type', TYPE).header('cache-control', 'no-store')
  return reply.send(redactTokens(JSON.stringify(scimError(known))))
}

interface Told {
  status: number
  body?: Json | undefined
  /** Of what a change left. */
  version?: string | undefined
}

export async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, body, version } = await perform(request)
  reply.code(status).header('content-type', TYPE).header('cache-control', 'no-store')
  const meta = body?.meta as { location?: string; version?: string } | undefined
  const etag = meta?.version ?? version
  if (etag) reply.header('etag', etag)
  if (request.method === 'GET' && isNotModified(request, etag?.replace(/^W\//, ''))) return reply.code(304).send()
  if (status === 201 && meta?.location) reply.header('location', meta.location)
  return reply.send(body === undefined ? '' : JSON.stringify(asked(body, new URLSearchParams(rawQueryOf(request)))))
}

/** Its ETag is of the whole. */
const asked = (body: Json, query: URLSearchParams): Json => {
  if (Array.isArray(body.Resources))
    return { ...body, Resources: (body.Resources as Json[]).map((one) => chosen(one, query)) }
  return chosen(body, query)
}

async function perform(request: FastifyRequest): Promise<Told> {
  const base = `${request.server.house.config.baseUrl}/scim/v2`
  const [name = '', id, ...rest] = (request.params as { '*': string })['*'].replace(/\/$/, '').split('/')
  if (rest.length > 0) throw notFound()
  if (request.method === 'GET') {
    const said = about(base, name, id)
    if (said) return { status: 200, body: said }
  }
  const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined
  if (!kind) throw notFound()
  const query = new URLSearchParams(rawQueryOf(request))
  return id === undefined ? performOnAll(request, kind, query, base) : performOnOne(request, kind, id, query, base)
}

async function performOnAll(request: FastifyRequest, kind: Kind, query: URLSearchParams, base: string): Promise<Told> {
  if (request.method === 'GET') return { status: 200, body: await kind.list(reading(request), query, base) }
  if (request.method !== 'POST') throw notOffered(request, 'GET, POST')
  const body = await changeAs(request, async (tx) =>
    kind.shown(tx, await kind.create(tx, request.server.house, request.body), base),
  )
  return { status: 201, body }
}

async function performOnOne(
  request: FastifyRequest,
  kind: Kind,
  id: string,
  query: URLSearchParams,
  base: string,
): Promise<Told> {
  const { method, body } = request
  const shown = (handle: OrgHandle) => kind.shown(handle, id, base)
  if (method === 'GET') return { status: 200, body: await kind.shown(reading(request), id, base, query) }
  const step = { PUT: kind.replace, PATCH: kind.patch, DELETE: kind.remove }[method]
  if (!step) throw notOffered(request, 'GET, PUT, PATCH, DELETE')
  const after = await changeAs(request, async (tx) => {
    await checkIfMatch(request, () => shown(tx))
    await step(tx, request.server.house, id, body)
    return method === 'DELETE' ? undefined : shown(tx)
  })
  if (!after) return { status: 204 }
  // A group may have thousands of members: who has put one in need not be told of all.
  if (method === 'PATCH' && kind.isLarge) return { status: 204, version: (after.meta as { version: string }).version }
  return { status: 200, body: after }
}

async function checkIfMatch({ headers }: FastifyRequest, shown: () => Promise<Json>): Promise<void> {
  const wanted = headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  const { version } = (await shown()).meta as { version: string }
  if (wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === version.replace(/^W\//, ''))) return
  throw new AppError('VERSION_CONFLICT', 'It was changed meanwhile: read it again, then repeat the change')
}

const notOffered = ({ method }: FastifyRequest, allow: string) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not offered here`, { headers: { allow } })
