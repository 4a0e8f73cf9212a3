import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Access, type Assignment, type Caller } from '../core/access.ts'
import { AppError } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import { isWellFormedToken, TOKEN_PREFIX, tokenHash } from '../core/token.ts'
import type { Engine } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { sql } from '../db/sql.ts'
import type { Clock } from './context.ts'
import { FailureLimit } from './failure-limit.ts'

/** Told of every accepted token, to note its last use off the request path. */
export type OnTokenUsed = (use: { org: number; tokenId: string; serviceUserId: string; address: string; at: string }) => void

interface Remembered {
  caller: Caller
  version: number
  expiresAt: string
  addresses: readonly string[] | null
}

interface TokenRow {
  org: number
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
/** Unknown, expired, revoked, suspended: all the same to the caller. */
const invalidCredential = () => refuse('invalid_credential', 'The token is not valid: unknown, expired or revoked')

/** Who is calling. Synchronous while nothing has changed since the token was last seen. */
export function createAuthenticator(engine: Engine, clock: Clock, onUsed: OnTokenUsed) {
  const known = new LRUCache<string, Remembered>({ max: 10_000 })
  const failures = new FailureLimit(clock)

  const accept = (request: FastifyRequest, { caller, expiresAt, addresses }: Remembered): Caller => {
    const now = clock.now()
    if (expiresAt <= now || (addresses && !addresses.includes(request.ip))) throw failures.count(request.ip, invalidCredential())
    onUsed({ org: caller.org, tokenId: caller.tokenId, serviceUserId: caller.id, address: request.ip, at: now })
    return caller
  }

  const load = async (request: FastifyRequest, hash: string): Promise<Caller> => {
    const found = await loadToken(engine, clock.now(), hash)
    if (!found) throw failures.count(request.ip, invalidCredential())
    known.set(hash, found)
    return accept(request, found)
  }

  return (request: FastifyRequest): Caller | Promise<Caller> => {
    let value: string
    try {
      value = readToken(request.headers.authorization)
    } catch (error) {
      throw failures.count(request.ip, error as AppError)
    }
    const hash = tokenHash(value)
    const remembered = known.get(hash)
    if (!remembered) return load(request, hash)
    const versions = engine.versions(remembered.caller.org)
    if (versions instanceof Promise) {
      return versions.then(({ data }) => (data === remembered.version ? accept(request, remembered) : load(request, hash)))
    }
    return versions.data === remembered.version ? accept(request, remembered) : load(request, hash)
  }
}

/** The token out of the header, its shape and checksum good; no database is asked about a typo. */
function readToken(header: string | undefined): string {
  if (!header) throw refuse('missing_credential', 'Send a personal access token: Authorization: Token <token>')
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  switch (scheme.toLowerCase()) {
    case 'token':
      if (!isWellFormedToken(value))
        throw refuse('malformed_credential', 'That is not a personal access token: check that it was copied whole')
      return value
    case 'bearer':
      if (value.startsWith(TOKEN_PREFIX)) {
        throw refuse('wrong_scheme', 'A personal access token goes with the scheme Token, not Bearer: Authorization: Token <token>')
      }
      throw refuse('invalid_credential', 'The access token is not valid')
    default:
      throw refuse('malformed_credential', 'The Authorization header must read: Token <token>')
  }
}

/** In the order of security.md: hash, revoked or expired, service user, organization, then rights. */
async function loadToken(engine: Engine, now: string, hash: string): Promise<Remembered | undefined> {
  // The one look-up without an organization: it is what tells us the organization.
  const [row] = await engine.reader.all<TokenRow>(
    `select o.key as org, o.id as organization_id, o.status as organization_status, k.id as token_id, k.expires_at, k.revoked_at, k.permissions, k.addresses,
       u.id as service_user_id, u.name as service_user_name, u.status as service_user_status
     from tokens k join organizations o on o.key = k.org join service_users u on u.org = k.org and u.id = k.service_user_id where k.hash = $1`,
    [hash],
  )
  if (!row || row.revoked_at !== null || row.expires_at <= now) return undefined
  if (row.service_user_status !== 'active' || row.organization_status !== 'active') return undefined
  const handle = new OrgHandle(engine, row.org, now)
  const { data: version } = await handle.versions()
  const narrowedTo = parsed<Permission[]>(row.permissions)
  const access = new Access(await assignmentsOf(handle, row.service_user_id), narrowedTo ?? undefined)
  return {
    version,
    expiresAt: row.expires_at,
    addresses: parsed<string[]>(row.addresses),
    caller: {
      org: row.org,
      organizationId: row.organization_id,
      kind: 'service_user',
      id: row.service_user_id,
      name: row.service_user_name,
      tokenId: row.token_id,
      access,
      cacheKey: row.token_id,
    },
  }
}

const parsed = <T>(value: T | string | null): T | null => (typeof value === 'string' ? (JSON.parse(value) as T) : value)

async function assignmentsOf(handle: OrgHandle, serviceUserId: string): Promise<Assignment[]> {
  const rows = await handle.all<{ permissions: string | Permission[]; location_id: string | null; building_id: string | null }>(
    sql`select r.permissions, a.location_id, a.building_id from role_assignments a join roles r on r.org = :org and r.id = a.role_id
        where a.org = :org and a.service_user_id = ${serviceUserId}`,
  )
  const places = await placesOf(handle)
  return rows.map((row) => ({
    permissions: parsed<Permission[]>(row.permissions) ?? [],
    places:
      row.location_id || row.building_id
        ? places.below(row.location_id ? [row.location_id] : [], row.building_id ? [row.building_id] : [])
        : undefined,
  }))
}
