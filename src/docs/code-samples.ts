import { curl, type ExampleRequest } from './curl.ts'
import type {
  HttpMethod,
  OpenApiDocument,
  OpenApiMediaType,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiRequestBody,
  OpenApiResponse,
} from './openapi/types.ts'
import { exampleOf, resolve } from './reference-schema.ts'
import { javascript, python } from './scripts.ts'

interface Described {
  readonly method: HttpMethod
  readonly path: string
  readonly spec: OpenApiOperation
  /** With their references followed. */
  readonly parameters: readonly OpenApiParameter[]
}

/** The same request as a command, in JavaScript and in Python. */
export function codeSamples(
  openapi: OpenApiDocument,
  operation: Described,
): NonNullable<OpenApiOperation['x-codeSamples']> {
  const base = openapi.servers?.[0]?.url.replace(/\/$/, '') ?? ''
  const request = exampleRequest(openapi, operation)
  const answersJson = Object.values(operation.spec.responses).some(
    (response) =>
      resolve<OpenApiResponse>(openapi, response).content?.['application/json'] !== undefined && !('$ref' in response),
  )
  return [
    { lang: 'Shell', label: 'curl', source: curl(base, request) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(base, request, answersJson) },
    { lang: 'Python', label: 'Python', source: python(base, request, answersJson) },
  ]
}

/** What the reference shows of a request: its path and what must be in it, with the examples of the document. */
function exampleRequest(openapi: OpenApiDocument, { method, path, spec, parameters }: Described): ExampleRequest {
  const body = spec.requestBody && resolve<OpenApiRequestBody>(openapi, spec.requestBody)
  const filled = path.replace(/\{([^{}]+)\}/g, (slot, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    return parameter ? encodeURIComponent(String(parameterExample(openapi, parameter))) : slot
  })
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required === true || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${encodeQuery(String(parameterExample(openapi, parameter)))}`)
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required === true)
  const media = body && jsonOf(body.content)
  const example = media && examplesOf(openapi, media, 'request')[0]?.value
  const type = body?.content['application/json'] ? 'application/json' : Object.keys(body?.content ?? {})[0]
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    headers: {
      ...(isOpen(openapi, spec) ? {} : { Authorization: 'Token $TOKEN' }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...Object.fromEntries(headers.map((header) => [header.name, String(parameterExample(openapi, header))])),
    },
    ...(example === undefined ? {} : { body: example }),
  }
}

function parameterExample(openapi: OpenApiDocument, parameter: OpenApiParameter): unknown {
  const named = Object.values(parameter.examples ?? {})[0]?.value
  return parameter.example ?? named ?? exampleOf(openapi, parameter.schema ?? { type: 'string' }, 'request')
}

/**
 * Readable where it is safe: commas, parentheses, colons and quotes of the list grammar need no escape inside single
 * quotes.
 */
const encodeQuery = (text: string) => encodeURIComponent(text).replace(/%(2C|3A|2F)/g, decodeURIComponent)

export const jsonOf = (content: Record<string, OpenApiMediaType> | undefined): OpenApiMediaType | undefined =>
  content?.['application/json'] ?? Object.values(content ?? {})[0]

export function examplesOf(
  openapi: OpenApiDocument,
  media: OpenApiMediaType,
  mode: 'request' | 'response',
): { title: string | undefined; value: unknown }[] {
  if (media.example !== undefined) return [{ title: undefined, value: media.example }]
  const named = Object.entries(media.examples ?? {}).filter(([, example]) => example.value !== undefined)
  if (named.length > 0)
    return named.map(([name, example]) => ({ title: example.summary ?? name, value: example.value }))
  return media.schema ? [{ title: undefined, value: exampleOf(openapi, media.schema, mode) }] : []
}

export const isOpen = (openapi: OpenApiDocument, spec: OpenApiOperation) => {
  const needed = spec.security ?? openapi.security
  return (
    needed !== undefined && (needed.length === 0 || needed.some((requirement) => Object.keys(requirement).length === 0))
  )
}
