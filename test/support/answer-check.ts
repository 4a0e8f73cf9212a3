import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from '../../src/docs/openapi/document.ts'
import type {
  HttpMethod,
  OpenApiDocument,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiResponse,
} from '../../src/docs/openapi/types.ts'
import { resolve } from '../../src/docs/reference-schema.ts'

export interface Exchange {
  method: string
  url: string
  status: number
  headers: Record<string, unknown>
  text: string
}

/** Refused before an operation is known; the document has them under `default`. */
const BEFORE_ROUTING = new Set([405, 408, 431])

/**
 * Holds every answer of every test against the OpenAPI document: its status must be there, its headers too, and its
 * body must fit the schema exactly, without a field that the document does not know.
 */
export class AnswerCheck {
  private readonly app: FastifyInstance
  private known: Known | undefined

  constructor(app: FastifyInstance) {
    this.app = app
  }

  check(exchange: Exchange): void {
    const found = this.find(exchange)
    if (!found) return
    const { operation, path } = found
    const status = operation.responses[exchange.status] ? String(exchange.status) : 'default'
    if (status === 'default' && !BEFORE_ROUTING.has(exchange.status)) {
      const documented = Object.keys(operation.responses).filter((key) => key !== 'default')
      throw new Error(
        `${exchange.method} ${path} answered ${exchange.status}, which its documentation does not have ` +
          `(it has ${documented.join(', ')}). ` +
          `Add the code to "errors" of the route's doc. The answer was: ${exchange.text}`,
      )
    }
    const response = operation.responses[status] as OpenApiResponse | { $ref: string }
    this.checkHeaders(exchange, path, response)
    this.checkBody(exchange, path, response, ['paths', path, exchange.method.toLowerCase(), 'responses', status])
  }

  private find({ method, url }: Exchange): { operation: OpenApiOperation; path: string } | undefined {
    const { document, paths } = this.load()
    const pathname = url.split('?', 1)[0] ?? ''
    for (const { pattern, path } of paths.get(depthOf(pathname)) ?? []) {
      const operation = pattern.test(pathname) ? document.paths[path]?.[method.toLowerCase() as HttpMethod] : undefined
      if (operation) return { operation, path }
    }
    return undefined
  }

  private checkHeaders(exchange: Exchange, path: string, reference: OpenApiResponse | { $ref: string }): void {
    const { document } = this.load()
    for (const [name, header] of Object.entries(resolve<OpenApiResponse>(document, reference).headers ?? {})) {
      if (resolve<OpenApiHeader>(document, header).required && exchange.headers[name.toLowerCase()] === undefined) {
        throw new Error(
          `${exchange.method} ${path} answered ${exchange.status} without the header ${name}, which its ` +
            `documentation has`,
        )
      }
    }
  }

  private checkBody(
    exchange: Exchange,
    path: string,
    reference: OpenApiResponse | { $ref: string },
    at: readonly string[],
  ): void {
    const { content, 'x-error-codes': codes } = resolve<OpenApiResponse>(this.load().document, reference)
    const type = String(exchange.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    const fault = (text: string) =>
      new Error(
        `${exchange.method} ${path} answered ${exchange.status} ${text}\nThe ` +
          `answer was: ${exchange.text.slice(0, 2000)}`,
      )
    if (!content) {
      if (exchange.text !== '') throw fault('with a body, and its documentation has none')
      return
    }
    if (!content[type]) throw fault(`as ${type}, which its documentation does not have`)
    if (type !== 'application/json') return
    const place = '$ref' in reference ? reference.$ref.slice(2).split('/') : at
    const validate = this.compile(exchange.url, [...place, 'content', type, 'schema'])
    const body = JSON.parse(exchange.text)
    if (codes && !codes.includes(body.error?.code))
      throw fault(`with a code that its documentation does not have (it has ${codes.join(', ')})`)
    if (validate(body)) return
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
    throw fault(`with a body that is not what its documentation says:\n  ${faults.slice(0, 10).join('\n  ')}`)
  }

  private compile(url: string, place: readonly string[]): ValidateFunction {
    const { document, ajv, validators } = this.load()
    const isSelection = /[?&]select=(?!\s*(\*|%2A)\s*(&|$))/i.test(url)
    // What stands in parentheses is of other items; the document says so in words.
    const hasEmbeds = /[?&]select=[^&]*(\(|%28)/.test(url)
    const name = hasEmbeds ? 'embedding' : isSelection ? 'selected' : 'whole'
    const pointer = `${name}#/${place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    let validate = validators.get(pointer)
    if (!validate) {
      if (!ajv.schemas[name]) ajv.addSchema(strict(document, isSelection, hasEmbeds) as object, name)
      validate = ajv.compile({ $ref: pointer })
      validators.set(pointer, validate)
    }
    return validate
  }

  private load(): Known {
    if (!this.known) {
      const { baseUrl, docsUrl } = this.app.house.config
      // Sets are the only thing in there that JSON leaves out; to look for them everywhere takes twice as long, for
      // every house.
      const sets = this.app.routeTable.map(({ doc }) =>
        [doc?.list, doc?.counts].map((list) => list && [...list.offered]),
      )
      const madeFrom = JSON.stringify([baseUrl, docsUrl, this.app.routeTable, sets])
      this.known = knownDocuments.get(madeFrom) ?? know(openApiOf(this.app))
      knownDocuments.set(madeFrom, this.known)
    }
    return this.known
  }
}

interface Known {
  readonly document: OpenApiDocument
  /** By how many parts they have: hundreds need not be tried for every answer. */
  readonly paths: ReadonlyMap<number, ReadonlyArray<{ pattern: RegExp; path: string }>>
  readonly ajv: Ajv2020
  readonly validators: Map<string, ValidateFunction>
}

/**
 * Test files share a process, and nearly all of them the document: what one has made and compiled serves the next. By
 * what it is made from.
 */
const knownDocuments = new Map<string, Known>()

function know(document: OpenApiDocument): Known {
  // A schema of its own for what many refer to, and code as it comes: a fifth of the time to compile, and each is asked
  // a few times.
  const compiling = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, ...compiling })
  addFormats.default(ajv)
  const paths = Object.keys(document.paths)
    // One without slots wins over one with them.
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`) }))
  return { document, paths: Map.groupBy(paths, ({ path }) => depthOf(path)), ajv, validators: new Map() }
}

/** A slash at the end counts for nothing. */
const depthOf = (path: string): number => path.replace(/\/$/, '').split('/').length

const HOLD_VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

/**
 * The document is open, so that v1 can grow; here nothing may come that it does not name. Without `select`, an item
 * must be whole.
 */
function strict(node: unknown, isSelection: boolean, hasEmbeds: boolean, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((item) => strict(item, isSelection, hasEmbeds, isPart))
  if (typeof node !== 'object' || node === null) return node
  const { allOf } = node as { allOf?: unknown[] }
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    HOLD_VALUES.has(key) ? value : strict(value, isSelection, hasEmbeds, key === 'allOf'),
  ])
  const copy = Object.fromEntries(entries) as Record<string, unknown>
  if (isPart) return copy
  if (allOf) return { unevaluatedProperties: false, ...copy }
  // `select` leaves fields out; the envelope is whole all the same.
  if (isSelection && !(copy.required as string[] | undefined)?.includes?.('msg')) delete copy.required
  const isSchema = !hasEmbeds && 'type' in node && typeof (node as { properties?: unknown }).properties === 'object'
  return isSchema ? { additionalProperties: false, ...copy } : copy
}
