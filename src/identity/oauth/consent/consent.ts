import { randomUUIDv7 } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { Grant, Interaction, InteractionResults } from 'oidc-provider'
import { AppError, notFound } from '../../../core/errors.ts'
import { type Permission, permissions as sentences } from '../../../core/permissions.ts'
import { sql } from '../../../db/sql.ts'
import { actorOf, reading } from '../../../http/context.ts'
import { signalOf } from '../../../http/signal.ts'
import type { SessionCaller } from '../../sessions/caller.ts'
import { apiOf, identityScopes } from '../endpoints.ts'
import type { OwnMetadata } from '../provider/clients.ts'
import { Records } from '../provider/records.ts'
import { withRequest } from '../requests.ts'
import type { Oauth } from '../service.ts'

export interface ConsentRequest {
  uid: string
  expires_at: string
  application: { id: string; name: string; description: string | null; kind: 'confidential' | 'public' }
  redirect_uri: string
  user: { id: string; name: string; email: string }
  identity: Array<{ scope: string; description: string }>
  permissions: Array<{ name: Permission; description: string; is_held: boolean }>
}

interface Open {
  provider: Provider
  interaction: Interaction
  /** Of the API, in the order asked. */
  asked: Permission[]
  identity: string[]
}

/**
 * An application that waits for the caller's consent. Only whoever began it sees it: the provider's session, which the
 * browser that began it has, is of the same person.
 */
async function findOpen(oauth: Oauth, caller: SessionCaller, uid: string): Promise<Open> {
  const provider = await oauth.provider()
  const interaction = await provider.Interaction.find(uid)
  if (interaction?.prompt.name !== 'consent' || interaction.session?.accountId !== caller.id) throw notFound()
  const client = (await provider.Client.find(String(interaction.params.client_id))) as unknown as
    | OwnMetadata
    | undefined
  if (!client || client.organization_key !== caller.org) throw notFound()
  const words = [...new Set(String(interaction.params.scope ?? '').split(' '))]
  return {
    provider,
    interaction,
    asked: client.permissions.filter((permission) => words.includes(permission)),
    identity: words.filter((word) => Object.hasOwn(identityScopes, word)),
  }
}

/** Who asks, for what, and which of it the caller has to give. */
export async function describeConsent(
  oauth: Oauth,
  request: FastifyRequest,
  caller: SessionCaller,
  uid: string,
): Promise<ConsentRequest> {
  const { interaction, asked, identity } = await findOpen(oauth, caller, uid)
  const handle = reading(request)
  const application = await handle.one<ConsentRequest['application']>(
    sql`select t.id, t.name, t.description, t.kind from oauth_applications t where t.org = :org
      and t.id = ${interaction.params.client_id}`,
  )
  const user = await handle.one<ConsentRequest['user']>(
    sql`select t.id, t.name, t.email from users t where t.org = :org and t.id = ${caller.id}`,
  )
  if (!application || !user) throw notFound()
  return {
    uid,
    expires_at: new Date(interaction.exp * 1000).toISOString(),
    application,
    redirect_uri: String(interaction.params.redirect_uri),
    user,
    // A refresh token comes with every code, whether it is asked for or not: whoever agrees is told.
    identity: [...new Set([...identity, 'offline_access'])].map((scope) => ({
      scope,
      description: identityScopes[scope] as string,
    })),
    permissions: asked.map((name) => ({ name, description: sentences[name], is_held: caller.rights.can(name) })),
  }
}

/** The caller agrees, to all of it or to `chosen`; what they do not hold they cannot give. Gives where to go on. */
export async function confirmConsent(
  oauth: Oauth,
  request: FastifyRequest,
  caller: SessionCaller,
  uid: string,
  chosen: readonly Permission[] | undefined,
): Promise<string> {
  const { provider, interaction, asked, identity } = await findOpen(oauth, caller, uid)
  await claim(request, uid)
  const given = asked.filter((permission) => caller.rights.can(permission) && (chosen?.includes(permission) ?? true))
  const grant = await grantFor(provider, interaction, caller)
  const api = apiOf(request.server.house.config)
  const held = new Set([...grant.getResourceScope(api).split(' ').filter(Boolean), ...given])
  const refused = asked.filter((permission) => !held.has(permission))
  // Written whole: what was refused once can be given later.
  Object.assign(grant, { resources: {}, rejected: undefined })
  grant.addResourceScope(api, [...held].join(' '))
  if (refused.length > 0) grant.rejectResourceScope(api, refused.join(' '))
  if (identity.length > 0) grant.addOIDCScope(identity.join(' '))
  const grantId = await withRequest({ actor: actorOf(request), signal: signalOf(request), reason: 'by_user' }, () =>
    grant.save(),
  )
  return finish(interaction, { ...interaction.lastSubmission, consent: { grantId } })
}

export async function abortConsent(
  oauth: Oauth,
  request: FastifyRequest,
  caller: SessionCaller,
  uid: string,
): Promise<string> {
  const { interaction } = await findOpen(oauth, caller, uid)
  await claim(request, uid)
  return finish(interaction, { error: 'access_denied', error_description: 'the user did not consent' })
}

/** The one that is there already is widened. */
async function grantFor(provider: Provider, interaction: Interaction, caller: SessionCaller): Promise<Grant> {
  const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  if (known) return known
  const grant = new provider.Grant({ accountId: caller.id, clientId: String(interaction.params.client_id) })
  grant.jti = randomUUIDv7()
  return grant
}

/** Of any number of answers one counts. */
async function claim(request: FastifyRequest, uid: string): Promise<void> {
  const { engine, clock } = request.server.house
  if (await new Records(engine, 'Interaction').consume(uid, clock.now())) return
  throw new AppError('INVALID_STATE', 'This was answered already; go back to the application', {
    reason: 'oauth_interaction.answered',
  })
}

async function finish(interaction: Interaction, result: InteractionResults): Promise<string> {
  interaction.result = result
  await interaction.persist()
  return interaction.returnTo
}
