import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Engine } from './db/engine.ts'
import { createAuthenticator } from './http/authenticate.ts'
import type { Clock } from './http/context.ts'
import { docsRoutes } from './http/docs.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoutes } from './http/metrics.ts'
import { ResponseCache } from './http/response-cache.ts'
import { createServer } from './http/server.ts'
import { LastUsed } from './jobs/last-used.ts'
import { accessPointRoutes } from './resources/access-points/routes.ts'
import { buildingRoutes } from './resources/buildings/routes.ts'
import { individualRoutes } from './resources/individuals/routes.ts'
import { locationRoutes } from './resources/locations/routes.ts'
import { spaceRoutes } from './resources/spaces/routes.ts'
import { version } from './version.ts'

export interface AppParts {
  config: Config
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
}

/** Puts the house together: the mechanism first, then one line per resource. */
export async function buildApp({ config, engine, clock, logger }: AppParts): Promise<FastifyInstance> {
  const lastUsed = new LastUsed(engine, logger)
  const authenticate = createAuthenticator(engine, clock, (use) => lastUsed.note(use))
  const app = await createServer({ config, engine, clock, cache: new ResponseCache(engine), authenticate }, logger)
  app.addHook('onClose', () => lastUsed.close())

  healthRoutes(app)
  if (config.metrics) metricsRoutes(app)
  docsRoutes(app, version)

  locationRoutes(app)
  buildingRoutes(app)
  spaceRoutes(app)
  accessPointRoutes(app)
  individualRoutes(app)

  return app
}
