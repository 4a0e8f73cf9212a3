import { AppError, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { CLIENT_SECRET_PREFIX, newTokenValue, tokenHash } from '../../core/secrets/token.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, type Made, updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { refuseDecidingOver } from './deciding.ts'
import { redirectFault } from './redirect-uri.ts'
import { type OauthApplication, oauthApplications } from './schema.ts'

/** Goes to whoever asked for it, and is stored nowhere. */
interface MadeSecret {
  row: OauthApplication
  secret: string
}

export async function prepareApplication(
  tx: Tx,
  next: OauthApplication,
  current: OauthApplication | undefined,
): Promise<undefined> {
  for (const [index, uri] of next.redirect_uris.entries()) {
    const fault = redirectFault(uri, next.kind)
    if (fault) throw invalid(`redirect_uris[${index}]`, 'redirect_uri', `redirect_uris[${index}]: ${uri} ${fault}`)
  }
  if (next.kind === 'public' && next.service_user_id !== null)
    throw invalid(
      'service_user_id',
      'public_application',
      'A public application has no secret and cannot act as a service user',
    )
  if (!current || decides(next, current)) await refuseDecidingOver(tx, next)
}

/**
 * Whether the change is about more than words, taking away, or stopping it. Starting it again is asked about wherever
 * it happens.
 */
const decides = (next: OauthApplication, current: OauthApplication): boolean =>
  (next.service_user_id !== null && next.service_user_id !== current.service_user_id) ||
  next.permissions.some((permission) => !current.permissions.includes(permission)) ||
  next.redirect_uris.some((uri) => !current.redirect_uris.includes(uri))

const secretColumns = (secret: string, now: string): AnyRow => ({
  secret_hash: tokenHash(secret),
  secret_last_four: secret.slice(-4),
  secret_created_at: now,
})

export async function createApplication(tx: Tx, body: AnyRow, scope: Scope): Promise<Made> {
  const secret = body.kind === 'public' ? undefined : newTokenValue(CLIENT_SECRET_PREFIX)
  const row = await createRow(tx, oauthApplications, body, scope, {
    prepare: async (_tx, next) => {
      await prepareApplication(tx, next as OauthApplication, undefined)
      return secret === undefined ? undefined : secretColumns(secret, tx.now)
    },
  })
  if (secret === undefined) return { row }
  return { row, secret: { client_secret: secret }, msg: 'Created OAuth application; its secret is shown this once' }
}

/** A new secret; the one before works until the grace period ends. */
export async function rotateSecret(tx: Tx, application: OauthApplication, graceSeconds: number): Promise<MadeSecret> {
  if (application.kind === 'public')
    throw new AppError('INVALID_STATE', 'A public application has no secret', { reason: 'oauth_application.public' })
  await refuseDecidingOver(tx, application)
  const secret = newTokenValue(CLIENT_SECRET_PREFIX)
  const previous =
    graceSeconds === 0
      ? { previous_secret_hash: null, previous_secret_expires_at: null }
      : await previousOf(tx, application, graceSeconds)
  const row = await updateRow(
    tx,
    oauthApplications,
    application,
    { ...secretColumns(secret, tx.now), ...previous },
    'secret_rotated',
  )
  return { row, secret }
}

async function previousOf(tx: Tx, { id }: OauthApplication, graceSeconds: number): Promise<AnyRow> {
  const row = await tx.one<{ secret_hash: string }>(
    sql`select t.secret_hash from oauth_applications t where t.org = :org and t.id = ${id}`,
  )
  const until = new Date(Date.parse(tx.now) + graceSeconds * 1000).toISOString()
  return { previous_secret_hash: row?.secret_hash ?? null, previous_secret_expires_at: until }
}
