import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../core/errors.ts'
import { change, type Tx } from '../../db/change.ts'
import { parseJson } from '../../http/body.ts'
import { actorOf, rawQueryOf, reading } from '../../http/context.ts'
import { signalOf } from '../../http/signal.ts'
import { about } from './about.ts'
import { createGroup, deleteGroup, findGroup, listGroups, replaceGroup, shownGroup } from './groups.ts'
import { type Json, patched, scimError, whole } from './messages.ts'
import { createUser, deleteUser, findUser, listUsers, replaceUser, shownUser } from './users.ts'

const open = 'SCIM: asks for scim:write itself, and refuses in the words of RFC 7644'

/** SCIM 2.0 at `/scim/v2`, as Entra and Okta speak it. Its bodies are the RFC's, also of errors: it stands outside `/api`. */
export function scimRoutes(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/scim+json', 'application/json'],
      { parseAs: 'buffer' },
      async (_request: unknown, body: unknown) => parseJson(body as Buffer),
    )
    scope.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/scim/v2/*', config: { open }, handler: answer })
  })
}

interface Told {
  status: number
  body: Json | undefined
}

async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  try {
    await admit(request, reply)
    const { status, body } = await perform(request)
    reply.code(status).header('content-type', 'application/scim+json; charset=utf-8').header('cache-control', 'no-store')
    const location = (body?.meta as { location?: string } | undefined)?.location
    if (status === 201 && location) reply.header('location', location)
    return reply.send(body === undefined ? '' : JSON.stringify(body))
  } catch (error) {
    const told = scimError(error)
    if (!told) throw error
    request.failure = { code: String(told.status), reason: undefined }
    if (error instanceof AppError && error.headers) reply.headers(error.headers)
    if (told.status === 401) reply.header('www-authenticate', 'Bearer realm="Gatehouse"')
    return reply.code(told.status).header('content-type', 'application/scim+json; charset=utf-8').send(JSON.stringify(told.body))
  }
}

/** A token of the organization, everywhere in it. Providers know the scheme Bearer alone. */
async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { authenticate, rateLimit } = request.server.house
  const { headers } = request.raw
  headers.authorization = headers.authorization?.replace(/^Bearer (?=acs_pat_)/i, 'Token ')
  const caller = await authenticate(request)
  if (!rateLimit.isOff) await rateLimit.take(caller, reply)
  request.caller = caller
  if (caller.credential === 'session' || caller.rights.scopeOf('scim:write') !== 'all')
    throw new AppError('UNAUTHORIZED', 'The token needs the permission scim:write, for the whole organization', {
      status: 403,
      reason: 'insufficient_permissions',
    })
}

async function perform(request: FastifyRequest): Promise<Told> {
  const base = `${request.server.house.config.baseUrl}/scim/v2`
  const query = new URLSearchParams(rawQueryOf(request))
  const [kind = '', id, ...rest] = (request.params as { '*': string })['*'].replace(/\/$/, '').split('/')
  if (request.method === 'GET' && rest.length === 0) {
    const said = about(base, kind, id)
    if (said) return { status: 200, body: said }
  }
  if ((kind !== 'Users' && kind !== 'Groups') || rest.length > 0) throw notFound()
  const { engine, clock } = request.server.house
  const changed = async (status: number, work: (tx: Tx) => Promise<Json | undefined>): Promise<Told> => ({
    status,
    body: await change(engine, request.caller.org, clock.now(), actorOf(request), work, { signal: signalOf(request) }),
  })
  const parts = kind === 'Users' ? users(base) : groups(base, query)
  const { method, body } = request
  if (id === undefined) {
    if (method === 'GET') return { status: 200, body: await parts.list(reading(request), query) }
    if (method === 'POST') return changed(201, (tx) => parts.create(tx, body))
  } else {
    if (method === 'GET') return { status: 200, body: await parts.get(reading(request), id) }
    if (method === 'PUT') return changed(200, (tx) => parts.replace(tx, id, body))
    if (method === 'PATCH') return changed(200, (tx) => parts.patch(tx, id, body))
    if (method === 'DELETE') return changed(204, (tx) => parts.remove(tx, id))
  }
  throw new AppError('METHOD_NOT_ALLOWED', `${method} is not offered here`)
}

type Handle = ReturnType<typeof reading>

const users = (base: string) => ({
  list: (handle: Handle, query: URLSearchParams) => listUsers(handle, query, base),
  get: async (handle: Handle, id: string) => shownUser(await findUser(handle, id), base),
  create: async (tx: Tx, body: unknown) => shownUser(await createUser(tx, whole('User', body)), base),
  replace: async (tx: Tx, id: string, body: unknown) => shownUser(await replaceUser(tx, id, whole('User', body)), base),
  async patch(tx: Tx, id: string, body: unknown) {
    const after = await patched('User', body, shownUser(await findUser(tx, id), base))
    return shownUser(await replaceUser(tx, id, after), base)
  },
  async remove(tx: Tx, id: string) {
    await deleteUser(tx, id)
    return undefined
  },
})

const groups = (base: string, query: URLSearchParams) => ({
  list: (handle: Handle, asked: URLSearchParams) => listGroups(handle, asked, base),
  get: async (handle: Handle, id: string) => shownGroup(handle, await findGroup(handle, id), query, base),
  create: async (tx: Tx, body: unknown) => shownGroup(tx, await createGroup(tx, whole('Group', body)), query, base),
  replace: async (tx: Tx, id: string, body: unknown) => shownGroup(tx, await replaceGroup(tx, id, whole('Group', body)), query, base),
  async patch(tx: Tx, id: string, body: unknown) {
    const all = new URLSearchParams()
    const after = await patched('Group', body, await shownGroup(tx, await findGroup(tx, id), all, base))
    return shownGroup(tx, await replaceGroup(tx, id, after), query, base)
  },
  async remove(tx: Tx, id: string) {
    await deleteGroup(tx, id)
    return undefined
  },
})
