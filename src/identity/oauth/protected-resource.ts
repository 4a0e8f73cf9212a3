import type { FastifyInstance } from 'fastify'
import { allPermissions } from '../../core/permissions.ts'
import { apiOf, issuerOf } from './endpoints.ts'

/** RFC 9728: by whom tokens for the API are issued, and what they can be for. */
export function protectedResourceRoute(app: FastifyInstance): void {
  const { config } = app.house
  const metadata = {
    resource: apiOf(config),
    authorization_servers: [issuerOf(config)],
    scopes_supported: allPermissions,
    bearer_methods_supported: ['header'],
    resource_name: 'Gatehouse API',
    resource_documentation: `${config.docsUrl}/docs`,
  }
  app.get('/.well-known/oauth-protected-resource/api', { config: { open: 'OAuth 2.0' } }, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300').send(metadata),
  )
}
