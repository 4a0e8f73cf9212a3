import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../core/errors.ts'
import { inPath } from '../../../http/items/item.ts'
import { requireSameOrigin } from '../../sessions/same-origin.ts'
import { findLoggedIn, loginAddress } from '../portal-session.ts'
import type { Oauth } from '../service.ts'
import { abortConsent, confirmConsent, describeConsent } from './consent.ts'
import { consentPage, continuePage, errorPage, type Login, loginPage, type Page } from './pages.ts'

const open = 'a page; what it shows, it asks for by session'

const send = (reply: FastifyReply, page: Page, status = 200) => reply.code(status).headers(page.headers).send(page.text)

/** A refusal in words, for a person. */
const sendRefusal = (reply: FastifyReply, error: unknown) => {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const expired =
    error.status === 404 ? 'This request for access has expired, was answered already, or is not yours.' : error.message
  return send(reply, errorPage(expired), error.status)
}

/** Only on to a page of ours. */
const localPath = (text: string | null | undefined): string =>
  text && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/'

/** Login and consent as plain forms, where there is no portal. */
export function oauthPageRoutes(app: FastifyInstance, oauth: Oauth): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.get('/login', { config: { open } }, (request, reply) => {
      const asked = new URL(request.raw.url ?? '', 'http://gatehouse.invalid').searchParams.get('return')
      return request.server.answerUnclaimed?.(request, reply) ?? send(reply, loginPage({ returnTo: localPath(asked) }))
    })
    scope.post('/login', { config: { open } }, (request, reply) => logIn(app, request, reply))
    scope.get(
      '/consent/:uid',
      { config: { open } },
      (request, reply) => request.server.answerUnclaimed?.(request, reply) ?? showConsent(oauth, request, reply),
    )
    scope.post('/consent/:uid', { config: { open } }, (request, reply) => decide(oauth, request, reply))
  })
}

const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
const uidOf = (request: FastifyRequest): string => inPath(request, 'uid')

/** By the API, as any page does: its delays, its record, its cookie. */
async function logIn(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request)
  const given = Object.fromEntries(
    ['email', 'password', 'code', 'organization'].map((name) => [name, form.get(name)]).filter(([, value]) => value),
  )
  const headers = Object.fromEntries(
    ['origin', 'sec-fetch-site', 'user-agent', 'host', 'cookie']
      .map((name) => [name, request.headers[name]])
      .filter(([, value]) => value !== undefined),
  )
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/login',
    remoteAddress: request.ip,
    headers,
    payload: given,
  })
  const returnTo = localPath(form.get('return'))
  if (answer.statusCode === 200) {
    reply.header('set-cookie', answer.headers['set-cookie'])
    // Going on would lead back to this form: to whoever awaits a factor nothing is open.
    if (answer.json<{ data: { session: { awaited_factor: string | null } } }>().data.session.awaited_factor !== null)
      return send(
        reply,
        errorPage('A second factor is demanded of you. Set one up, or log in with the one you have, first.'),
        403,
      )
    return send(reply, continuePage(`${app.house.config.baseUrl}${returnTo}`))
  }
  const page: Login = { returnTo, email: form.get('email') ?? undefined, fault: answer.json<{ msg: string }>().msg }
  if (answer.headers['retry-after'] !== undefined) reply.header('retry-after', answer.headers['retry-after'])
  return send(reply, loginPage(page), answer.statusCode)
}

async function showConsent(oauth: Oauth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await findLoggedIn(request)
  if (!caller) return reply.redirect(await loginAddress(request, `/consent/${uidOf(request)}`), 303)
  request.caller = caller
  try {
    return send(reply, consentPage(await describeConsent(oauth, request, caller, uidOf(request))))
  } catch (error) {
    return sendRefusal(reply, error)
  }
}

async function decide(oauth: Oauth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  try {
    requireSameOrigin(request)
    const caller = await findLoggedIn(request)
    if (!caller) return send(reply, errorPage('You are not logged in any more.'), 401)
    request.caller = caller
    const isAgreed = formOf(request).get('decision') === 'confirm'
    const next = isAgreed
      ? await confirmConsent(oauth, request, caller, uidOf(request), undefined)
      : await abortConsent(oauth, request, caller, uidOf(request))
    return send(reply, continuePage(next))
  } catch (error) {
    return sendRefusal(reply, error)
  }
}
