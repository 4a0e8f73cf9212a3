import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { isSecret, secretHash } from '../../core/secrets/secret.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import { html, page } from '../../docs/html.ts'
import { sendPage } from '../../docs/routes.ts'
import { rawQueryOf } from '../../http/address.ts'
import { SharedBody } from '../../http/answers/coding.ts'
import { FailureLimit } from '../../http/callers/failure-limit.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { requestOf } from '../login/answer.ts'
import { byLink } from '../login/by-link.ts'
import { redeemFlow } from '../login/flows.ts'
import type { LoggedIn } from '../login/queries.ts'
import { hasPasskeys } from '../passkeys/webauthn.ts'
import { setSessionCookie, signOnCookie } from '../sessions/cookie.ts'
import { refuseOtherSites } from '../sessions/same-origin.ts'
import { findLink } from '../users/links.ts'
import { ProviderId, type Purpose, ReturnTo, type SignOn, SignOnAnswer, type SignOnFlow } from './begin.ts'
import { type Provider, signOnFailed } from './provider.ts'
import { acceptByIdentity, connectIdentity, logInByIdentity } from './queries.ts'

const closed = { additionalProperties: false }

const Ways = Type.Object(
  {
    providers: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'What it is called in requests.', examples: ['google'] }),
          name: Type.String({ description: 'For the button.', examples: ['Google'] }),
        },
        closed,
      ),
      { description: 'Providers of single sign-on.' },
    ),
    passkeys: Type.Boolean({
      description: 'Whether passkeys can be used: the service must be reached by a host name.',
    }),
    password_reset: Type.Boolean({ description: 'Whether a forgotten password can be asked for: letters are sent.' }),
  },
  closed,
)

const Begin = Type.Object(
  {
    provider: ProviderId,
    organization: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The organization’s name, where one account is known to several.',
        examples: ['ETH Zürich'],
      }),
    ),
    invitation: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The token of an invitation link, to accept it with this account instead of a password.',
      }),
    ),
    return_to: Type.Optional(ReturnTo),
  },
  closed,
)

const waysDoc: RouteDoc = {
  tag: 'login',
  operationId: 'listLoginProviders',
  summary: 'Ways to log in',
  description: 'What the login page offers beside e-mail address and password.',
  success: { status: 200, name: 'LoginWays', schema: Ways, msg: 'Retrieved ways to log in' },
}
const beginDoc: RouteDoc = {
  tag: 'login',
  operationId: 'beginSignOn',
  summary: 'Begin single sign-on',
  description:
    'Answers with the address at the provider to send the browser to. The provider sends it back to ' +
    '`/login/sso/{provider}/callback`, which opens a session and leads on to `return_to`, or says what is wrong. ' +
    'It works once, within 10 minutes, in the same browser.',
  body: { name: 'SignOnBegin', schema: Begin },
  success: { status: 200, name: 'SignOnAnswer', schema: SignOnAnswer, msg: 'Send the browser to Google' },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'SYSTEM_UNREACHABLE', 'SYSTEM_TIMEOUT'],
}

/** Beginnings per address and minute: each is a row until it expires. */
const BEGINNINGS = 120

export function signOnRoutes(app: FastifyInstance, signOn: SignOn): void {
  const { config, clock, engine, failures, mail } = app.house
  const latest = neverBack(clock)
  const beginnings = new FailureLimit(clock, BEGINNINGS)
  const providers = config.signOn.map(({ id, name }) => ({ id, name }))

  app.get('/api/v1/login/providers', { config: { open: 'logging in', doc: waysDoc } }, (_request, reply) => {
    const data = { providers, passkeys: hasPasskeys(config), password_reset: mail.isOn }
    return reply.header('cache-control', 'no-store').send({ msg: 'Retrieved ways to log in', data })
  })

  app.post(
    '/api/v1/login/sso',
    { config: { open: 'logging in', doc: beginDoc }, schema: { body: Begin } },
    async (request, reply) => {
      refuseOtherSites(request)
      const { provider, organization, invitation, return_to: returnTo = '/' } = bodyOf(request, Begin)
      const refusal = beginnings.count(request.ip)
      if (refusal) throw refusal
      let purpose: Purpose = { kind: 'login', organization }
      if (invitation !== undefined) {
        const { org, userId } = await byLink(request, () => findLink(engine, latest.now(), 'invitation', invitation))
        purpose = { kind: 'accept', org, userId, linkHash: secretHash(invitation) }
      }
      const url = await signOn.begin(request, reply, provider, returnTo, purpose)
      return reply.send({ msg: `Send the browser to ${signOn.find(provider)?.settings.name}`, data: { url } })
    },
  )

  app.get<{ Params: { provider: string } }>(
    '/login/sso/:provider/callback',
    // A look ahead (HEAD) must not use it up.
    {
      config: { open: 'the provider sends the browser back here', isQuerySecret: true, login: 'single_sign_on' },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      let flow: SignOnFlow | undefined
      try {
        const begun = await findBegun(request, signOn, latest)
        flow = begun.flow
        const done = await finish(request, begun, latest)
        if (done) setSessionCookie(reply, done.session.value)
        return reply.redirect(flow.returnTo, 303)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // What only whoever runs the service can mend is said to them in full.
        if (error.code === 'INTERNAL') request.log.error({ err: error }, 'single sign-on failed')
        else request.log.info({ err: error.cause, reason: error.reason }, 'single sign-on failed')
        const told = error.status === 401 ? (failures.count(request.ip) ?? error) : error
        request.failure = told
        return request.server.hasPortal()
          ? reply.redirect(portalPage(request, flow, told), 303)
          : failurePage(reply, told)
      }
    },
  )
}

type Back = FastifyRequest<{ Params: { provider: string } }>

interface Begun {
  flow: SignOnFlow
  provider: Provider
  state: string
}

/** What this browser has begun, once. */
async function findBegun(request: Back, signOn: SignOn, latest: Clock): Promise<Begun> {
  const state = new URLSearchParams(rawQueryOf(request)).get('state') ?? ''
  const flow = isSecret(state)
    ? await redeemFlow<SignOnFlow>(request.server.house.engine, latest.now(), 'sign_on', state)
    : undefined
  const provider = signOn.find(request.params.provider)
  const browser = signOnCookie.read(request)
  const isSame =
    flow !== undefined &&
    provider?.settings.id === flow.provider &&
    browser !== undefined &&
    secretHash(browser) === flow.browser
  if (!isSame || !provider)
    throw signOnFailed(
      'This login was begun elsewhere, took too long, or is over already; begin again',
      'sign_on.expired',
    )
  return { flow, provider, state }
}

async function finish(request: Back, { flow, provider, state }: Begun, latest: Clock): Promise<LoggedIn | undefined> {
  const { engine, clock, mail } = request.server.house
  const identity = await provider.finish(rawQueryOf(request), { state, nonce: flow.nonce, verifier: flow.verifier })
  const { settings } = provider
  const { purpose } = flow
  const from = requestOf(request)
  if (purpose.kind === 'connect') {
    await connectIdentity(engine, clock.now(), mail, settings, identity, purpose, from)
    return undefined
  }
  if (purpose.kind === 'accept')
    return acceptByIdentity(engine, clock.now(), latest.now(), settings, identity, purpose, from)
  return logInByIdentity(engine, clock.now(), settings, identity, purpose.organization, from)
}

/**
 * The portal says it in the person's language, where they can go on: at the login, or in the profile of whoever is
 * logged in.
 */
function portalPage(request: Back, flow: SignOnFlow | undefined, { code, reason }: AppError): string {
  const told = new URLSearchParams({ sso: request.params.provider, reason: reason ?? code, request: request.id })
  if (flow?.purpose.kind === 'connect' && reason !== 'invalid_credential') return `/profile?${told}`
  if (flow?.purpose.kind === 'login' && flow.returnTo !== '/') told.set('return', flow.returnTo)
  return `/login?${told}`
}

/** Somebody stands in front of it: what is wrong, and how to go on. */
function failurePage(reply: FastifyReply, error: AppError): FastifyReply {
  const main = html`<div class="prose">
<h1>That did not work</h1>
<p class="lead">${error.message}</p>
<p><a href="/login">Back to the login</a></p>
<p class="eyebrow">${error.reason ?? error.code} · ${reply.request.id}</p>
</div>`
  return sendPage(reply.code(error.status), new SharedBody(page({ title: 'Single sign-on', main })))
}
