import type { FastifyInstance } from 'fastify'
import { notFound } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { findRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { listRoute } from '../../http/list-route.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { record } from '../users/queries.ts'
import { requireUser } from './caller.ts'
import { clearSessionCookie } from './cookie.ts'
import { endSessions, isLive } from './queries.ts'
import { sessions } from './schema.ts'

const permission = 'self'
const item = { name: 'Session', schema: itemSchema(sessions) }

export function sessionRoutes(app: FastifyInstance): void {
  listOwnRoute(app)
  endRoute(app)
  endOthersRoute(app)
  logoutRoute(app)
}

/** Whoever calls sees their own and no others; a service user has none. */
function listOwnRoute(app: FastifyInstance): void {
  listRoute(app, '/api/v1/sessions', sessions, {
    permission,
    doc: {
      tag: sessions.plural,
      operationId: 'listSessions',
      summary: 'List sessions',
      description: `${sessions.description} The list has your own.`,
      success: { status: 200, ...item },
    },
    own: ({ id }, { now }) => [sql`t.user_id = ${id}`, isLive(now)],
    decorate: async (_handle, rows, { session }) => {
      for (const row of rows) row.is_current = row.id === session?.id
    },
  })
}

function endRoute(app: FastifyInstance): void {
  const doc: RouteDoc = {
    tag: sessions.plural,
    operationId: 'deleteSession',
    summary: 'End a session',
    description: 'Logs you out there, at once.',
    success: { status: 200, ...item, msg: 'Ended session' },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'],
  }
  app.delete(
    '/api/v1/sessions/:id',
    { config: { permission, doc }, schema: { body: NoBody } },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const id = idOf(request)
        const row = await findRow(tx, sessions, id, 'all')
        const [ended] = await endSessions(tx, request.caller.id, { only: id })
        if (!row || ended === undefined) throw notFound()
        return { msg: 'Ended session', data: { ...row, is_current: ended === request.caller.session?.id } }
      }),
  )
}

function endOthersRoute(app: FastifyInstance): void {
  const Ended = Type.Object(
    { ended: Type.Integer({ minimum: 0, description: 'How many sessions were ended.', examples: [2] }) },
    { additionalProperties: false },
  )
  const doc: RouteDoc = {
    tag: sessions.plural,
    operationId: 'endOtherSessions',
    summary: 'End all other sessions',
    description: 'Logs you out everywhere but here.',
    success: { status: 200, name: 'SessionsEnded', schema: Ended, msg: 'Ended 2 sessions' },
  }
  app.post(
    '/api/v1/sessions/end-others',
    { config: { permission, doc }, schema: { body: NoBody } },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const { id, session } = requireUser(request)
        const { length } = await endSessions(tx, id, { but: session.id })
        return { msg: `Ended ${length} ${length === 1 ? 'session' : 'sessions'}`, data: { ended: length } }
      }),
  )
}

function logoutRoute(app: FastifyInstance): void {
  const doc: RouteDoc = {
    tag: 'login',
    operationId: 'logOut',
    summary: 'Log out',
    description: 'Ends the session of this request.',
    success: { status: 200, ...item, msg: 'Logged out' },
    isRepeatable: false,
  }
  app.post(
    '/api/v1/logout',
    { config: { permission, doc, beforeFactor: ['set_up', 'confirm'] }, schema: { body: NoBody } },
    async (request, reply) => {
      const { id, session } = requireUser(request)
      clearSessionCookie(reply)
      return write(request, reply, async (tx) => {
        const row = await findRow(tx, sessions, session.id, 'all')
        await endSessions(tx, id, { only: session.id })
        record(tx, 'user.logged_out', id, { session_id: session.id })
        if (!row) throw notFound()
        return { msg: 'Logged out', data: { ...row, is_current: true } }
      })
    },
  )
}
