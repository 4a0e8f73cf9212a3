import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { decorateAuditEntries } from './queries.ts'
import { auditLog } from './schema.ts'

export const auditLogRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, auditLog, {
    tag: 'audit log',
    operations: ['list', 'get'],
    decorate: (handle, rows, _caller, names) => decorateAuditEntries(handle, rows, names),
  })
