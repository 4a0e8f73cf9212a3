import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Caller } from '../../core/rights.ts'
import { TOKEN_PREFIX, tokenHash } from '../../core/secrets/token.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import { parsed, rightsOf } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import type { CredentialReader } from '../../http/callers/authenticate.ts'
import type { FailureLimit } from '../../http/callers/failure-limit.ts'
import { type Asking, foundBy, type KnownCaller, type KnownCallers } from '../../http/callers/known-callers.ts'
import { UUID } from '../../http/items/item.ts'
import type { SigningKeys } from './keys.ts'
import type { ForeignToken, JwtVerifier, OwnToken, Verified } from './verify.ts'

/**
 * What a JWT is good by: what somebody has let an application do, an application of its own, or an identity at another
 * issuer.
 */
export interface JwtGround {
  kind: 'oauth_grant' | 'oauth_application' | 'external_identity'
  id: string
}

/** A JWT with a good signature whose ground, or whoever stands behind it, is not active any more. */
export interface JwtRefusal {
  org: number
  ground: JwtGround
  address: string
  reqId: string | null
  at: string
}

export interface JwtUse extends Omit<JwtRefusal, 'org'> {
  caller: Caller
}

export interface JwtEvents {
  jwtUsed(use: JwtUse): void
  jwtRefused(refusal: JwtRefusal): void
}

interface Holder {
  org: number
  /** How many changes of the organization there were, and by which statement it was found. */
  changes: number
  found: string
  organization_id: string
  kind: Caller['kind']
  id: string
  name: string
  application?: NonNullable<Caller['application']>
  /** Null: all that the holder may do. */
  permissions: readonly Permission[] | null
  ground: JwtGround
  /** When the ground itself ends, if it does by itself: the token is good until then at most. */
  ends_at?: string | null
  cacheKey: string
}

interface Parts {
  engine: Engine
  callers: KnownCallers
  clock: Clock
  failures: FailureLimit
  keys: SigningKeys
  verifier: JwtVerifier
  /** Told when a service user calls, to note it off the request path. */
  onUsed: (use: ServiceUserUse) => void
  events: JwtEvents
}

export interface ServiceUserUse {
  org: number
  tokenId: null
  serviceUserId: string
  address: string
  at: string
}

const LETTER_B = 98

const invalidToken = () =>
  new AppError('UNAUTHORIZED', 'The access token is not valid', { reason: 'invalid_credential' })

/**
 * JWTs under `Authorization: Bearer`. A JWT says what was true when it was made; user, application and grant are looked
 * up all the same, and what was found is kept for as long as nothing has changed of what it was found by.
 */
export function createBearerReader(parts: Parts): CredentialReader {
  const { engine, callers, clock, failures, keys, verifier, onUsed, events } = parts
  // A token that has expired stays so, though the clock is set back.
  const latest = neverBack(clock)

  const note = (request: Asking, caller: Caller, ground: JwtGround): Caller => {
    const { kind, org, id: serviceUserId } = caller
    const at = clock.now()
    if (kind === 'service_user') onUsed({ org, tokenId: null, serviceUserId, address: request.ip, at })
    events.jwtUsed({ caller, ground, address: request.ip, reqId: request.id ?? null, at })
    return caller
  }

  const refuse = async (request: FastifyRequest, verified: Verified | undefined): Promise<AppError> => {
    // Counted first: who only guesses costs no look-up.
    const limited = failures.count(request.ip)
    if (limited) return limited
    const refused = verified && (await findRefused(engine, verified))
    if (refused) events.jwtRefused({ ...refused, address: request.ip, reqId: request.id ?? null, at: clock.now() })
    return invalidToken()
  }

  const load = async (request: FastifyRequest, digest: string, token: string): Promise<Caller> => {
    const { generation } = await keys.load()
    const verified = await verifier.verify(token, latest.now())
    const holder =
      verified &&
      (verified.kind === 'own' ? await findHolder(engine, latest.now(), verified) : await findForeign(engine, verified))
    if (!verified || !holder) {
      callers.forget(digest)
      throw await refuse(request, verified)
    }
    const known = await callerOf(engine, latest.now(), holder)
    const { caller } = known
    const { ground, ends_at } = holder
    const expiresAt = ends_at && ends_at < verified.expiresAt ? ends_at : verified.expiresAt
    const admit = (by: Asking): Caller | undefined =>
      // Our own keys may have been rotated since it was checked.
      keys.peek()?.generation === generation && expiresAt > latest.now() ? note(by, caller, ground) : undefined
    callers.remember(digest, { ...known, admit }, { scheme: 'Bearer', value: token })
    return note(request, caller, ground)
  }

  return (request) => {
    const header = request.headers.authorization
    // Most callers have another kind of credential, and need not pay for this one.
    if (header === undefined || (header.charCodeAt(0) | 32) !== LETTER_B) return undefined
    const digest = callers.digestOf(header)
    if (digest !== undefined)
      return callers.find(digest, request, () => load(request, digest, header.slice('Bearer '.length)))
    const [, token = ''] = /^bearer +(\S+) *$/i.exec(header) ?? []
    // A personal access token under the wrong scheme is told so elsewhere.
    if (token === '' || token.startsWith(TOKEN_PREFIX)) return undefined
    const made = tokenHash(token)
    return callers.find(made, request, () => load(request, made, token))
  }
}

async function callerOf(engine: Engine, now: string, holder: Holder): Promise<Omit<KnownCaller, 'admit'>> {
  const { org, kind, id, name, application, permissions, ground, organization_id: organizationId } = holder
  const handle = new OrgHandle(engine, org, now)
  const since = await foundBy(handle, holder.found, holder.changes)
  const rights = await rightsOf(handle, id, { permissions, location_id: null, building_id: null })
  const cacheKey = `${holder.cacheKey}@${since}`
  const caller: Caller = {
    org,
    organizationId,
    kind,
    id,
    name,
    credential: 'access_token',
    tokenId: null,
    rights,
    cacheKey,
  }
  const more = {
    ...(application ? { application } : {}),
    ...(ground.kind === 'external_identity' ? { identityId: ground.id } : {}),
    ...(permissions ? { limitedTo: permissions } : {}),
  }
  return { caller: { ...caller, ...more }, since, reads: handle.reads }
}

interface HolderRow {
  org: number
  changes: number
  organization_id: string
  id: string
  name: string
  application_id: string
  application_name: string
  application_permissions: string | Permission[]
  granted: string | Permission[] | null
  ends_at: string | null
}

const ORGANIZATION = 'o.key as org, o.data_version as changes, o.id as organization_id'
const APPLICATION = 'a.id as application_id, a.name as application_name, a.permissions as application_permissions'
const ACTIVE = `a.id = $1 and a.status = 'active' and o.status = 'active'`

const FIND_APPLICATION = `select ${ORGANIZATION}, ${APPLICATION}, s.id, s.name, null as granted, null as ends_at
  from oauth_applications a join organizations o on o.key = a.org
  join service_users s on s.org = a.org and s.id = a.service_user_id and s.status = 'active' where ${ACTIVE}`
const FIND_GRANT = `select ${ORGANIZATION}, ${APPLICATION}, u.id, u.name, g.permissions as granted,
    g.expires_at as ends_at
  from oauth_applications a join organizations o on o.key = a.org
  join oauth_grants g on g.org = a.org and g.application_id = a.id and g.id = $2 and g.expires_at > $3
  join users u on u.org = g.org and u.id = g.user_id and u.id = $4 and u.status = 'active' where ${ACTIVE}`

/**
 * The user who consented, or the service user of the application; undefined when any of them is gone, suspended or
 * ended.
 */
export async function findHolder(engine: Engine, now: string, token: OwnToken): Promise<Holder | undefined> {
  const { clientId, grantId, subject, organizationId } = token
  if (![clientId, subject, grantId ?? clientId].every((id) => UUID.test(id))) return undefined
  const found = grantId === undefined ? FIND_APPLICATION : FIND_GRANT
  const [row] = await engine.reader.all<HolderRow>(
    found,
    grantId === undefined ? [clientId] : [clientId, grantId, now, subject],
  )
  if (!row || row.organization_id !== organizationId || (grantId === undefined && subject !== clientId))
    return undefined
  const allowed = new Set(parsed<Permission[]>(row.application_permissions))
  const granted = row.granted === null ? allowed : new Set(parsed<Permission[]>(row.granted))
  const permissions = token.permissions.filter((permission) => allowed.has(permission) && granted.has(permission))
  return {
    ...row,
    found,
    kind: grantId === undefined ? 'service_user' : 'user',
    application: { id: row.application_id, name: row.application_name },
    permissions,
    ground: groundOf(token),
    cacheKey: `oauth ${grantId ?? clientId} ${hash('sha256', permissions.join(' '), 'base64url').slice(0, 16)}`,
  }
}

const groundOf = ({ grantId, clientId }: OwnToken): JwtGround =>
  grantId === undefined ? { kind: 'oauth_application', id: clientId } : { kind: 'oauth_grant', id: grantId }

/** In whose log it stands that a token with a good signature was refused; undefined: nobody here knows it. */
async function findRefused(engine: Engine, token: Verified): Promise<Pick<JwtRefusal, 'org' | 'ground'> | undefined> {
  if (token.kind === 'foreign') {
    const [row] = await engine.reader.all<{ org: number; id: string }>(
      'select i.org, i.id from external_identities i where i.issuer = $1 and i.subject = $2',
      [token.issuer, token.subject],
    )
    return row && { org: row.org, ground: { kind: 'external_identity', id: row.id } }
  }
  const ground = groundOf(token)
  if (!UUID.test(token.organizationId) || !UUID.test(ground.id)) return undefined
  const [row] = await engine.reader.all<{ org: number }>('select o.key as org from organizations o where o.id = $1', [
    token.organizationId,
  ])
  return row && { org: row.org, ground }
}

interface ForeignRow {
  org: number
  changes: number
  organization_id: string
  identity_id: string
  permissions: string | Permission[] | null
  user_id: string | null
  user_name: string | null
  service_user_id: string | null
  service_user_name: string | null
}

const FIND_FOREIGN = `select ${ORGANIZATION}, i.id as identity_id, i.permissions, u.id as user_id,
    u.name as user_name, s.id as service_user_id, s.name as service_user_name
     from external_identities i join organizations o on o.key = i.org and o.status = 'active'
     left join users u on u.org = i.org and u.id = i.user_id and u.status = 'active'
     left join service_users s on s.org = i.org and s.id = i.service_user_id and s.status = 'active'
     where i.issuer = $1 and i.subject = $2`

/** Whom we know an issuer's subject as, while they are active. */
async function findForeign(engine: Engine, { issuer, subject }: ForeignToken): Promise<Holder | undefined> {
  const [row] = await engine.reader.all<ForeignRow>(FIND_FOREIGN, [issuer, subject])
  if (!row) return undefined
  const { org, changes, organization_id, user_id, user_name, service_user_id, service_user_name } = row
  const permissions = parsed<Permission[] | null>(row.permissions)
  const ground: JwtGround = { kind: 'external_identity', id: row.identity_id }
  const common = {
    org,
    changes,
    found: FIND_FOREIGN,
    organization_id,
    permissions,
    ground,
    cacheKey: `external ${row.identity_id}`,
  }
  if (user_id !== null && user_name !== null) return { ...common, kind: 'user', id: user_id, name: user_name }
  if (service_user_id !== null && service_user_name !== null)
    return { ...common, kind: 'service_user', id: service_user_id, name: service_user_name }
  return undefined
}
