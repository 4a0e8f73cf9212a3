import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { inPath } from '../../../http/items/item.ts'
import type { SessionCaller } from '../../sessions/caller.ts'
import { findLoggedIn, loginAddress, loginSeconds } from '../portal-session.ts'
import type { OwnMetadata } from '../provider/clients.ts'
import type { Oauth } from '../service.ts'
import { errorPage } from './pages.ts'

/**
 * The provider wants to know who is there. Whoever has logged in at this service need do nothing; everybody else logs
 * in first and comes back here. The browser that asked must be the one that comes back: its cookie says so.
 */
export async function finishLogin(oauth: Oauth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const provider = await oauth.provider()
  const uid = inPath(request, 'uid')
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
  if (interaction?.uid !== uid || interaction.prompt.name !== 'login') {
    const page = errorPage('This request to log in has expired, or was begun in another browser.')
    return reply.code(400).headers(page.headers).send(page.text)
  }
  const caller = await findLoggedIn(request)
  if (!caller || !isRecentEnough(interaction, caller))
    return reply.redirect(await loginAddress(request, `/oauth/interaction/${uid}`), 303)
  const client = await provider.Client.find(String(interaction.params.client_id))
  const isOurs = (client as unknown as OwnMetadata | undefined)?.organization_key === caller.org
  const result = isOurs
    ? { login: { accountId: caller.id, ts: loginSeconds(caller), remember: false } }
    : { error: 'access_denied', error_description: 'this application belongs to another organization' }
  return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
}

/** `prompt=login` and `max_age` want the password given anew, if it was not given since. */
function isRecentEnough({ prompt, params, iat }: Interaction, caller: SessionCaller): boolean {
  const age = iat - loginSeconds(caller)
  if (prompt.reasons.includes('login_prompt')) return age <= 0
  return !prompt.reasons.includes('max_age') || age <= Number(params.max_age)
}
