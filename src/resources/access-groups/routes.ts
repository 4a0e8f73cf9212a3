import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { listRoute } from '../../http/list-route.ts'
import { itemSchema } from '../../http/schemas.ts'
import { memberSetRoutes } from './member-routes.ts'
import { prepareGroup, prepareMember, refuseProvisioned } from './queries.ts'
import { type AccessGroup, type AccessGroupMember, accessGroupMembers, accessGroups } from './schema.ts'

export function accessGroupRoutes(app: FastifyInstance): void {
  resourceRoutes(app, accessGroups, {
    async prepare(tx, next: AccessGroup, current: AccessGroup | undefined) {
      if (current) await refuseProvisioned(tx, current.id)
      return prepareGroup(tx, next)
    },
    beforeDelete: (tx, row) => refuseProvisioned(tx, String(row.id)),
    errors: { delete: ['CONFLICT'] },
  })
  resourceRoutes(app, accessGroupMembers, {
    parent: { resource: accessGroups, field: 'access_group_id', segment: 'members' },
    async prepare(tx, next: AccessGroupMember) {
      await refuseProvisioned(tx, next.access_group_id)
      return prepareMember(tx, next)
    },
    beforeDelete: (tx, row) => refuseProvisioned(tx, String(row.access_group_id)),
    errors: { delete: ['CONFLICT'] },
  })
  memberSetRoutes(app)
  // The same across all groups: without it nobody could say which groups somebody is in.
  listRoute(app, '/api/v1/access-group-members', accessGroupMembers, {
    permission: 'access-groups:read',
    doc: {
      tag: accessGroupMembers.plural,
      operationId: 'listMemberships',
      summary: 'List the members of all access groups',
      description: 'With `individual_id=eq.…`: the groups that an individual is in, and for how long.',
      success: { status: 200, name: 'AccessGroupMember', schema: itemSchema(accessGroupMembers) },
    },
  })
}
