import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { impactOf } from './access/impact.ts'
import type { Config } from './config.ts'
import type { Clock } from './core/time/clock.ts'
import type { Engine } from './db/engine.ts'
import { MailOutbox } from './db/mails.ts'
import type { Resource } from './db/resource.ts'
import { declareResources } from './db/resources.ts'
import { sealWith } from './db/sealing.ts'
import { type Portal, portalRoutes } from './docs/portal.ts'
import { docsRoutes } from './docs/routes.ts'
import { ResponseCache } from './http/answers/response-cache.ts'
import { type CredentialReader, createAuthenticator } from './http/callers/authenticate.ts'
import { FailureLimit } from './http/callers/failure-limit.ts'
import { KnownCallers } from './http/callers/known-callers.ts'
import { RateLimit } from './http/callers/rate-limit.ts'
import type { StreamTimes } from './http/feeds/stream.ts'
import { Streams } from './http/feeds/streams.ts'
import { healthRoutes } from './http/health.ts'
import type { Siblings } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { auditLogRoutes } from './identity/audit-log/routes.ts'
import { externalIdentityRoutes } from './identity/external-identities/routes.ts'
import { forgotRoutes } from './identity/login/forgot-routes.ts'
import { linkRoutes } from './identity/login/link-routes.ts'
import { loginRoutes } from './identity/login/routes.ts'
import { codeRoutes } from './identity/me/code-routes.ts'
import { factorRoutes } from './identity/me/factor-routes.ts'
import { passwordRoutes } from './identity/me/password-routes.ts'
import { profileRoutes } from './identity/me/profile-routes.ts'
import { meRoutes } from './identity/me/routes.ts'
import { oauthRoutes } from './identity/oauth/routes.ts'
import { Oauth } from './identity/oauth/service.ts'
import { oauthApplicationRoutes } from './identity/oauth-applications/routes.ts'
import { organizationRoutes } from './identity/organization/routes.ts'
import { passkeyLoginRoutes } from './identity/passkeys/login-routes.ts'
import { passkeyRoutes } from './identity/passkeys/routes.ts'
import { roleAssignmentRoutes } from './identity/role-assignments/routes.ts'
import { roleRoutes } from './identity/roles/routes.ts'
import { scimRoutes } from './identity/scim/mount.ts'
import { serviceUserRoutes } from './identity/service-users/routes.ts'
import { createSessionReader } from './identity/sessions/reader.ts'
import { sessionRoutes } from './identity/sessions/routes.ts'
import { setupRoutes } from './identity/setup/routes.ts'
import { SignOn } from './identity/sign-on/begin.ts'
import { signOnRoutes } from './identity/sign-on/login-routes.ts'
import { identityRoutes } from './identity/sign-on/routes.ts'
import { tokenRoutes } from './identity/tokens/routes.ts'
import { userRoutes } from './identity/users/routes.ts'
import { LastUsed } from './jobs/last-used.ts'
import { sealKeysOf } from './jobs/seal-key.ts'
import { SecurityEvents } from './jobs/security-events.ts'
import { SessionSeen } from './jobs/session-seen.ts'
import { accessControlSystemRoutes } from './resources/access-control-systems/routes.ts'
import { accessDecisionRoutes } from './resources/access-decisions/routes.ts'
import { accessEventRoutes } from './resources/access-events/routes.ts'
import { accessGrantRoutes } from './resources/access-grants/routes.ts'
import { accessGroupRoutes } from './resources/access-groups/routes.ts'
import { accessPointRoutes } from './resources/access-points/routes.ts'
import { accessRequestRoutes } from './resources/access-requests/routes.ts'
import { accessReviewRoutes } from './resources/access-reviews/routes.ts'
import { alarmRoutes } from './resources/alarms/routes.ts'
import { buildingRoutes } from './resources/buildings/routes.ts'
import { calendarRoutes } from './resources/calendars/routes.ts'
import { cardNumberRoutes } from './resources/card-numbers/routes.ts'
import { changeRoutes } from './resources/changes/routes.ts'
import { commandRoutes } from './resources/commands/routes.ts'
import { credentialRoutes } from './resources/credentials/routes.ts'
import { cylinderRoutes } from './resources/cylinders/routes.ts'
import { floorPlanRoutes } from './resources/floor-plans/routes.ts'
import { importRoutes } from './resources/imports/routes.ts'
import { individualRoutes } from './resources/individuals/routes.ts'
import { receiptRoute } from './resources/key-handovers/receipt-route.ts'
import { keyTypeRoutes } from './resources/key-types/routes.ts'
import { keyRoutes } from './resources/keys/routes.ts'
import { locationRoutes } from './resources/locations/routes.ts'
import { lockdownRoutes } from './resources/lockdowns/routes.ts'
import { lockingSystemRoutes } from './resources/locking-system/routes.ts'
import { overviewRoutes } from './resources/overview/routes.ts'
import { presenceRoutes } from './resources/presence/routes.ts'
import { scheduleRoutes } from './resources/schedules/routes.ts'
import { spaceRoutes } from './resources/spaces/routes.ts'
import { syncRoutes } from './resources/sync/routes.ts'
import { visitRoutes } from './resources/visits/routes.ts'
import { webhookRoutes } from './resources/webhooks/routes.ts'
import { whoCanOpenRoutes } from './resources/who-can-open/routes.ts'
import { version } from './version.ts'

export interface AppParts {
  config: Config
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  /** Everything that has items of its own. */
  resources: readonly Resource[]
  /** Kinds of credential beside the personal access token, asked first. */
  credentialReaders?: readonly CredentialReader[]
  /** How long security events are gathered before they are recorded. */
  securityEventsMs?: number
  /** How often streams are looked after. */
  streamTimes?: StreamTimes
  /** Other processes that serve the same port. */
  siblings?: Siblings | undefined
  /** Unless given, a plain page stands in its place. */
  portal?: Portal
}

const SECURITY_EVENTS_MS = 1000

/** Puts the house together: the mechanism first, then one line per resource. */
export async function buildApp({
  config,
  engine,
  clock,
  logger,
  resources,
  ...parts
}: AppParts): Promise<FastifyInstance> {
  declareResources(engine, resources)
  sealWith(engine, sealKeysOf(config))
  const lastUsed = new LastUsed(engine, logger)
  const sessionSeen = new SessionSeen(engine, logger)
  const failures = new FailureLimit(clock)
  const callers = new KnownCallers(engine)
  const security = new SecurityEvents(engine, logger, parts.securityEventsMs ?? SECURITY_EVENTS_MS)
  const oauth = new Oauth({
    config,
    engine,
    callers,
    clock,
    logger,
    failures,
    events: security,
    onUsed: (use) => lastUsed.note(use),
  })
  const readers = [
    ...(parts.credentialReaders ?? []),
    oauth.readBearer,
    createSessionReader({ engine, callers, clock, onSeen: (seen) => sessionSeen.note(seen) }),
  ]
  const { authenticate, authenticateToken } = createAuthenticator({
    engine,
    callers,
    clock,
    failures,
    onUsed: (use) => {
      lastUsed.note(use)
      security.used(use)
    },
    onRefused: (refusal) => security.refused(refusal),
    readers,
  })
  const app = await createServer(
    {
      config,
      engine,
      clock,
      cache: new ResponseCache(engine, (config.answersMb / config.workers) * 1024 * 1024),
      rateLimit: new RateLimit(engine, clock, config.rateLimit),
      failures,
      mail: new MailOutbox(config.mail !== undefined),
      streams: new Streams(engine, parts.streamTimes),
      impactOf,
      authenticate,
      authenticateToken,
    },
    logger,
  )
  app.addHook('onClose', async () => {
    await lastUsed.flush()
    await sessionSeen.flush()
    await security.close()
  })

  healthRoutes(app)
  // Loaded only where it is asked for: a process is smaller and ready sooner without.
  if (config.metrics) (await import('./http/metrics.ts')).metricsRoutes(app, parts.siblings)
  docsRoutes(app)
  portalRoutes(app, parts.portal ?? { state: { is: 'absent' } }, version)

  locationRoutes(app)
  buildingRoutes(app)
  spaceRoutes(app)
  accessPointRoutes(app)
  floorPlanRoutes(app)
  individualRoutes(app)
  lockingSystemRoutes(app)
  cylinderRoutes(app)
  keyTypeRoutes(app)
  keyRoutes(app)
  receiptRoute(app)
  accessControlSystemRoutes(app)
  credentialRoutes(app)
  cardNumberRoutes(app)
  accessGroupRoutes(app)
  calendarRoutes(app)
  scheduleRoutes(app)
  accessGrantRoutes(app)
  accessRequestRoutes(app)
  accessReviewRoutes(app)
  lockdownRoutes(app)
  commandRoutes(app)
  syncRoutes(app)
  visitRoutes(app)
  accessEventRoutes(app)
  alarmRoutes(app)
  presenceRoutes(app)
  accessDecisionRoutes(app)
  whoCanOpenRoutes(app)
  overviewRoutes(app)
  importRoutes(app)
  changeRoutes(app)
  webhookRoutes(app)

  setupRoutes(app)
  loginRoutes(app)
  passkeyLoginRoutes(app)
  const signOn = new SignOn(app)
  signOnRoutes(app, signOn)
  linkRoutes(app)
  forgotRoutes(app)
  sessionRoutes(app)
  organizationRoutes(app)
  userRoutes(app)
  serviceUserRoutes(app)
  tokenRoutes(app)
  roleRoutes(app)
  scimRoutes(app)
  roleAssignmentRoutes(app)
  oauthApplicationRoutes(app)
  externalIdentityRoutes(app)
  oauthRoutes(app, oauth)
  auditLogRoutes(app)
  meRoutes(app)
  profileRoutes(app)
  passwordRoutes(app)
  codeRoutes(app)
  factorRoutes(app)
  passkeyRoutes(app)
  identityRoutes(app, signOn)

  return app
}
