import type { Configuration } from 'openid-client'
import { plainIssuer, type SignOnProvider } from '../../config.ts'
import { AppError } from '../../core/errors.ts'
import { lineFault } from '../../core/line.ts'
import { newSecret } from '../../core/secrets/secret.ts'
import type { Outgoing } from '../../net/outgoing.ts'
import { ADDRESS, MAX_ADDRESS } from '../users/schema.ts'

/** Loaded when somebody first uses single sign-on. */
const library = () => import('openid-client')

/** What the provider says about itself is asked again after this long. */
const FRESH_MS = 3_600_000

/** What we keep until the browser comes back. */
export interface Begun {
  url: string
  state: string
  nonce: string
  verifier: string
}

/** Who somebody is, as the provider vouches for. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  /** The provider says that it asked for more than one factor (`amr` of RFC 8176). */
  isByFactors: boolean
}

/** So long is a subject at most, by OpenID Connect. */
const MAX_SUBJECT = 255
const IS_ADDRESS = new RegExp(ADDRESS)

/** A text that can be kept, and read, as it is. */
const isPlain = (value: string, length: number): boolean =>
  value !== '' && value.length <= length && value.isWellFormed() && lineFault(value) === undefined

/** What is cut is another address, and what is none is nobody's. */
const addressIn = (value: unknown): string | null =>
  typeof value === 'string' && isPlain(value, MAX_ADDRESS) && IS_ADDRESS.test(value) ? value : null

export const signOnFailed = (msg: string, reason: string, cause?: unknown) =>
  new AppError('UNAUTHORIZED', msg, cause === undefined ? { reason } : { reason, cause })

/** One provider of single sign-on: OpenID Connect, authorization code with PKCE, state and nonce. */
export class Provider {
  readonly settings: SignOnProvider
  readonly redirectUri: string
  private readonly outgoing: Outgoing
  private known: { at: number; configuration: Promise<Configuration> } | undefined

  constructor(settings: SignOnProvider, baseUrl: string, outgoing: Outgoing) {
    this.settings = settings
    this.redirectUri = `${baseUrl}/login/sso/${settings.id}/callback`
    this.outgoing = outgoing
  }

  async begin(): Promise<Begun> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } = await library()
    const configuration = await this.discover()
    const [state, nonce, verifier] = [newSecret(), newSecret(), randomPKCECodeVerifier()]
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: 'openid email profile',
      response_type: 'code',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, state, nonce, verifier }
  }

  /** `query`: as the browser brought it back. */
  async finish(query: string, { state, nonce, verifier }: Omit<Begun, 'url'>): Promise<Identity> {
    const { authorizationCodeGrant, AuthorizationResponseError } = await library()
    const configuration = await this.discover()
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(`${this.redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('no ID token')
      if (!isPlain(claims.sub, MAX_SUBJECT)) throw new Error('a subject that is none by OpenID Connect')
      const text = (value: unknown): string | null =>
        typeof value === 'string' && value !== '' ? value.slice(0, 254) : null
      return {
        issuer: plainIssuer(claims.iss),
        subject: claims.sub,
        email: addressIn(claims.email),
        isEmailVerified: claims.email_verified === true,
        name: text(claims.name),
        isByFactors: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
      }
    } catch (error) {
      const outer = outgoingFault(this.settings.name, error)
      if (outer) throw outer
      if (error instanceof AuthorizationResponseError)
        throw signOnFailed(`${this.settings.name} did not let you in`, 'sign_on.denied', error)
      throw signOnFailed(
        `The answer of ${this.settings.name} is not one that counts; try again`,
        'sign_on.refused',
        error,
      )
    }
  }

  private async discover(): Promise<Configuration> {
    const now = performance.now()
    if (!this.known || now - this.known.at > FRESH_MS) {
      const known = { at: now, configuration: this.load() }
      this.known = known
      // A failure is not remembered.
      known.configuration.catch(() => {
        if (this.known === known) this.known = undefined
      })
    }
    return this.known.configuration
  }

  private async load(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await library()
    const { issuer, clientId, clientSecret, name } = this.settings
    const server = new URL(issuer)
    const isPlain = server.protocol === 'http:'
    try {
      return await discovery(server, clientId, clientSecret, undefined, {
        [customFetch]: (url: string, init: unknown) => this.outgoing(url, init as RequestInit),
        // Plain HTTP goes only where OUTGOING_ALLOW permits it.
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
        timeout: 10,
      })
    } catch (error) {
      throw (
        outgoingFault(name, error) ??
        new AppError('SYSTEM_UNREACHABLE', `${name} does not answer as a provider of single sign-on should`, {
          reason: 'sign_on.unreachable',
          cause: error,
        })
      )
    }
  }
}

/**
 * The provider cannot be reached: that is said by the name that people know; the address is for the log. The library
 * may wrap it.
 */
function outgoingFault(name: string, error: unknown): AppError | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof AppError) {
      const { code, reason } = inner
      return new AppError(code, `${name} cannot be reached at present; try again later`, {
        ...(reason ? { reason } : {}),
        cause: inner,
      })
    }
  return undefined
}
