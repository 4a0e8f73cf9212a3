import type { ErrorCode } from '../core/errors.ts'
import { codeBlock, jsonBlock } from './code-block.ts'
import { curl } from './curl.ts'
import { errorCatalogue, errorCodes, errorDocsPath, exampleBody } from './error-catalogue.ts'
import { type Html, html, page, raw } from './html.ts'
import { inlineMarkdown } from './markdown.ts'

const retryWords = {
  fix: 'No. The same request fails again: change it first.',
  wait: 'Yes, after a pause.',
  check: 'Yes, but look first at what has happened.',
}

const statusOf = (code: ErrorCode) => errorCatalogue[code].statuses.join(', ')

const groups = [
  {
    title: 'The request',
    codes: errorCodes.filter((code) => errorCatalogue[code].statuses.every((status) => status < 500)),
  },
  {
    title: 'The service',
    codes: errorCodes.filter((code) => errorCatalogue[code].statuses.some((status) => status >= 500)),
  },
]

const sideNav = (current?: ErrorCode): Html => html`<ul class="plain"><li><a
  href="/docs/api/errors"${current === undefined && raw(' aria-current="page"')}>All errors</a></li></ul>
${groups.map(
  (group) =>
    html`<p class="caption">${group.title}</p><ul class="plain codes-nav">${group.codes.map(
      (code) =>
        html`<li><a href="${errorDocsPath(code)}"${code === current && raw(' aria-current="page"')}>
          <span>${raw(code.replaceAll('_', '_<wbr>'))}</span>
          <span class="status">${statusOf(code)}</span></a></li>`,
    )}</ul>`,
)}`

/** `/docs/api/errors` */
export function errorIndexPage(docsUrl: string): string {
  const main = html`<div class="prose">
<h1>Errors</h1>
<p class="lead">Every answer that is not a success has the same body, and every code has a page of its own.</p>
${jsonBlock(exampleBody('NOT_FOUND', errorCatalogue.NOT_FOUND.examples[0], docsUrl), 'The body of an error')}
<dl class="fields">
<div class="field"><dt><code>msg</code></dt><dd><p>What happened, in words for people. It may change: do not compare it
in programs.</p></dd></div>
<div class="field"><dt><code>error.code</code></dt><dd><p>One of the codes below. It does not change.</p></dd></div>
<div class="field"><dt><code>error.docs</code></dt><dd><p>The address of the code’s page.</p></dd></div>
<div class="field"><dt><code>error.req_id</code></dt><dd><p>The request’s number. It is in the header
<code>X-Request-Id</code> too, and in the service’s log.</p></dd></div>
<div class="field"><dt><code>error.reason</code> <span class="flag optional">optional</span></dt><dd><p>A stable word
that says more than the code. It does not change.</p></dd></div>
<div class="field"><dt><code>error.details</code> <span class="flag optional">optional</span></dt><dd><p>Each single
fault, with <code>path</code>, <code>rule</code> and <code>message</code>: at most 20.</p></dd></div>
</dl>
</div>
${groups.map(
  (group) =>
    html`<h2>${group.title}</h2><div class="scroll" tabindex="0" role="group" aria-label="Error codes"><table
      class="wide"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th
      scope="col">Meaning</th></tr></thead><tbody>${group.codes.map(
        (code) =>
          html`<tr><td class="status">${statusOf(code)}</td><th scope="row"><a
          href="${errorDocsPath(code)}"><code>${code}</code></a></th><td>${errorCatalogue[code].title}</td></tr>`,
      )}</tbody></table></div>`,
)}`
  return page({ title: 'Errors', section: 'errors', nav: sideNav(), main })
}

/** `/docs/api/errors/<CODE>` */
export function errorPage(code: ErrorCode, docsUrl: string, baseUrl = docsUrl): string {
  const entry = errorCatalogue[code]
  const main = html`<div class="prose">
<p class="eyebrow"><a href="/docs/api/errors">Errors</a> · ${entry.statuses.join(' or ')}</p>
<h1 class="code-title">${raw(code.replaceAll('_', '_<wbr>'))}</h1>
<p class="lead">${entry.title}</p>
${entry.meaning.map((paragraph) => html`<p>${inlineMarkdown(paragraph)}</p>`)}
<h2>What to do</h2>
<ol>${entry.steps.map((step) => html`<li>${inlineMarkdown(step)}</li>`)}</ol>
<p class="needs"><strong>Worth sending again?</strong> ${retryWords[entry.retry]}</p>
<h2>${entry.examples.length > 1 ? 'Examples' : 'Example'}</h2>
${entry.examples.map(
  (example) => html`<h3>${example.title}</h3>
${codeBlock(curl(baseUrl, example.request), 'shell', 'Request')}
${
  example.headers &&
  codeBlock(
    Object.entries(example.headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    'http',
    `Response ${example.status} · headers`,
  )
}
${jsonBlock(exampleBody(code, example, docsUrl), `Response ${example.status}`)}`,
)}
${
  entry.reasons &&
  html`<h2 id="reasons">Reasons</h2>
<p>The values of <code>error.reason</code>. They are stable; more may be added.</p>
${entry.reasons.map(
  (group) =>
    html`<h3>${group.title}</h3><dl class="reasons">${Object.entries(group.reasons).map(
      ([reason, sentence]) =>
        html`<div id="${reason}"><dt><code>${raw(reason.replace('.', '.<wbr>'))}</code></dt>
          <dd>${inlineMarkdown(sentence)}</dd></div>`,
    )}</dl>`,
)}`
}
</div>`
  return page({ title: code, section: 'errors', nav: sideNav(code), main })
}
