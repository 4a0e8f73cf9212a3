import { codeBlock } from './code-block.ts'
import { curl } from './curl.ts'
import { html, page } from './html.ts'

interface StartPage {
  readonly baseUrl: string
  readonly version: string
  /** The portal should be here. */
  readonly hasFailed?: boolean
}

/** What portal addresses show while it is built. The answer's header makes the browser ask again. */
export function buildingPage(): string {
  const main = html`<div class="prose start">
<h1>One moment</h1>
<p class="lead" role="status">The portal is being built. This page reloads by itself.</p>
<p>This happens at the first start and after an update, and takes a few seconds. The API answers already.</p>
</div>`
  return page({ title: 'The portal is being built', main })
}

/** `/`, where there is no portal. */
export function startPage({ baseUrl, version, hasFailed = false }: StartPage): string {
  const main = html`<div class="prose start">
<h1>Gatehouse</h1>
<p class="lead">Who may open which door, when and why: the open, self-hosted service for physical access control.</p>
${
  hasFailed &&
  html`<p class="needs" role="alert"><strong>The portal could not be built.</strong> The service’s output
  says why, and so does <code>npm run portal:build</code>. The API is not affected.</p>`
}
<p>This is the service itself, version ${version}, and it is running. It manages locations, buildings and spaces,
the doors between them, locking systems with their cylinders and keys, access control systems,
people and what they carry, and answers for every door who may open it.</p>
<ul class="cards">
<li><a href="/docs"><strong>API reference</strong><span>Every operation, with examples to paste</span></a></li>
<li><a href="/docs/api/errors"><strong>Errors</strong><span>What each code means and what to do</span></a></li>
<li><a href="/api/v1/openapi.json"><strong>OpenAPI document</strong><span>OpenAPI 3.1,
for generators and tools</span></a></li>
<li><a href="/readyz"><strong>Health</strong><span>Ready to serve? Alive is at <code>/livez</code></span></a></li>
</ul>
<h2>Your first request</h2>
<p>Every request carries a token. Make one on the machine that runs the service, in its folder. The token is printed
once and never shown again.</p>
${codeBlock(
  `npm run -s gatehouse -- organization create "My organization"
TOKEN=$(npm run -s gatehouse -- token create \\
  --organization "My organization" --role Owner)`,
  'shell',
  'An organization and a token',
)}
<p>Then ask for something:</p>
${codeBlock(
  curl(baseUrl, { method: 'GET', path: '/api/v1/spaces', headers: { Authorization: 'Token $TOKEN' } }),
  'shell',
  'The first request',
)}
<p>A new organization is empty. To look around in a filled one, start the service with <code>npm start -- --demo</code>:
it prints a token and a request that work as they stand.</p>
</div>`
  return page({ title: 'Gatehouse', main })
}
