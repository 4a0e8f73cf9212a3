import type { FastifyInstance } from 'fastify'
import { consentRoutes } from './consent-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { oauthProviderRoutes } from './mount.ts'
import { oauthPageRoutes } from './page-routes.ts'
import { protectedResourceRoute } from './protected-resource.ts'
import type { Oauth } from './service.ts'

/** `hasPages`: login and consent are pages of the portal; without it plain forms stand in their place. */
export function oauthRoutes(app: FastifyInstance, oauth: Oauth, hasPages: boolean): void {
  oauthProviderRoutes(app, oauth)
  protectedResourceRoute(app)
  consentRoutes(app, oauth)
  grantRoutes(app)
  if (!hasPages) oauthPageRoutes(app, oauth)
}
