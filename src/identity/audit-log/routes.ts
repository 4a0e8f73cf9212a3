import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { exportRoute } from './export.ts'
import { decorateAuditEntries } from './queries.ts'
import { auditLog } from './schema.ts'

export function auditLogRoutes(app: FastifyInstance): void {
  resourceRoutes(app, auditLog, {
    tag: 'audit log',
    operations: ['list', 'get'],
    decorate: (handle, rows, _caller, names) => decorateAuditEntries(handle, rows, names),
  })
  exportRoute(app)
}
