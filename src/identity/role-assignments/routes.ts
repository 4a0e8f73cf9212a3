import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { beforeRoleAssignmentDelete, prepareRoleAssignment } from './queries.ts'
import { roleAssignments } from './schema.ts'

export const roleAssignmentRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, roleAssignments, {
    operations: ['list', 'get', 'create', 'delete'],
    prepare: prepareRoleAssignment,
    beforeDelete: beforeRoleAssignmentDelete,
    errors: { delete: ['INVALID_STATE'] },
  })
