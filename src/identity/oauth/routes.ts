import type { FastifyInstance } from 'fastify'
import { consentRoutes } from './consent-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { oauthProviderRoutes } from './mount.ts'
import { oauthPageRoutes } from './page-routes.ts'
import { protectedResourceRoute } from './protected-resource.ts'
import type { Oauth } from './service.ts'

export function oauthRoutes(app: FastifyInstance, oauth: Oauth): void {
  oauthProviderRoutes(app, oauth)
  protectedResourceRoute(app)
  consentRoutes(app, oauth)
  grantRoutes(app)
  oauthPageRoutes(app, oauth)
}
