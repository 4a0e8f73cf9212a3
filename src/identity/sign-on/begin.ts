import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { isSecret, newSecret, secretHash } from '../../core/secrets/secret.ts'
import { createOutgoing } from '../../net/outgoing.ts'
import { beginFlow } from '../login/flows.ts'
import { signOnCookie } from '../sessions/cookie.ts'
import { Provider } from './provider.ts'
import type { Accepting, Connecting } from './queries.ts'

/** What it is for, once the browser is back. */
export type Purpose =
  | { kind: 'login'; organization: string | undefined }
  | ({ kind: 'connect' } & Connecting)
  | ({ kind: 'accept' } & Accepting)

export interface SignOnFlow {
  provider: string
  /** The digest of what the browser has in a cookie: nobody is sent back here in another's place. */
  browser: string
  nonce: string
  verifier: string
  returnTo: string
  purpose: Purpose
}

const COOKIE_SECONDS = 600

export const ProviderId = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Which provider: its `id`.',
  examples: ['google'],
})
/** A path of ours: one slash at the front, or a browser would take it for another host. */
export const ReturnTo = Type.String({
  maxLength: 500,
  pattern: '^/(?![/\\\\])[!-\\[\\]-~]*$',
  default: '/',
  description: 'The page to come back to.',
  examples: ['/settings'],
})
export const SignOnAnswer = Type.Object(
  {
    url: Type.String({ description: 'Where to send the browser.', examples: ['https://accounts.example/authorize?…'] }),
  },
  { additionalProperties: false },
)

export class SignOn {
  private readonly providers: ReadonlyMap<string, Provider>

  constructor(app: FastifyInstance) {
    const { baseUrl, outgoingAllow, signOn } = app.house.config
    const outgoing = createOutgoing(outgoingAllow)
    this.providers = new Map(signOn.map((settings) => [settings.id, new Provider(settings, baseUrl, outgoing)]))
  }

  find(id: string): Provider | undefined {
    return this.providers.get(id)
  }

  /** The address to send the browser to. */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    returnTo: string,
    purpose: Purpose,
  ): Promise<string> {
    const provider = this.find(id)
    if (!provider) throw invalid('provider', 'sign_on.unknown_provider', `provider: there is none called "${id}"`)
    const { engine, clock } = request.server.house
    const { url, state, nonce, verifier } = await provider.begin()
    // Several ways at once, in several tabs, share one cookie.
    const known = signOnCookie.read(request)
    const browser = known !== undefined && isSecret(known) ? known : newSecret()
    const flow: SignOnFlow = { provider: id, browser: secretHash(browser), nonce, verifier, returnTo, purpose }
    await beginFlow(engine, clock.now(), 'sign_on', state, flow)
    signOnCookie.write(reply, browser, COOKIE_SECONDS)
    reply.header('cache-control', 'no-store')
    return url
  }
}
