import type { JsonSchema, OpenApiParameter, OpenApiReference, OpenApiResponse } from './types.ts'

/** What is named once and referred to from then on. */
export class Components {
  private readonly schemas = new Map<string, JsonSchema>()
  private readonly texts = new Map<string, string>()
  private readonly responses = new Map<string, OpenApiResponse>()
  private readonly parameters = new Map<string, OpenApiParameter>()

  /** The same name for something else is a mistake in a route's doc. */
  schema(name: string, schema: JsonSchema): OpenApiReference {
    const text = JSON.stringify(schema)
    const known = this.texts.get(name)
    if (known !== undefined && known !== text) {
      throw new Error(`Two different schemas are called ${name} in the OpenAPI document; give one of them another name in its route's doc`)
    }
    this.texts.set(name, text)
    this.schemas.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
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

const sorted = <T>(known: Map<string, T>): Record<string, T> => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)))
