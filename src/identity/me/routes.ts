import type { FastifyInstance } from 'fastify'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { issuersOf } from '../ways-in.ts'
import { describeCaller } from './queries.ts'
import { Me } from './schema.ts'

export function meRoutes(app: FastifyInstance): void {
  const issuers = issuersOf(app.house.config)
  app.get(
    '/api/v1/me',
    {
      config: {
        permission: 'self',
        beforeFactor: ['set_up', 'confirm'],
        doc: {
          tag: 'me',
          operationId: 'getMe',
          summary: 'Who am I?',
          description: 'Whose credential this is, what it may do and where. Any valid credential will do.',
          success: { status: 200, name: 'Me', schema: Me, msg: 'You are HR synchronisation' },
        },
      },
    },
    cachedGet(
      async (request, handle) => ({
        msg: `You are ${request.caller.name}`,
        data: await describeCaller(handle, request.caller, issuers),
      }),
      false,
    ),
  )
}
