import { allPermissions } from '../../core/permissions.ts'
import { errorCodes } from '../error-catalogue.ts'
import type { JsonSchema, OpenApiParameter, OpenApiReference, OpenApiResponse } from './types.ts'

/** What is named once and referred to from then on. */
export class Components {
  private readonly schemas = new Map<string, JsonSchema>()
  private readonly texts = new Map<string, string>()
  private readonly responses = new Map<string, OpenApiResponse>()
  private readonly parameters = new Map<string, OpenApiParameter>()

  /** The same name for something else is a mistake in a route's doc. */
  schema(name: string, declared: JsonSchema): OpenApiReference {
    const schema = this.withNamedValues(declared) as JsonSchema
    const text = JSON.stringify(schema)
    const known = this.texts.get(name)
    if (known !== undefined && known !== text) {
      throw new Error(
        `Two different schemas are called ${name} in the OpenAPI document; give one of them another name in ` +
          `its route's doc`,
      )
    }
    this.texts.set(name, text)
    this.schemas.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** A long list of values stands in the document once, whoever uses it. */
  private withNamedValues(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.withNamedValues(item))
    if (typeof node !== 'object' || node === null) return node
    const { type, enum: values, examples: _, ...rest } = node as JsonSchema
    const named = values && namedValues.get(JSON.stringify(values))
    if (named && type === 'string') {
      this.schemas.set(named.name, { type, description: named.description, enum: values })
      return { $ref: `#/components/schemas/${named.name}`, ...rest }
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.withNamedValues(value)]))
  }

  /** The name says all that goes into it, so it is made once. */
  response(name: string, make: () => OpenApiResponse): OpenApiReference {
    if (!this.responses.has(name)) this.responses.set(name, make())
    return { $ref: `#/components/responses/${name}` }
  }

  parameter(parameter: OpenApiParameter): OpenApiReference {
    this.parameters.set(parameter.name, parameter)
    return { $ref: `#/components/parameters/${parameter.name}` }
  }

  all() {
    return { schemas: sorted(this.schemas), responses: sorted(this.responses), parameters: sorted(this.parameters) }
  }
}

const namedValues = new Map([
  [
    JSON.stringify(allPermissions),
    { name: 'Permission', description: 'What may be done. These are the scopes of OAuth too.' },
  ],
  [
    JSON.stringify(errorCodes),
    { name: 'ErrorCode', description: 'What went wrong. Each has a page of its own in the reference.' },
  ],
])

const sorted = <T>(known: Map<string, T>): Record<string, T> =>
  Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)))
