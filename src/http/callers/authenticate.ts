import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Caller } from '../../core/rights.ts'
import { isWellFormedToken, TOKEN_PREFIX, tokenHash } from '../../core/secrets/token.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import { type Place, parsed, rightsOf } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import type { Reads } from '../../db/kept/reads.ts'
import { OrgHandle } from '../../db/org.ts'
import { allowList } from '../../net/addresses.ts'
import type { FailureLimit } from './failure-limit.ts'
import { type Asking, foundBy, type KnownCallers } from './known-callers.ts'

export interface TokenUse {
  org: number
  tokenId: string
  serviceUserId: string
  serviceUserName: string
  address: string
  reqId: string | null
  at: string
}

/** A token that exists and was refused; the caller is not told why. */
export interface TokenRefusal extends TokenUse {
  reason: 'revoked' | 'expired' | 'service_user_suspended' | 'organization_suspended' | 'address_not_allowed'
}

/** A kind of credential beside the personal access token. Undefined: the request carries none of this kind. */
export type CredentialReader = (request: FastifyRequest) => Caller | Promise<Caller> | undefined

interface AuthenticatorParts {
  engine: Engine
  callers: KnownCallers
  clock: Clock
  failures: FailureLimit
  /** Told of every accepted token, to note its use off the request path. */
  onUsed: (use: TokenUse) => void
  /** Told of every known token that is refused. */
  onRefused: (refusal: TokenRefusal) => void
  readers: readonly CredentialReader[]
}

/** A token that exists and is good for nothing, from wherever it comes. */
type Refused = Omit<TokenRefusal, 'address' | 'reqId' | 'at'>

interface Found {
  caller: Caller & { tokenId: string }
  since: number
  reads: Reads
  expiresAt: string
  isAllowed: ((address: string) => boolean) | undefined
}

interface TokenRow extends Place {
  org: number
  changes: number
  organization_id: string
  organization_status: string
  token_id: string
  expires_at: string
  revoked_at: string | null
  permissions: string | Permission[] | null
  addresses: string | string[] | null
  service_user_id: string
  service_user_name: string
  service_user_status: string
}

const refuse = (reason: string, msg: string) => new AppError('UNAUTHORIZED', msg, { reason })
/** Unknown, expired, revoked, suspended, from elsewhere: all the same to the caller. */
const invalidCredential = () => refuse('invalid_credential', 'The token is not valid: unknown, expired or revoked')

/** Who is calling. Synchronous while nothing has changed since the credential was last seen. */
export function createAuthenticator(parts: AuthenticatorParts) {
  const { engine, callers, clock, failures, onUsed, onRefused, readers } = parts
  // A token that has expired stays so, though the clock is set back.
  const latest = neverBack(clock)
  const fail = (request: Asking, error: AppError) => failures.count(request.ip) ?? error

  /** Lets a good token in, from where it may come, until it expires. */
  const admission = ({ caller, expiresAt, isAllowed }: Found) => {
    // The second it was last told of, and the address.
    let usedAt = ''
    let usedFrom = ''
    return (request: Asking): Caller => {
      const at = clock.now()
      const isExpired = expiresAt <= latest.now()
      if (isExpired || isAllowed?.(request.ip) === false) {
        onRefused({ ...useOf(request, caller, at), reason: isExpired ? 'expired' : 'address_not_allowed' })
        throw fail(request, invalidCredential())
      }
      // Its use is of interest to the minute; from one address it need not be told again within a second.
      const second = at.slice(0, 19)
      if (second !== usedAt || request.ip !== usedFrom) {
        usedAt = second
        usedFrom = request.ip
        onUsed(useOf(request, caller, at))
      }
      return caller
    }
  }

  const load = async (request: Asking, digest: string, value: string): Promise<Caller> => {
    const found = await loadToken(engine, latest.now(), digest)
    if (found && 'caller' in found) {
      const admit = admission(found)
      callers.remember(digest, { ...found, admit }, { scheme: 'Token', value })
      return admit(request)
    }
    callers.forget(digest)
    if (found) onRefused({ ...found, address: request.ip, reqId: request.id ?? null, at: clock.now() })
    throw fail(request, invalidCredential())
  }

  const byToken = (request: Asking): Caller | Promise<Caller> => {
    const header = request.headers.authorization ?? ''
    const digest = callers.digestOf(header)
    if (digest !== undefined)
      return callers.find(digest, request, () => load(request, digest, header.slice('Token '.length)))
    const value = readToken(header)
    if (value instanceof AppError) throw fail(request, value)
    const made = tokenHash(value)
    return callers.find(made, request, () => load(request, made, value))
  }

  const authenticate = (request: FastifyRequest): Caller | Promise<Caller> => {
    for (const read of readers) {
      const caller = read(request)
      if (caller) return caller
    }
    return byToken(request)
  }
  return { authenticate, authenticateToken: byToken }
}

const useOf = (request: Asking, caller: Found['caller'], at: string): TokenUse => ({
  org: caller.org,
  tokenId: caller.tokenId,
  serviceUserId: caller.id,
  serviceUserName: caller.name,
  address: request.ip,
  reqId: request.id ?? null,
  at,
})

/** The token out of the header, its shape and checksum good; no database is asked about a typo. */
function readToken(header: string): string | AppError {
  if (!header) return refuse('missing_credential', 'Send a personal access token: Authorization: Token <token>')
  const [, scheme, value = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  switch (scheme?.toLowerCase()) {
    case 'token':
      if (isWellFormedToken(value)) return value
      return refuse('malformed_credential', 'That is not a personal access token: check that it was copied whole')
    case 'bearer':
      if (value.startsWith(TOKEN_PREFIX)) {
        return refuse(
          'wrong_scheme',
          'A personal access token goes with the scheme Token, not Bearer: Authorization: Token <token>',
        )
      }
      return refuse('invalid_credential', 'The access token is not valid')
    case undefined:
      return refuse('malformed_credential', 'The Authorization header must read: Token <token>')
    default:
      return refuse(
        'wrong_scheme',
        'The scheme of the Authorization header must be Token: Authorization: Token <token>',
      )
  }
}

/** The one look-up without an organization: it is what tells us the organization. */
const FIND = `select o.key as org, o.data_version as changes, o.id as organization_id, o.status as organization_status,
  k.id as token_id, k.expires_at,
   k.revoked_at, k.permissions, k.addresses, k.location_id, k.building_id,
   u.id as service_user_id, u.name as service_user_name, u.status as service_user_status
   from tokens k join organizations o on o.key = k.org join service_users u on u.org = k.org
   and u.id = k.service_user_id where k.hash = $1`

/** In the order of checks: hash, revoked or expired, service user, organization, then rights. */
async function loadToken(engine: Engine, now: string, hash: string): Promise<Found | Refused | undefined> {
  const [row] = await engine.reader.all<TokenRow>(FIND, [hash])
  if (!row) return undefined
  const reason = refusalOf(row, now)
  if (reason) {
    const { org, token_id: tokenId, service_user_id: serviceUserId, service_user_name: serviceUserName } = row
    return { org, tokenId, serviceUserId, serviceUserName, reason }
  }
  const handle = new OrgHandle(engine, row.org, now)
  const since = await foundBy(handle, FIND, row.changes)
  const permissions = parsed<Permission[] | null>(row.permissions)
  const rights = await rightsOf(handle, row.service_user_id, { ...row, permissions })
  const addresses = parsed<string[] | null>(row.addresses)
  return {
    since,
    reads: handle.reads,
    expiresAt: row.expires_at,
    isAllowed: addresses ? allowList(addresses) : undefined,
    caller: {
      org: row.org,
      organizationId: row.organization_id,
      kind: 'service_user',
      id: row.service_user_id,
      name: row.service_user_name,
      credential: 'personal_access_token',
      tokenId: row.token_id,
      rights,
      ...(permissions ? { limitedTo: permissions } : {}),
      // With the count: what is answered by rights that have changed meanwhile is for nobody who comes later.
      cacheKey: `${row.token_id}@${since}`,
    },
  }
}

function refusalOf(row: TokenRow, now: string): TokenRefusal['reason'] | undefined {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= now) return 'expired'
  if (row.service_user_status !== 'active') return 'service_user_suspended'
  return row.organization_status === 'active' ? undefined : 'organization_suspended'
}
