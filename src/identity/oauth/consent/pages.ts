import { type Html, html, page } from '../../../docs/html.ts'
import { pageSecurityPolicy } from '../../../docs/page-assets.ts'

/** Plain pages without scripts, for a service whose portal is not there. What they do, the portal does by the API. */
export interface Page {
  text: string
  headers: Record<string, string>
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pageSecurityPolicy.replace("form-action 'none'", "form-action 'self'"),
  // Not "no-referrer": with it a form of our own would say that it comes from nowhere.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

const made = (title: string, main: Html): Page => ({
  headers,
  text: page({ title, main: html`<div class="prose">${main}</div>` }),
})

export interface Consent {
  application: { name: string; description: string | null }
  redirect_uri: string
  user: { name: string; email: string }
  identity: ReadonlyArray<{ scope: string; description: string }>
  permissions: ReadonlyArray<{ name: string; description: string; is_held: boolean }>
}

export function consentPage({ application, redirect_uri, user, identity, permissions }: Consent): Page {
  const held = permissions.filter(({ is_held }) => is_held)
  const missing = permissions.filter(({ is_held }) => !is_held)
  return made(
    'Consent',
    html`<h1>${application.name} asks for access</h1>
${application.description && html`<p class="lead">${application.description}</p>`}
<p>You are ${user.name} (${user.email}). If you agree, ${application.name} may do this for you, for at most 90 days,
or until you revoke it:</p>
<ul>${[...identity, ...held].map(({ description }) => html`<li>${description}</li>`)}</ul>
${
  missing.length > 0 &&
  html`<p>It also asks for what you may not do yourself,
    and does not get:</p><ul>${missing.map(({ description }) => html`<li>${description}</li>`)}</ul>`
}
<p>You are then sent to <code>${redirect_uri}</code>.</p>
<form method="post" class="actions"><button name="decision" value="confirm">Agree</button> <button name="decision"
value="abort">Refuse</button></form>`,
  )
}

export interface Login {
  returnTo: string
  email?: string | undefined
  fault?: string | undefined
}

export function loginPage({ returnTo, email = '', fault }: Login): Page {
  const field = (name: string, label: string, type: string, more: Html) =>
    html`<p><label>${label}<br><input name="${name}" type="${type}" maxlength="254"${more}></label></p>`
  return made(
    'Log in',
    html`<h1>Log in</h1>
${fault && html`<p role="alert"><strong>${fault}</strong></p>`}
<form method="post" action="/login"><input type="hidden" name="return" value="${returnTo}">
${field('email', 'E-mail address', 'email', html` value="${email}" required autocomplete="username"`)}
${field('password', 'Password', 'password', html` required autocomplete="current-password"`)}
${field('code', 'Code of your second factor, if you have one', 'text', html` autocomplete="one-time-code"`)}
${field('organization', 'Organization, if your address is known to several', 'text', html``)}
<button>Log in</button></form>`,
  )
}

/**
 * Instead of a redirect: a browser holds every hop after a form to the page's form-action, and the last one leads to
 * the application, wherever that is.
 */
export function continuePage(url: string): Page {
  const main = html`<h1>One moment</h1><meta http-equiv="refresh" content="0; url=${url}"><p><a
    href="${url}">Continue</a></p>`
  return made('One moment', main)
}

export const errorPage = (text: string): Page =>
  made(
    'Not possible',
    html`<h1>That did not work</h1><p class="lead">${text}</p><p>Go back to the application and start again. If it
      happens again, tell whoever runs it.</p>`,
  )
