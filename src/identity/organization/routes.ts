import type { FastifyInstance } from 'fastify'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { requireRecentLogin } from '../../http/callers/recent-login.ts'
import { bodyOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { CHANGE_ERRORS } from '../../http/route-doc.ts'
import { itemSchema, patchSchema } from '../../http/schemas.ts'
import { environmentExample, environmentOf, OrganizationEnvironment } from './environment.ts'
import { changeOrganization, organizationOf } from './queries.ts'
import { type OrganizationSettings, organization } from './schema.ts'

const path = '/api/v1/organization'
const success = { status: 200, name: 'Organization', schema: itemSchema(organization) } as const
const OrganizationPatch = patchSchema(organization)

export function organizationRoutes(app: FastifyInstance): void {
  app.get(
    path,
    {
      config: {
        permission: 'organization:read',
        doc: {
          tag: organization.singular,
          operationId: 'getOrganization',
          summary: 'Get your organization',
          description:
            'The organization that your credential belongs to. A role that is limited to places does not reach it.',
          success: { ...success, msg: 'Retrieved organization' },
          hasEtag: true,
          errors: ['NOT_FOUND'],
        },
      },
    },
    cachedGet(
      async (request, handle) => ({ msg: 'Retrieved organization', data: await organizationOf(handle, request.scope) }),
      false,
    ),
  )
  app.get(
    `${path}/environment`,
    {
      config: {
        permission: 'organization:read',
        doc: {
          tag: organization.singular,
          operationId: 'getOrganizationEnvironment',
          summary: 'Get what the service decides for your organization',
          description:
            'Mail, single sign-on, logins and what is kept for how long: set by whoever runs the service, in its ' +
            'environment, and changed there alone. No secret is in it. A role that is limited to places does not ' +
            'reach it.',
          success: {
            status: 200,
            name: 'OrganizationEnvironment',
            schema: OrganizationEnvironment,
            example: environmentExample,
            msg: 'Retrieved what the service decides',
          },
          errors: ['NOT_FOUND'],
        },
      },
    },
    cachedGet(async (request, handle) => {
      const { name } = await organizationOf(handle, request.scope)
      return { msg: 'Retrieved what the service decides', data: environmentOf(request.server.house.config, name) }
    }, true),
  )
  app.patch(
    path,
    {
      config: {
        permission: 'organization:write',
        doc: {
          tag: organization.singular,
          operationId: 'patchOrganization',
          summary: 'Change your organization',
          description:
            'JSON Merge Patch (RFC 7396): the fields given are set, all others stay. `require_second_factor` wants a ' +
            'recent login.',
          body: {
            name: 'OrganizationPatch',
            schema: OrganizationPatch,
            mediaTypes: ['application/merge-patch+json', 'application/json'],
          },
          success: { ...success, msg: 'Updated organization' },
          hasEtag: true,
          errors: CHANGE_ERRORS,
        },
      },
      schema: { body: OrganizationPatch },
    },
    async (request, reply) => {
      const body = bodyOf<Partial<OrganizationSettings>>(request)
      if (body.require_second_factor !== undefined) requireRecentLogin(request)
      return write(request, reply, async (tx) => {
        const current = await organizationOf(tx, request.scope)
        checkIfMatch(request, current)
        return { msg: 'Updated organization', data: await changeOrganization(tx, current, body) }
      })
    },
  )
}
