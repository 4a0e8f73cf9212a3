import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import { AppError } from '../../core/errors.ts'
import type { Outgoing } from '../../net/outgoing.ts'
import type { TrustedIssuer } from '../../net/trusted-issuer.ts'

/** After a failure, nobody is asked again for this long. */
const PAUSE_MS = 5000
/** Keys are read anew at this age, and before that when a token names one we do not know, at most this often. */
const KEEP_MS = 10 * 60_000
const COOLDOWN_MS = 10_000
const TIMEOUT_MS = 3000

/** The keys of another issuer, fetched when they are first needed and kept for a while. */
export class IssuerKeys {
  private readonly settings: TrustedIssuer
  private readonly outgoing: Outgoing
  private found: Promise<JWTVerifyGetKey> | undefined

  constructor(settings: TrustedIssuer, outgoing: Outgoing) {
    this.settings = settings
    this.outgoing = outgoing
  }

  async get(): Promise<JWTVerifyGetKey> {
    this.found ??= this.open().catch((error: unknown) => {
      setTimeout(() => {
        this.found = undefined
      }, PAUSE_MS).unref()
      throw error
    })
    return this.found
  }

  private async open(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch, errors } = await import('jose')
    const address = this.settings.jwksUri ?? (await this.discover())
    const fetch: FetchImplementation = (url, { headers, signal }) => this.outgoing(url, { headers, signal })
    const keys = createRemoteJWKSet(new URL(address), {
      [customFetch]: fetch,
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: KEEP_MS,
      cooldownDuration: COOLDOWN_MS,
    })
    return async (header, token) => {
      try {
        return await keys(header, token)
      } catch (error) {
        // No such key, or several: the token's fault. Everything else is not.
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
        throw unreachable(this.settings.issuer, error)
      }
    }
  }

  private async discover(): Promise<string> {
    const { issuer } = this.settings
    try {
      const answer = await this.outgoing(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
        timeoutMs: TIMEOUT_MS,
      })
      const metadata = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
      if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
        throw new Error('the metadata is not of this issuer')
      return metadata.jwks_uri
    } catch (error) {
      throw unreachable(issuer, error)
    }
  }
}

const unreachable = (issuer: string, cause: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', `The keys of ${issuer} cannot be had at the moment; try again later`, {
    reason: 'issuer_unreachable',
    headers: { 'retry-after': '5' },
    cause,
  })
