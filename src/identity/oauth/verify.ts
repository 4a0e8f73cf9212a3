import type { JWTPayload } from 'jose'
import type { Config } from '../../config.ts'
import { AppError } from '../../core/errors.ts'
import { type Permission, permissions } from '../../core/permissions.ts'
import { isKeyOf } from '../../core/typed.ts'
import { createOutgoing } from '../../net/outgoing.ts'
import type { TrustedIssuer } from '../../net/trusted-issuer.ts'
import { ACCESS_TOKEN_SECONDS, apiOf, issuerOf } from './endpoints.ts'
import { IssuerKeys } from './issuer-keys.ts'
import type { SigningKeys } from './keys.ts'
import { readJwt, type UnverifiedJwt } from './strict-jwt.ts'

/**
 * An access token of ours whose signature and times are good. Whether user, application and grant are is for the
 * database to say.
 */
export interface OwnToken {
  kind: 'own'
  expiresAt: string
  clientId: string
  organizationId: string
  subject: string
  /** Absent: client credentials. */
  grantId: string | undefined
  permissions: Permission[]
  claims: JWTPayload
}

export interface ForeignToken {
  kind: 'foreign'
  expiresAt: string
  issuer: string
  subject: string
}

export type Verified = OwnToken | ForeignToken

/** A key or where to find one has no place in a token: whoever made it up would choose their own. */
const REFUSED_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc']
const OWN_HEADERS = 'alg,kid,typ'
/** How far the clocks of two machines may differ. */
const TOLERANCE_SECONDS = 5

/** Checks JWTs: exact issuer, audience and type, one of the allowed algorithms, a key we know. Undefined: not good. */
export class JwtVerifier {
  private readonly issuer: string
  private readonly api: string
  private readonly keys: SigningKeys
  private readonly trusted: ReadonlyMap<string, { settings: TrustedIssuer; keys: IssuerKeys }>

  constructor(config: Config, keys: SigningKeys) {
    this.issuer = issuerOf(config)
    this.api = apiOf(config)
    this.keys = keys
    const outgoing = createOutgoing(config.outgoingAllow)
    this.trusted = new Map(
      config.trustedIssuers.map((settings) => [
        settings.issuer,
        { settings, keys: new IssuerKeys(settings, outgoing) },
      ]),
    )
  }

  async verify(token: string, now: string): Promise<Verified | undefined> {
    const jwt = readJwt(token)
    const { iss } = jwt?.payload ?? {}
    if (!jwt || typeof iss !== 'string' || REFUSED_HEADERS.some((name) => name in jwt.header)) return undefined
    try {
      return iss === this.issuer ? await this.verifyOwn(token, jwt, now) : await this.verifyForeign(token, iss, now)
    } catch (error) {
      // What could not be asked is not the token's fault.
      if (error instanceof AppError) throw error
      return undefined
    }
  }

  private async verifyOwn(token: string, { header }: UnverifiedJwt, now: string): Promise<OwnToken | undefined> {
    if (Object.keys(header).sort().join() !== OWN_HEADERS || header.typ !== 'at+jwt' || typeof header.kid !== 'string')
      return undefined
    const key = (await this.keys.load()).find(header.kid)
    if (!key) return undefined
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['ES256'],
      issuer: this.issuer,
      audience: this.api,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id', 'organization_id'],
      currentDate: new Date(now),
    })
    return ownToken(payload, this.api, now)
  }

  private async verifyForeign(token: string, iss: string, now: string): Promise<ForeignToken | undefined> {
    const issuer = this.trusted.get(iss)
    if (!issuer) return undefined
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(token, await issuer.keys.get(), {
      algorithms: [...issuer.settings.algorithms],
      issuer: iss,
      audience: issuer.settings.audience,
      typ: issuer.settings.typ,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    })
    const { sub, exp } = payload
    if (typeof sub !== 'string' || sub === '' || sub.includes('\0') || exp === undefined || isAhead(payload.iat, now))
      return undefined
    return { kind: 'foreign', issuer: iss, subject: sub, expiresAt: instantOf(exp) }
  }
}

function ownToken(payload: JWTPayload, api: string, now: string): OwnToken | undefined {
  const {
    sub,
    exp,
    iat,
    aud,
    client_id: clientId,
    organization_id: organizationId,
    grant_id: grantId,
    scope = '',
  } = payload
  if (aud !== api || exp === undefined || iat === undefined || isAhead(iat, now)) return undefined
  if (exp <= iat || exp - iat > ACCESS_TOKEN_SECONDS) return undefined
  if (typeof sub !== 'string' || typeof clientId !== 'string' || typeof organizationId !== 'string') return undefined
  if (typeof scope !== 'string' || (grantId !== undefined && typeof grantId !== 'string')) return undefined
  return {
    kind: 'own',
    expiresAt: instantOf(exp),
    clientId,
    organizationId,
    subject: sub,
    grantId,
    permissions: scope.split(' ').filter((word) => isKeyOf(permissions, word)),
    claims: payload,
  }
}

const isAhead = (iat: number | undefined, now: string): boolean =>
  iat !== undefined && iat > Date.parse(now) / 1000 + TOLERANCE_SECONDS

const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
