import type { FastifyInstance } from 'fastify'
import { AppError, unavailable } from '../core/errors.ts'
import type { RouteDoc } from './route-doc.ts'

const alive: RouteDoc = {
  tag: 'service',
  operationId: 'getLiveness',
  summary: 'Is it alive?',
  description:
    'Answers as long as the process runs, whether or not the database is there. Restart the process when this fails.',
  success: { status: 200, msg: 'Alive' },
}

const ready: RouteDoc = {
  tag: 'service',
  operationId: 'getReadiness',
  summary: 'Is it ready?',
  description:
    'Answers when the database does and would keep a change: its files are where they were, it is not known to be ' +
    'damaged, and there is space. `error.reason` says what is wrong otherwise. Send no traffic while this fails.',
  success: { status: 200, msg: 'Ready' },
  errors: ['SERVICE_UNAVAILABLE'],
}

export function healthRoutes(app: FastifyInstance): void {
  app.get('/livez', { config: { open: 'health', doc: alive } }, async () => ({ msg: 'Alive' }))
  app.get('/readyz', { config: { open: 'health', doc: ready } }, async () => {
    try {
      await app.house.engine.ping()
    } catch (cause) {
      throw cause instanceof AppError ? cause : unavailable('database_away', 'The database does not answer', cause)
    }
    return { msg: 'Ready' }
  })
}
