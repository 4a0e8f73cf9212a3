import type { FastifyBaseLogger } from 'fastify'
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '../../../config.ts'
import { allPermissions } from '../../../core/permissions.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Engine } from '../../../db/engine.ts'
import { toAppError } from '../../../http/answers/errors.ts'
import type { FailureLimit } from '../../../http/callers/failure-limit.ts'
import { errorPage } from '../consent/pages.ts'
import { ACCESS_TOKEN_SECONDS, apiOf, GRANT_SECONDS, identityScopes, issuerOf, SESSION_COOKIE } from '../endpoints.ts'
import { findConsent, noteUse } from '../grants.ts'
import type { KeySet } from '../keys.ts'
import { currentRequest } from '../requests.ts'
import { createAdapter } from './adapter.ts'
import { isSecretOf, type OwnMetadata, ownMetadata } from './clients.ts'

/** An application has proved itself with its secret, or has tried to. */
export interface ApplicationUse {
  org: number
  applicationId: string
  address: string
  reqId: string | null
  at: string
}

export interface ApplicationEvents {
  applicationUsed(use: ApplicationUse): void
  applicationRefused(use: ApplicationUse): void
}

export interface ProviderParts {
  config: Config
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  failures: FailureLimit
  events: ApplicationEvents
  keys: KeySet
  /** What an access token of ours says, if it is good; for introspection. */
  introspect: (
    token: string,
    by: { organizationId: string; clientId: string | undefined },
  ) => Promise<Record<string, unknown> | undefined>
}

const metadataOf = (client: unknown): OwnMetadata => client as OwnMetadata

/** The certified provider, told what we allow. It is loaded when OAuth is first used. */
export function createProvider(parts: ProviderParts): Provider {
  const { config, engine, clock, keys } = parts
  const provider = new Provider(
    issuerOf(config),
    configuration(parts, createAdapter({ engine, clock, api: apiOf(config) }), keys),
  )
  // Every request comes with our own address in these headers, whatever the caller sent; see mount.ts.
  provider.proxy = true
  provider.silent = true
  // Only digests are stored, of the secret and of the one before it.
  const clients = provider.Client.prototype as unknown as {
    compareClientSecret: (this: { clientSecret: string }, given: string) => boolean
  }
  clients.compareClientSecret = function compare(given) {
    return isSecretOf(this.clientSecret, given, clock.now())
  }
  tellRefusals(provider)
  describeTruthfully(provider)
  introspectAccessTokens(provider, parts)
  noteEvents(provider, parts)
  return provider
}

function configuration(
  { config, engine, clock }: ProviderParts,
  adapter: ReturnType<typeof createAdapter>,
  keys: KeySet,
): Configuration {
  const api = apiOf(config)
  const cookie = { httpOnly: true, sameSite: 'lax', overwrite: true } as const
  return {
    adapter,
    jwks: { keys: keys.keys.map(({ kid, privateJwk }) => ({ ...privateJwk, kid, alg: 'ES256', use: 'sig' })) },
    scopes: Object.keys(identityScopes),
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', response_types: ['code'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    extraClientMetadata: { properties: [...ownMetadata] },
    clientBasedCORS: (_ctx, origin, client) =>
      // A scheme of one's own has the origin "null", as has any page that wants it.
      origin !== 'null' &&
      (client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) === true ||
        config.corsOrigins.includes(origin)),
    cookies: {
      names: { session: SESSION_COOKIE, interaction: 'gatehouse_oauth_interaction', resume: 'gatehouse_oauth_resume' },
      long: { ...cookie, path: new URL(issuerOf(config)).pathname },
      short: cookie,
    },
    discovery: {
      service_documentation: `${config.docsUrl}/docs`,
      protected_resources: [api],
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientCredentials: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      introspection: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        // There is one API: whoever names none means it. What is asked for without a scope is all that the application
        // may have.
        defaultResource: async (ctx, client) => {
          const { params } = ctx.oidc
          if (params?.grant_type === 'client_credentials' && params.scope === undefined)
            params.scope = metadataOf(client).permissions.join(' ') || undefined
          return api
        },
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource, client) => {
          if (resource !== api) throw new errors.InvalidTarget()
          return {
            scope: metadataOf(client).permissions.join(' '),
            audience: api,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }
        },
      },
    },
    extraTokenClaims: async (ctx, token) => {
      const { organization_id } = metadataOf(ctx.oidc.client)
      if (!('grantId' in token) || token.grantId === undefined) return { organization_id }
      await noteUse(engine, clock.now(), token.grantId)
      return { organization_id, grant_id: token.grantId }
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 900,
      Session: 12 * 3600,
      Grant: GRANT_SECONDS,
      // Absolute: rotation does not lengthen it.
      RefreshToken: (_ctx, token) => Math.max(1, GRANT_SECONDS - token.totalLifetime()),
    },
    interactions: {
      url: (_ctx, { uid, prompt }) =>
        `${config.baseUrl}${prompt.name === 'login' ? '/oauth/interaction' : '/consent'}/${uid}`,
    },
    loadExistingGrant: async (ctx) => {
      const { client, account, result } = ctx.oidc
      const id =
        result?.consent?.grantId ??
        (client && account && (await findConsent(engine, clock.now(), account.accountId, client.clientId)))
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
    },
    findAccount: async (ctx, id) => {
      const user = await findUser(engine, metadataOf(ctx.oidc.client).organization_key, id)
      return user && { accountId: id, claims: async () => ({ sub: id, ...user }) }
    },
    renderError: async (ctx, out) => {
      // What is of use to a person in front of a browser.
      currentRequest().refused?.(out.error)
      const page = errorPage(out.error_description ?? out.error)
      ctx.type = 'html'
      ctx.set(page.headers)
      ctx.body = page.text
    },
  }
}

async function findUser(engine: Engine, org: number, id: string): Promise<{ name: string; email: string } | undefined> {
  const [row] = await engine.reader.all<{ name: string; email: string }>(
    `select u.name, u.email from users u where u.org = $1 and u.id = $2 and u.status = 'active'`,
    [org, id],
  )
  return row
}

/** The log says by which error a request was refused. */
function tellRefusals(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const { error } = ctx.body ?? {}
    if (ctx.status >= 400 && typeof error === 'string') currentRequest().refused?.(error)
  })
}

/** The metadata names what the provider could do; this is what we let it do. */
function describeTruthfully(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.oidc?.route !== 'discovery') return
    Object.assign(ctx.body, {
      response_modes_supported: ['query'],
      scopes_supported: [...Object.keys(identityScopes), ...allPermissions],
    })
  })
}

/** The provider keeps no JWTs and will not speak of them; we know whether one is still good. */
function introspectAccessTokens(provider: Provider, { introspect }: ProviderParts): void {
  provider.use(async (ctx, next) => {
    await next()
    const { oidc } = ctx
    if (oidc?.route !== 'introspection' || ctx.body?.error !== 'unsupported_token_type') return
    ctx.status = 200
    const { organization_id: organizationId } = metadataOf(oidc.client)
    // Whoever has a secret may ask about all tokens of its organization, everybody else about its own.
    const clientId = oidc.client?.clientAuthMethod === 'none' ? oidc.client.clientId : undefined
    ctx.body = (await introspect(String(oidc.params?.token), { organizationId, clientId })) ?? { active: false }
  })
}

function noteEvents(provider: Provider, { logger, failures, events, clock }: ProviderParts): void {
  const useOf = (ctx: KoaContextWithOIDC): ApplicationUse | undefined =>
    ctx.oidc?.client && ctx.oidc.client.clientAuthMethod !== 'none'
      ? {
          org: metadataOf(ctx.oidc.client).organization_key,
          applicationId: ctx.oidc.client.clientId,
          address: ctx.ip,
          reqId: ctx.get('x-request-id') || null,
          at: clock.now(),
        }
      : undefined
  provider.on('grant.success', (ctx) => {
    const use = useOf(ctx)
    if (use) events.applicationUsed(use)
  })
  // Only failures are counted, and only failures are refused: as everywhere else.
  const count = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (error.statusCode === 429) ctx.set('retry-after', '60')
    if (error.statusCode !== 401) return
    const use = useOf(ctx)
    if (use) events.applicationRefused(use)
    const limited = failures.count(ctx.ip)
    if (!limited) return
    ctx.status = limited.status
    ctx.set(limited.headers ?? {})
    ctx.body = { error: 'temporarily_unavailable', error_description: limited.message }
  }
  provider.on('authorization.error', count)
  provider.on('grant.error', count)
  provider.on('pushed_authorization_request.error', count)
  provider.on('introspection.error', count)
  provider.on('revocation.error', count)
  provider.on('server_error', (ctx, error) => {
    const known = toAppError(error)
    logger.error({ err: error, req_id: ctx.get('x-request-id') }, 'OAuth failed')
    if (known.status !== 503) return
    ctx.status = 503
    ctx.body = { error: 'temporarily_unavailable', error_description: known.message }
  })
}
