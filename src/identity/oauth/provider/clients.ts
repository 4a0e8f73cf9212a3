import { timingSafeEqual } from 'node:crypto'
import type { Permission } from '../../../core/permissions.ts'
import { tokenHash } from '../../../core/secrets/token.ts'
import { parsed } from '../../../db/assignments.ts'
import type { Engine } from '../../../db/engine.ts'
import { UUID } from '../../../http/items/item.ts'
import { identityScopes } from '../endpoints.ts'

interface ClientRow {
  id: string
  org: number
  name: string
  kind: 'confidential' | 'public'
  redirect_uris: string | string[]
  permissions: string | Permission[]
  service_user_id: string | null
  secret_hash: string | null
  previous_secret_hash: string | null
  previous_secret_expires_at: string | null
  organization_id: string
}

/** What of an application the provider does not know, and its configuration asks for. */
export const ownMetadata = ['organization_key', 'organization_id', 'permissions'] as const
export interface OwnMetadata {
  organization_key: number
  organization_id: string
  permissions: Permission[]
}

/** An active application of an active organization, as the provider wants it. */
export async function findClient(engine: Engine, id: string): Promise<Record<string, unknown> | undefined> {
  if (!UUID.test(id)) return undefined
  // The client names itself, and is what tells us the organization.
  const [row] = await engine.reader.all<ClientRow>(
    `select a.id, a.org, a.name, a.kind, a.redirect_uris, a.permissions, a.service_user_id, a.secret_hash,
      a.previous_secret_hash,
       a.previous_secret_expires_at, o.id as organization_id
     from oauth_applications a join organizations o on o.key = a.org where a.id = $1 and a.status = 'active'
     and o.status = 'active'`,
    [id.toLowerCase()],
  )
  return row ? metadataOf(row) : undefined
}

function metadataOf(row: ClientRow): Record<string, unknown> {
  const redirectUris = parsed<string[]>(row.redirect_uris)
  const asksPeople = redirectUris.length > 0
  const isPublic = row.kind === 'public'
  const own: OwnMetadata = {
    organization_key: row.org,
    organization_id: row.organization_id,
    permissions: parsed<Permission[]>(row.permissions),
  }
  return {
    client_id: row.id,
    client_name: row.name,
    // "Native" lets it use loopback addresses on any port and schemes of its own, and asks for consent every time.
    application_type: isPublic ? 'native' : 'web',
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    ...(isPublic ? {} : { client_secret: digestsOf(row) }),
    redirect_uris: redirectUris,
    response_types: asksPeople ? ['code'] : [],
    grant_types: [
      ...(asksPeople ? ['authorization_code', 'refresh_token'] : []),
      ...(row.service_user_id ? ['client_credentials'] : []),
    ],
    scope: Object.keys(identityScopes).join(' '),
    response_modes: ['query'],
    ...own,
  }
}

/** In place of a secret, which is stored nowhere: the digests of those that are good, each with its end. */
const digestsOf = ({ secret_hash, previous_secret_hash, previous_secret_expires_at }: ClientRow): string =>
  [`${secret_hash}@`, ...(previous_secret_hash ? [`${previous_secret_hash}@${previous_secret_expires_at}`] : [])].join(
    ',',
  )

export function isSecretOf(digests: string, given: string, now: string): boolean {
  const digest = Buffer.from(tokenHash(given))
  return digests.split(',').some((entry) => {
    const [known = '', until = ''] = entry.split('@')
    const bytes = Buffer.from(known)
    return bytes.length === digest.length && timingSafeEqual(bytes, digest) && (until === '' || until > now)
  })
}
