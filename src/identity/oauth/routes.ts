import type { FastifyInstance } from 'fastify'
import { consentRoutes } from './consent/consent-routes.ts'
import { oauthPageRoutes } from './consent/page-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { protectedResourceRoute } from './protected-resource.ts'
import { oauthProviderRoutes } from './provider/mount.ts'
import type { Oauth } from './service.ts'

export function oauthRoutes(app: FastifyInstance, oauth: Oauth): void {
  oauthProviderRoutes(app, oauth)
  protectedResourceRoute(app)
  consentRoutes(app, oauth)
  grantRoutes(app)
  oauthPageRoutes(app, oauth)
}
