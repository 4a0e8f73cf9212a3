import type { FastifyInstance } from 'fastify'
import { permissions } from '../../core/permissions.ts'
import { Type } from '../../core/schema.ts'
import { rawQueryOf } from '../../http/address.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { parseListQuery } from '../../query/parse.ts'
import { beforeRoleDelete, prepareRole } from './queries.ts'
import { roles } from './schema.ts'

export function roleRoutes(app: FastifyInstance): void {
  resourceRoutes(app, roles, {
    prepare: prepareRole,
    beforeDelete: beforeRoleDelete,
    errors: { patch: ['INVALID_STATE'], delete: ['INVALID_STATE'] },
  })
  permissionRoute(app)
}

const catalogue = Object.entries(permissions).map(([name, description]) => ({ name, description }))

const PermissionEntry = Type.Object(
  {
    name: Type.String({ examples: ['keys:handover'] }),
    description: Type.String({ examples: [permissions['keys:handover']] }),
  },
  { additionalProperties: false },
)

/** Everything that a role can hold, by name. */
function permissionRoute(app: FastifyInstance): void {
  app.get(
    '/api/v1/permissions',
    {
      config: {
        permission: 'roles:read',
        doc: {
          tag: roles.plural,
          operationId: 'listPermissions',
          summary: 'List permissions',
          description:
            'Every permission there is, each with a sentence that says what it allows. The list is whole: it has no ' +
            'pages.',
          success: { status: 200, name: 'Permissions', schema: Type.Array(PermissionEntry) },
          errors: ['VALIDATION_ERROR'],
        },
      },
    },
    async (request) => {
      parseListQuery(rawQueryOf(request), {}, new Set())
      return { msg: `Retrieved ${catalogue.length} permissions`, data: catalogue }
    },
  )
}
