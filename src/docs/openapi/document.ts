import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../../core/errors.ts'
import { atOnce, type Steps } from '../../core/pauses.ts'
import { sure } from '../../core/typed.ts'
import type { Resource } from '../../db/resource.ts'
import type { RouteEntry } from '../../http/context.ts'
import { isChange, type RouteDoc } from '../../http/route-doc.ts'
import { exampleId } from '../../http/schemas.ts'
import { version } from '../../version.ts'
import { codeSamples } from '../code-samples.ts'
import { resolve } from '../reference-schema.ts'
import { Components } from './components.ts'
import { exampleBody, examplePatch } from './examples.ts'
import { introduction } from './introduction.ts'
import { dryRun, filterParameters, idempotencyKey, ifMatch, ifNoneMatch, listParameters } from './parameters.ts'
import { errorResponses, headers } from './responses.ts'
import { parameterSchema, requestSchema } from './schemas.ts'
import { securitySchemes } from './security.ts'
import { successResponses } from './success.ts'
import { compareTags, tagsOf, titleOf } from './tags.ts'
import {
  httpMethods,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiPathItem,
  type OpenApiRequestBody,
} from './types.ts'

interface Options {
  baseUrl: string
  /** Where the pages about errors are; the same place unless said otherwise. */
  docsUrl?: string
  version: string
}

type Documented = RouteEntry & { doc: RouteDoc }

/** The document of a running service, under its own address. */
export function openApiSteps(app: FastifyInstance): Steps<OpenApiDocument> {
  const { baseUrl, docsUrl } = app.house.config
  return building(app.routeTable, { baseUrl, docsUrl, version })
}

export const openApiOf = (app: FastifyInstance): OpenApiDocument => atOnce(openApiSteps(app))

/**
 * OpenAPI 3.1 from what the routes declare. The same routes give the same text, in whatever order they were registered.
 */
export const buildOpenApi = (routeTable: readonly RouteEntry[], options: Options): OpenApiDocument =>
  atOnce(building(routeTable, options))

function* building(
  routeTable: readonly RouteEntry[],
  { baseUrl, docsUrl = baseUrl, version }: Options,
): Steps<OpenApiDocument> {
  const routes = routeTable.filter(isDocumented).sort(byChapter)
  const components = new Components()
  const collections = collectionsOf(routes)
  const paths: Record<string, OpenApiPathItem> = {}
  for (const route of routes) {
    const { template, parameters } = pathOf(route.url, collections)
    const item = paths[template] ?? {}
    item[sure(methodOf(route))] = operationOf(route, parameters, components, docsUrl)
    paths[template] = item
    yield
  }
  const descriptions = new Map(
    routes.flatMap(({ doc }) => (doc.list ? [[doc.tag, doc.list.resource.description] as const] : [])),
  )
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse API',
      version,
      summary: 'Who may open which door, when and why.',
      description: introduction(baseUrl),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: tagsOf(
      routes.map(({ doc }) => doc.tag),
      descriptions,
    ),
    security: [{ Token: [] }, { OAuth2: [] }, { Bearer: [] }, { Session: [] }],
    paths,
    components: { ...components.all(), headers, securitySchemes: securitySchemes(baseUrl) },
  }
  yield* addSamples(document)
  return document
}

function* addSamples(document: OpenApiDocument): Steps<void> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of httpMethods) {
      const spec = item[method]
      if (!spec) continue
      const parameters = (spec.parameters ?? []).map((parameter) => resolve<OpenApiParameter>(document, parameter))
      spec['x-codeSamples'] = codeSamples(document, { method, path, spec, parameters })
      yield
    }
  }
}

const methodOf = ({ method }: RouteEntry) => httpMethods.find((one) => one === method.toLowerCase())

const isDocumented = (route: RouteEntry): route is Documented =>
  route.doc !== undefined && methodOf(route) !== undefined

function byChapter(a: Documented, b: Documented): number {
  const rank = (route: Documented) => httpMethods.indexOf(sure(methodOf(route)))
  return compareTags(a.doc.tag, b.doc.tag) || compareText(braced(a.url), braced(b.url)) || rank(a) - rank(b)
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const braced = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

/** Which resource's items a collection's path holds: tells whose id follows it. */
const collectionsOf = (routes: readonly Documented[]): Map<string, Resource> =>
  new Map(routes.flatMap(({ url, doc }) => (doc.list ? [[url, doc.list.resource] as const] : [])))

const ownKey: OpenApiParameter = {
  name: 'external_id',
  in: 'path',
  required: true,
  description: 'Your own key for the item, percent-encoded.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: 'sap-4711',
}

/** A path's slots are named after what they identify: `{access_group_id}` rather than `{parent_id}`. */
function pathOf(
  url: string,
  collections: ReadonlyMap<string, Resource>,
): { template: string; parameters: OpenApiParameter[] } {
  const parameters: OpenApiParameter[] = []
  const template = url.replace(/:(\w+)/g, (slot: string, name: string, at: number) => {
    const resource = collections.get(url.slice(0, at - 1))
    const shown = name === 'parent_id' && resource ? `${resource.singular.replaceAll(' ', '_')}_id` : name
    if (name === 'external_id') {
      parameters.push(ownKey)
      return `{${name}}`
    }
    const isId = /(^|_)id$/.test(name)
    parameters.push({
      name: shown,
      in: 'path',
      required: true,
      description: resource ? `Which ${resource.singular}.` : `The ${name} in the path.`,
      schema: isId ? { type: 'string', format: 'uuid' } : { type: 'string', pattern: '^[^/]+$' },
      ...(isId ? { example: exampleId(resource?.table ?? slot) } : {}),
    })
    return `{${shown}}`
  })
  return { template, parameters }
}

function operationOf(
  { method, url, permission, doc }: Documented,
  pathParameters: readonly OpenApiParameter[],
  components: Components,
  docsUrl: string,
): OpenApiOperation {
  const errors = new Set<ErrorCode>([...everyError, ...(doc.errors ?? [])])
  if (/^\/(api|v1)\//.test(url)) for (const code of apiErrors) errors.add(code)
  if (permission !== undefined) for (const code of credentialErrors) errors.add(code)
  if (pathParameters.length > 0) errors.add('NOT_FOUND')
  if (doc.body || method === 'POST') for (const code of bodyErrors) errors.add(code)
  // Every change that is not a look in disguise is remembered under its key.
  const changes = isChange(method, permission)
  const isTried = changes && doc.isTried !== false
  const isRepeatable = method === 'POST' && (changes || permission === 'self') && doc.isRepeatable !== false
  if (isRepeatable) for (const code of repeatErrors) errors.add(code)

  const own: OpenApiParameter[] = (doc.parameters ?? []).map(({ schema, ...parameter }) => ({
    in: 'query',
    ...parameter,
    schema: parameterSchema(schema),
  }))
  const listed = doc.list ?? doc.counts
  const parameters = [
    ...pathParameters,
    ...(listed ? listParameters(listed, components) : []),
    ...own,
    ...(listed ? filterParameters(listed, new Set(own.map(({ name }) => name)), components) : []),
    ...(errors.has('VERSION_CONFLICT') ? [components.parameter(ifMatch)] : []),
    ...(method === 'GET' && (doc.hasEtag || listed) ? [components.parameter(ifNoneMatch)] : []),
    ...(isRepeatable ? [components.parameter(idempotencyKey)] : []),
    // One with parameters of its own says by itself whether it can be tried.
    ...(isTried && own.length === 0 ? [components.parameter(dryRun)] : []),
  ]
  return {
    operationId: doc.operationId.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [titleOf(doc.tag)],
    summary: doc.summary,
    description: doc.description,
    ...(permission === undefined ? { security: [] } : {}),
    // `self` is held by every valid credential.
    ...(permission === undefined || permission === 'self' ? {} : { 'x-permission': permission }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(doc.body ? { requestBody: requestBodyOf(doc.body, method, components) } : {}),
    responses: {
      ...successResponses(method, doc, components, { changes, isTried }),
      ...errorResponses(components, errors, docsUrl),
    },
  }
}

const everyError: readonly ErrorCode[] = ['INTERNAL', 'MALFORMED_REQUEST', 'URI_TOO_LONG']
const apiErrors: readonly ErrorCode[] = ['NOT_ACCEPTABLE', 'SERVICE_UNAVAILABLE']
const credentialErrors: readonly ErrorCode[] = ['RATE_LIMITED', 'UNAUTHORIZED', 'VALIDATION_ERROR']
const bodyErrors: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR']
const repeatErrors: readonly ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', 'VALIDATION_ERROR']

function requestBodyOf(
  body: NonNullable<RouteDoc['body']>,
  method: string,
  components: Components,
): OpenApiRequestBody {
  const schema = requestSchema(body.schema)
  const media = () => ({
    schema: components.schema(body.name, schema),
    example: body.example ?? (method === 'PATCH' ? examplePatch(schema) : exampleBody(schema)),
  })
  return {
    required: body.required ?? true,
    content: {
      ...Object.fromEntries((body.mediaTypes ?? ['application/json']).map((type) => [type, media()])),
      ...Object.fromEntries(
        Object.entries(body.files ?? {}).map(([type, { example }]) => [type, { schema: { type: 'string' }, example }]),
      ),
    },
  }
}
