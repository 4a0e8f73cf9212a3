import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { prepareMember } from './queries.ts'
import { accessGroupMembers, accessGroups } from './schema.ts'

export function accessGroupRoutes(app: FastifyInstance): void {
  resourceRoutes(app, accessGroups)
  resourceRoutes(app, accessGroupMembers, {
    permissions: { read: 'access-groups:read', write: 'access-groups:write' },
    parent: { resource: accessGroups, field: 'access_group_id', segment: 'members' },
    prepare: prepareMember,
  })
}
