import { type ErrorCode, errorStatus } from '../core/errors.ts'
import { atOnce, type Steps } from '../core/pauses.ts'
import { codeBlock, jsonBlock } from './code-block.ts'
import { codeSamples, examplesOf, isOpen, jsonOf } from './code-samples.ts'
import { errorCatalogue, errorCodes, errorDocsPath } from './error-catalogue.ts'
import { type Html, html, page, raw } from './html.ts'
import { inlineMarkdown, markdown, markdownWithHeadings, slugOf } from './markdown.ts'
import {
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiRequestBody,
  type OpenApiResponse,
  type OpenApiSecurityScheme,
} from './openapi/types.ts'
import { fieldList, parameterList, resolve, schemaAnchor, schemaBody } from './reference-schema.ts'

interface Operation {
  readonly id: string
  readonly method: HttpMethod
  readonly path: string
  readonly title: string
  readonly spec: OpenApiOperation
  readonly parameters: readonly OpenApiParameter[]
}

interface Group {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly operations: readonly Operation[]
}

export const referencePage = (openapi: OpenApiDocument): string => atOnce(referenceSteps(openapi))

/** The API reference, as one page from the OpenAPI document. */
export function* referenceSteps(openapi: OpenApiDocument): Steps<string> {
  const groups = groupsOf(openapi)
  const schemas = Object.entries(openapi.components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  const schemes = Object.entries(openapi.components?.securitySchemes ?? {})
  const introduction = markdownWithHeadings(openapi.info.description ?? '', { level: 1, idPrefix: 'intro-' })
  const topLevel = Math.min(...introduction.headings.map((heading) => heading.level))

  const nav = html`<div class="filter" hidden><label for="search">Search the reference</label><input type="search"
    id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="results"><kbd
    aria-hidden="true">/</kbd></div>
<ol class="results" id="results" hidden></ol>
<p class="none" role="status" hidden>Nothing fits.</p>
<ul class="plain"><li><a href="#main">Introduction</a></li>${introduction.headings
    .filter((heading) => heading.level === topLevel)
    .map(
      (heading) => html`<li><a href="#${heading.id}">${heading.text}</a></li>`,
    )}${schemes.length > 0 && html`<li><a href="#credentials">Credentials</a></li>`}</ul>
<p class="caption" id="operations-caption">Operations</p>
<div id="operations">${groups.map(
    (group) =>
      html`<details class="nav-group"><summary>${group.name}</summary><ul><li><a
        href="#${group.id}">Overview</a></li>${group.operations.map(
          (operation) =>
            html`<li><a href="#${operation.id}">${verb(operation.method)} <span>${operation.title}</span></a></li>`,
        )}</ul></details>`,
  )}</div>
${
  schemas.length > 0 &&
  html`<p class="caption">Data</p><ul class="plain"><li><a
  href="#schemas">Schemas</a></li></ul>`
}`

  const sections: Html[] = []
  for (const group of groups) sections.push(yield* groupSection(openapi, group))
  const described: Html[] = []
  for (const [name, schema] of schemas) {
    described.push(
      html`<details class="fold schema"
        id="${schemaAnchor(name)}"><summary><code>${name}</code></summary>${schemaBody(openapi, schema)}</details>`,
    )
    yield
  }
  const main = html`<div class="intro prose">
<h1>${openapi.info.title} <span class="version">${openapi.info.version}</span></h1>
${openapi.info.summary !== undefined && html`<p class="lead">${openapi.info.summary}</p>`}
${openapi.servers?.[0] && html`<p class="base">Base URL <code>${openapi.servers[0].url}</code></p>`}
${introduction.body}
</div>
${
  schemes.length > 0 &&
  html`<section class="intro prose"
  id="credentials"><h2>Credentials</h2>${schemes.map(credential)}</section>`
}
${sections}
${
  schemas.length > 0 &&
  html`<section class="schemas" id="schemas"><h2>Schemas</h2>
<p>The objects that the operations above take and answer with.</p>
${described}</section>`
}`
  return page({ title: openapi.info.title, section: 'reference', isWide: true, nav, main })
}

function groupsOf(openapi: OpenApiDocument): Group[] {
  const byTag = new Map<string, Operation[]>((openapi.tags ?? []).map((tag) => [tag.name, []]))
  const taken = new Set<string>()
  for (const [path, item] of Object.entries(openapi.paths)) {
    for (const method of httpMethods) {
      const spec = item[method]
      if (!spec) continue
      const tag = spec.tags?.[0] ?? 'Other'
      const wanted = slugOf(spec.operationId ?? `${method} ${path}`)
      const id = taken.has(wanted) ? slugOf(`${method} ${path}`) : wanted
      taken.add(id)
      const own = (spec.parameters ?? []).map((parameter) => resolve<OpenApiParameter>(openapi, parameter))
      const shared = (item.parameters ?? []).map((parameter) => resolve<OpenApiParameter>(openapi, parameter))
      const parameters = [
        ...shared.filter((outer) => !own.some((inner) => inner.name === outer.name && inner.in === outer.in)),
        ...own,
      ]
      const operation = { id, method, path, title: spec.summary ?? `${method.toUpperCase()} ${path}`, spec, parameters }
      byTag.set(tag, [...(byTag.get(tag) ?? []), operation])
    }
  }
  return [...byTag]
    .filter(([, operations]) => operations.length > 0)
    .map(([name, operations]) => ({
      id: `tag-${slugOf(name)}`,
      name,
      description: openapi.tags?.find((tag) => tag.name === name)?.description,
      operations,
    }))
}

const verb = (method: HttpMethod) =>
  html`<span class="verb ${method}">${method === 'delete' ? 'DEL' : method.toUpperCase()}</span>`

/** A path that may break after its slashes, its parameters set apart. */
const pathOf = (path: string) =>
  path
    .split(/(\{[^{}]+\}|\/)/)
    .map((part) =>
      part === '/' ? raw('/<wbr>') : part.startsWith('{') ? html`<span class="slot">${part}</span>` : part,
    )

const endpoint = (method: HttpMethod, path: string) =>
  html`<span class="verb ${method}">${method.toUpperCase()}</span> <code>${pathOf(path)}</code>`

function* groupSection(openapi: OpenApiDocument, group: Group): Steps<Html> {
  const articles: Html[] = []
  for (const operation of group.operations) {
    articles.push(operationArticle(openapi, operation))
    yield
  }
  return html`<section class="group" aria-labelledby="${group.id}-title">
<div class="columns" id="${group.id}"><div class="prose"><h2 id="${group.id}-title">${group.name} <a class="anchor"
href="#${group.id}" aria-label="Link to ${group.name}">#</a></h2>
${group.description !== undefined && markdown(group.description, { level: 3 })}</div>
<div class="samples"><figure class="code endpoints"><figcaption>Endpoints</figcaption><ul>${group.operations.map(
    (operation) => html`<li><a href="#${operation.id}">${endpoint(operation.method, operation.path)}</a></li>`,
  )}</ul></figure></div></div>
${articles}
</section>`
}

function operationArticle(openapi: OpenApiDocument, operation: Operation): Html {
  const { id, method, path, title, spec, parameters } = operation
  const body = spec.requestBody && resolve<OpenApiRequestBody>(openapi, spec.requestBody)
  const responses = Object.entries(spec.responses).map(([status, response]) => ({
    status,
    response: resolve<OpenApiResponse>(openapi, response),
    name: '$ref' in response ? response.$ref.split('/').at(-1) : undefined,
  }))
  const answers = responses.filter(({ status }) => !isError(status))
  const errors = [...new Set(responses.filter(({ status }) => isError(status)).flatMap(errorsOf))]
  const permission = spec['x-permission']
  return html`<article class="operation columns" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h3>
<p class="endpoint">${endpoint(method, path)}</p>
${
  spec.deprecated === true &&
  html`<p class="note">This operation is on its way out. Do not use it for anything
  new.</p>`
}
${spec.description !== undefined && html`<div class="prose">${markdown(spec.description, { level: 4 })}</div>`}
<p class="needs">${
    isOpen(openapi, spec)
      ? 'No credential needed'
      : permission === undefined
        ? 'Any valid credential'
        : html`Permission <code>${permission}</code>`
  }</p>
${(['path', 'query', 'header'] as const).map((place) =>
  parameterGroup(
    openapi,
    place,
    parameters.filter((parameter) => parameter.in === place),
  ),
)}
${body && bodyFields(openapi, body)}
${answers.length > 0 && html`<h4>Responses</h4>`}
${answers.map(({ status, response }) => answer(openapi, status, response))}
${
  errors.length > 0 &&
  html`<h4>Errors</h4><ul
  class="codes">${errors.map(
    (error) => html`<li><a href="${errorDocsPath(error.code)}"
    title="${errorCatalogue[error.code].title}"><span class="status">${error.status}</span>
    ${error.code}</a></li>`,
  )}</ul>`
}
</div>
<div class="samples">
${requestSamples(openapi, operation)}
${answers.map(({ status, response }) => answerSample(openapi, status, response))}
</div>
</article>`
}

/** The first is shown, the others are a press away. */
function requestSamples(openapi: OpenApiDocument, { method, path, spec, parameters }: Operation): Html[] {
  const [first, ...others] = codeSamples(openapi, { method, path, spec, parameters })
  return [
    ...(first ? [codeBlock(first.source, 'shell', 'Request')] : []),
    ...others.map(
      ({ label, source }) =>
        html`<details class="fold sample"><summary>${label}</summary>${codeBlock(source, 'text', label)}</details>`,
    ),
  ]
}

const isError = (status: string) => /^[45]/.test(status) || status === 'default'

const errorsOf = (() => {
  // One object for each pair, so that a Set drops the doubles.
  const known = new Map<string, { status: string; code: ErrorCode }>()
  const entry = (status: string, code: ErrorCode) => {
    const key = `${status} ${code}`
    const found = known.get(key) ?? { status, code }
    known.set(key, found)
    return found
  }
  return ({ status, response, name }: { status: string; response: OpenApiResponse; name: string | undefined }) => {
    const codes =
      response['x-error-codes'] ??
      (name !== undefined && name in errorStatus
        ? [name as ErrorCode]
        : errorCodes.filter((code) => errorCatalogue[code].statuses.includes(Number(status))))
    return codes.map((code) => entry(status === 'default' ? String(errorStatus[code]) : status, code))
  }
})()

const placeTitles = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' }
const shownParameters = 8

function parameterGroup(
  openapi: OpenApiDocument,
  place: keyof typeof placeTitles,
  parameters: readonly OpenApiParameter[],
): Html | undefined {
  if (parameters.length === 0) return undefined
  // One more is no reason to fold.
  const cut = parameters.length > shownParameters + 1 ? shownParameters : parameters.length
  const rest = parameters.slice(cut)
  return html`<h4>${placeTitles[place]}</h4>${parameterList(openapi, parameters.slice(0, cut))}${
    rest.length > 0 &&
    html`<details class="fold"><summary><span>${rest.length} more:
      ${rest.map((parameter, index) => html`${index > 0 && ', '}<code>${parameter.name}</code>`)}</span></summary>
      ${parameterList(openapi, rest)}</details>`
  }`
}

function bodyFields(openapi: OpenApiDocument, body: OpenApiRequestBody): Html {
  const media = jsonOf(body.content)
  const types = Object.keys(body.content)
  return html`<h4>Body${body.required !== true && html` <span class="type">optional</span>`}</h4>
${body.description !== undefined && html`<div class="prose">${markdown(body.description, { level: 5 })}</div>`}
${
  types.some((type) => type !== 'application/json') &&
  html`<p class="limits">Sent as
  ${types.map((type, index) => html`${index > 0 && ' or '}<code>${type}</code>`)}</p>`
}
${media?.schema && fieldList(openapi, media.schema, 'request')}`
}

function answer(openapi: OpenApiDocument, status: string, response: OpenApiResponse): Html {
  const media = jsonOf(response.content)
  const fields = media?.schema && fieldList(openapi, media.schema, 'response')
  const headers = Object.entries(response.headers ?? {})
  const summary = html`<span class="status">${status}</span> <span>${inlineMarkdown(response.description)}</span>`
  if (!fields && headers.length === 0) return html`<p class="fold">${summary}</p>`
  return html`<details class="fold"><summary>${summary}</summary>${fields}${
    headers.length > 0 &&
    html`<p class="caption">Headers</p>${parameterList(
      openapi,
      headers.map(([name, header]) => ({ ...resolve<object>(openapi, header), name, in: 'header' as const })),
    )}`
  }</details>`
}

function answerSample(openapi: OpenApiDocument, status: string, response: OpenApiResponse): Html[] {
  const media = jsonOf(response.content)
  if (!media) return []
  return examplesOf(openapi, media, 'response').map(({ title, value }) => {
    const label = title === undefined ? `Response ${status}` : `Response ${status} · ${title}`
    return typeof value === 'string' ? codeBlock(value, 'text', label) : jsonBlock(value, label)
  })
}

function credential([name, scheme]: [string, OpenApiSecurityScheme]): Html {
  const flows = Object.entries(scheme.flows ?? {})
  return html`<h3>${name}</h3>
${scheme.description !== undefined && markdown(scheme.description, { level: 4 })}
<ul>${
    scheme.type === 'apiKey' &&
    html`<li>In the ${scheme.in}
  <code>${scheme.name}</code></li>`
  }${
    scheme.type === 'http' &&
    html`<li>In the header <code>Authorization</code>,
    scheme <code>${scheme.scheme}</code>${scheme.bearerFormat !== undefined && `, a ${scheme.bearerFormat}`}</li>`
  }
${scheme.openIdConnectUrl !== undefined && html`<li>Discovery <code>${scheme.openIdConnectUrl}</code></li>`}
${flows.map(
  ([flow, { authorizationUrl, tokenUrl, scopes }]) =>
    html`<li>${flowNames[flow] ?? flow}:${
      authorizationUrl !== undefined &&
      html` authorize at
        <code>${authorizationUrl}</code>,`
    }${tokenUrl !== undefined && html` tokens from <code>${tokenUrl}</code>`}${
      Object.keys(scopes).length > 0 &&
      html`<details class="fold"><summary>${Object.keys(scopes).length} scopes</summary><dl
          class="fields">${Object.entries(scopes).map(
            ([scope, text]) => html`<div
            class="field"><dt><code>${scope}</code></dt><dd><p>${text}</p></dd></div>`,
          )}</dl></details>`
    }</li>`,
)}</ul>`
}

const flowNames: Record<string, string> = {
  authorizationCode: 'Authorization code with PKCE',
  clientCredentials: 'Client credentials',
}
