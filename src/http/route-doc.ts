import type { ErrorCode } from '../core/errors.ts'
import type { TSchema } from '../core/schema.ts'
import type { Resource } from '../db/resource.ts'
import type { ListParameter } from '../query/parse.ts'
import type { FieldsOfTable } from '../query/select.ts'

/** With what a step of an item refuses. */
export const STEP_ERRORS = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'INVALID_STATE',
  'VERSION_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly ErrorCode[]

/** With what a change of an item refuses. */
export const CHANGE_ERRORS = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'VERSION_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
] as const satisfies readonly ErrorCode[]

/** The resource whose fields order, filters and select speak of, and the parameters offered. */
export interface Listed {
  resource: Resource
  offered: ReadonlySet<ListParameter>
  /** Of what its items refer to: what can be selected from them. */
  fieldsOf?: FieldsOfTable
}

/** What OpenAPI says of a route beyond its path, method, permission and body schema. */
export interface RouteDoc {
  tag: string
  summary: string
  /** What the summary does not say: in the reference, and in generated clients. */
  description: string
  /** A stable name for code generators: `listSpaces`. */
  operationId: string
  /** Lists: the shape of meta, and whether it can be had as a file. */
  list?: Listed & { shape: 'A' | 'B' | 'C'; isExported?: boolean }
  /** Counts of a list. */
  counts?: Listed
  /** Of a list that is read on as a feed too: the `meta` of such an answer. */
  feedMeta?: TSchema
  /** Query parameters of its own. */
  parameters?: ReadonlyArray<{
    name: string
    description: string
    schema: TSchema
    required?: boolean
    example?: unknown
  }>
  /** Names the schema of the request body in components; `body` is the schema itself. */
  body?: {
    name: string
    schema: TSchema
    /** JSON unless said; none where files alone are taken. */
    mediaTypes?: readonly string[]
    example?: unknown
    required?: boolean
    /** Files that are taken instead, by their type. */
    files?: Readonly<Record<string, { example: string }>>
  }
  /**
   * The answer's `data`, or for a list one item of it, and its name in components. Without a schema the answer is `msg`
   * alone.
   */
  success: {
    status: 200 | 201
    /** 201 where there was none before: PUT. */
    mayCreate?: true
    name?: string
    schema?: TSchema
    example?: unknown
    description?: string
    msg?: string
    /** It has a `meta` that says what was counted. */
    isCounted?: true
    /** The answer is a file of one of these types instead of JSON: an export. Errors are JSON all the same. */
    files?: Readonly<Record<string, { example: string }>>
    /** The answer is server-sent events instead of JSON. */
    stream?: { example: string }
    /** What stands beside `data`, where that is no list. */
    meta?: { name: string; schema: TSchema; example: unknown }
  }
  /** Beyond those that every authenticated route can give. */
  errors?: readonly ErrorCode[]
  hasEtag?: boolean
  /** False: no Idempotency-Key, because nothing of the body may be kept, not even a digest. */
  isRepeatable?: boolean
  /** False: a change that cannot be tried out by `dry_run`. */
  isTried?: false
}

/**
 * Whether a route changes something that a permission guards: not what concerns the caller alone, nor a look in
 * disguise.
 */
export const isChange = (method: string, permission: string | undefined): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  permission !== undefined &&
  permission !== 'self' &&
  !/:(read|check)$/.test(permission)

export const article = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
