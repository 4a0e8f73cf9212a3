import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'

export function healthRoutes(app: FastifyInstance): void {
  app.get('/livez', { config: { open: 'health' } }, async () => ({ msg: 'Alive' }))
  app.get('/readyz', { config: { open: 'health' } }, async () => {
    try {
      await app.house.engine.ping()
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', 'The database does not answer', { cause, headers: { 'retry-after': '1' } })
    }
    return { msg: 'Ready' }
  })
}
