import type { ErrorCode } from '../../core/errors.ts'

/** The part of OpenAPI 3.1 that our document uses and the reference page shows. */
export interface OpenApiDocument {
  openapi: string
  info: OpenApiInfo
  servers?: OpenApiServer[]
  /** In the order of the reference. Each operation carries the name of one. */
  tags?: OpenApiTag[]
  security?: OpenApiSecurityRequirement[]
  paths: Record<string, OpenApiPathItem>
  components?: OpenApiComponents
}

export interface OpenApiInfo {
  title: string
  version: string
  summary?: string
  /** Markdown: the reference's introduction. */
  description?: string
  license?: { name: string; identifier?: string; url?: string }
  contact?: { name?: string; url?: string; email?: string }
}

export interface OpenApiServer {
  url: string
  description?: string
}

export interface OpenApiTag {
  name: string
  description?: string
}

export type OpenApiSecurityRequirement = Record<string, string[]>

export const httpMethods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type HttpMethod = (typeof httpMethods)[number]

export type OpenApiPathItem = { [M in HttpMethod]?: OpenApiOperation } & {
  parameters?: (OpenApiParameter | OpenApiReference)[]
}

export interface OpenApiOperation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  deprecated?: boolean
  /** An empty list: no credential needed. */
  security?: OpenApiSecurityRequirement[]
  /** The permission the caller must hold, such as `spaces:read`. */
  'x-permission'?: string
  /** The same request in several languages. */
  'x-codeSamples'?: Array<{ lang: string; label: string; source: string }>
  parameters?: (OpenApiParameter | OpenApiReference)[]
  requestBody?: OpenApiRequestBody | OpenApiReference
  responses: Record<string, OpenApiResponse | OpenApiReference>
}

export interface OpenApiReference {
  $ref: string
}

export interface OpenApiParameter {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  description?: string
  required?: boolean
  deprecated?: boolean
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, OpenApiExample>
}

export interface OpenApiRequestBody {
  description?: string
  required?: boolean
  content: Record<string, OpenApiMediaType>
}

export interface OpenApiResponse {
  description: string
  headers?: Record<string, OpenApiHeader | OpenApiReference>
  content?: Record<string, OpenApiMediaType>
  /** For 4xx and 5xx: the codes it can carry. Without it the reference names every code of that status. */
  'x-error-codes'?: ErrorCode[]
}

export interface OpenApiHeader {
  description?: string
  required?: boolean
  schema?: JsonSchema
  example?: unknown
}

export interface OpenApiMediaType {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, OpenApiExample>
}

export interface OpenApiExample {
  summary?: string
  description?: string
  value?: unknown
}

export interface OpenApiComponents {
  schemas?: Record<string, JsonSchema>
  responses?: Record<string, OpenApiResponse>
  parameters?: Record<string, OpenApiParameter>
  headers?: Record<string, OpenApiHeader>
  requestBodies?: Record<string, OpenApiRequestBody>
  securitySchemes?: Record<string, OpenApiSecurityScheme>
}

export interface OpenApiSecurityScheme {
  type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect'
  description?: string
  name?: string
  in?: 'query' | 'header' | 'cookie'
  scheme?: string
  bearerFormat?: string
  openIdConnectUrl?: string
  flows?: Record<string, OpenApiOAuthFlow>
}

export interface OpenApiOAuthFlow {
  authorizationUrl?: string
  tokenUrl?: string
  refreshUrl?: string
  scopes: Record<string, string>
}

/** JSON Schema 2020-12, as far as it is shown. */
export interface JsonSchema {
  $ref?: string
  title?: string
  description?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  /** In a request: what is put where nothing is given. */
  'x-default'?: unknown
  example?: unknown
  examples?: readonly unknown[]
  deprecated?: boolean
  readOnly?: boolean
  writeOnly?: boolean
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  allOf?: readonly JsonSchema[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
}
