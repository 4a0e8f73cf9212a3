import type { ErrorCode } from '../../core/errors.ts'
import { errorCatalogue, errorCodes, exampleBody } from '../error-catalogue.ts'
import type { Components } from './components.ts'
import type { JsonSchema, OpenApiExample, OpenApiHeader, OpenApiReference, OpenApiResponse } from './types.ts'

export const headers = {
  'X-Request-Id': {
    description: 'Names this request, in the log too. Errors carry it as `error.req_id`.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9]+$' },
    example: 'req_482015937264',
  },
  ETag: {
    description: 'The version of the item, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
  },
  ListETag: {
    description: 'Stands for what the page says, for `If-None-Match`. A file has none.',
    schema: { type: 'string' },
    example: '"list-u3Yk0XqYv2hWm1c9TzRb"',
  },
  'Data-Version': {
    description:
      'Stands for the state of the data after this change. A request that sends it back in the same header is ' +
      'answered from that state or a later one, whichever process of the service takes it.',
    schema: { type: 'string' },
    example: 'v1.4f1c2a90.dGhpcyBpcyBub3QgYSBzZWNyZXQ',
  },
  Location: {
    description: 'The path of what was made.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  Link: {
    description:
      'The pages `first`, `prev`, `next` and `last` (RFC 8288), when there is more than one; with `cursor`, `next` ' +
      'alone.',
    schema: { type: 'string' },
    example: '</api/v1/locations?page=2>; rel="next"',
  },
  'Content-Disposition': {
    description: 'That it is a file, and a name for it.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="audit-log-2026-05-04T083000Z.csv"',
  },
  'Limited-To': {
    description:
      'Of a file, when your role is limited to places: those, at most 50 of them. There may be more elsewhere. The ' +
      'name of the file ends with `-limited` then.',
    schema: { type: 'string' },
    example: 'building_id=01997d2a-4c00-7000-8000-000000000001',
  },
  'WWW-Authenticate': {
    description: 'The schemes that are taken.',
    required: true,
    schema: { type: 'string' },
    example:
      'Token realm="Gatehouse", Bearer realm="Gatehouse", ' +
      'resource_metadata="https://gatehouse.example/.well-known/oauth-protected-resource/api"',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'RateLimit-Policy': {
    description: 'The limit, as a quota for a window of seconds.',
    schema: { type: 'string' },
    example: '"failed-authentications";q=30;w=60',
  },
  RateLimit: {
    description: 'What is left of it.',
    schema: { type: 'string' },
    example: '"failed-authentications";r=0;t=30',
  },
  Allow: {
    description: 'With 405: the methods that this path takes.',
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS, POST',
  },
} satisfies Record<string, OpenApiHeader>

type HeaderName = keyof typeof headers

export const headerReferences = (...names: HeaderName[]): Record<string, OpenApiReference> =>
  Object.fromEntries(
    names.map((name) => [name.replace(/^List(?=ETag$)/, ''), { $ref: `#/components/headers/${name}` }]),
  )

const detail: JsonSchema = {
  type: 'object',
  description: 'One thing that does not fit.',
  required: ['path', 'rule', 'message'],
  properties: {
    path: { type: 'string', description: 'The parameter, or the path into the body, such as `windows.0.start`.' },
    rule: { type: 'string', description: 'What it breaks, as a stable word.' },
    message: { type: 'string', description: 'The same for people.' },
    id: { type: 'string', format: 'uuid', description: 'The item that stands in the way, where you see it.' },
    name: { type: 'string', description: 'What that item is called.' },
  },
}

/**
 * The body of every error, named once: generated clients have one type for it. `x-error-codes` says which codes come
 * where.
 */
const errorSchema = (components: Components): JsonSchema => ({
  type: 'object',
  required: ['msg', 'error'],
  properties: {
    msg: { type: 'string', description: 'What went wrong, for people.' },
    error: {
      type: 'object',
      description: 'The same for programs.',
      required: ['code', 'docs', 'req_id'],
      properties: {
        code: { type: 'string', enum: errorCodes, description: 'What went wrong.' },
        docs: { type: 'string', format: 'uri', description: 'The page about this code.' },
        req_id: { type: 'string', pattern: '^req_[0-9]+$', description: 'The same as `X-Request-Id`.' },
        reason: { type: 'string', description: 'Which case of the code it is, as a stable word.' },
        details: {
          type: 'array',
          maxItems: 20,
          items: components.schema('ErrorDetail', detail),
          description: 'Each fault on its own.',
        },
      },
    },
  },
})

/** Where a code has more than one status, the name tells them apart. */
const nameOf = (status: number, codes: readonly ErrorCode[]): string =>
  status === 403
    ? 'Forbidden'
    : codes
        .map((code) => code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
        .join('Or')

const headersOf = (status: number, codes: readonly ErrorCode[]): HeaderName[] => {
  if (status === 401) return ['WWW-Authenticate']
  if (status === 429) return ['Retry-After', 'RateLimit', 'RateLimit-Policy']
  return status === 503 || codes.includes('IDEMPOTENCY_IN_PROGRESS') ? ['Retry-After'] : []
}

/** A response for each status that these codes can come with. */
export function errorResponses(components: Components, codes: Iterable<ErrorCode>, docsUrl: string) {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...new Set(codes)].sort()) {
    for (const status of errorCatalogue[code].statuses) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
  }
  const entries = [...byStatus].map(([status, group]) => [
    String(status),
    components.response(nameOf(status, group), () => errorResponse(components, status, group, docsUrl)),
  ])
  return Object.fromEntries([
    ...entries,
    ['default', components.response('OtherError', () => otherError(components, docsUrl))],
  ])
}

function errorResponse(
  components: Components,
  status: number,
  codes: readonly ErrorCode[],
  docsUrl: string,
): OpenApiResponse {
  const examples: Record<string, OpenApiExample> = {}
  for (const code of codes) {
    const fitting = errorCatalogue[code].examples.filter((example) => example.status === status)
    for (const [index, example] of fitting.entries()) {
      examples[index === 0 ? code : `${code}_${index + 1}`] = {
        summary: example.title,
        value: exampleBody(code, example, docsUrl),
      }
    }
  }
  const description = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join(' ')
  return {
    description:
      status === 403 ? '`UNAUTHORIZED`: The credential is good, but does not hold the permission.' : description,
    headers: headerReferences('X-Request-Id', ...headersOf(status, codes)),
    content: { 'application/json': { schema: components.schema('Error', errorSchema(components)), examples } },
    'x-error-codes': [...codes],
  }
}

/** What is refused before it is known which operation it was. */
function otherError(components: Components, docsUrl: string): OpenApiResponse {
  const example = errorCatalogue.METHOD_NOT_ALLOWED.examples[0]
  return {
    description:
      'Anything else, in the same body: 405 for a method that the path does not take, 408 and 431 for a request that ' +
      'arrives too slowly or with too much in its headers.',
    headers: headerReferences('X-Request-Id', 'Allow'),
    content: {
      'application/json': {
        schema: components.schema('Error', errorSchema(components)),
        example: exampleBody('METHOD_NOT_ALLOWED', example, docsUrl),
      },
    },
  }
}
