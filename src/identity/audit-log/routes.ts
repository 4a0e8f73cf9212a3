import type { FastifyInstance } from 'fastify'
import { decorateAuditEntries } from '../../audit/entries.ts'
import { auditLog } from '../../audit/schema.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { exportRoute } from './export.ts'

export function auditLogRoutes(app: FastifyInstance): void {
  resourceRoutes(app, auditLog, {
    tag: 'audit log',
    operations: ['list', 'get'],
    decorate: (handle, rows, _caller, names) => decorateAuditEntries(handle, rows, names),
  })
  exportRoute(app)
}
