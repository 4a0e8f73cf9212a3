import type { JsonSchema, OpenApiParameter, OpenApiReference, OpenApiResponse } from './openapi-types.ts'

/** What is named once and referred to from then on. */
export class Components {
  private readonly schemas = new Map<string, JsonSchema>()
  private readonly responses = new Map<string, OpenApiResponse>()
  private readonly parameters = new Map<string, OpenApiParameter>()

  schema(name: string, schema: JsonSchema): OpenApiReference {
    put(this.schemas, name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  response(name: string, response: OpenApiResponse): OpenApiReference {
    put(this.responses, name, response)
    return { $ref: `#/components/responses/${name}` }
  }

  parameter(parameter: OpenApiParameter): OpenApiReference {
    put(this.parameters, parameter.name, parameter)
    return { $ref: `#/components/parameters/${parameter.name}` }
  }

  all() {
    return { schemas: sorted(this.schemas), responses: sorted(this.responses), parameters: sorted(this.parameters) }
  }
}

function put<T>(known: Map<string, T>, name: string, value: T): void {
  const other = known.get(name)
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(value)) {
    throw new Error(`Two different things are called ${name} in the OpenAPI document; give one of them another name in its route's doc`)
  }
  known.set(name, value)
}

const sorted = <T>(known: Map<string, T>): Record<string, T> => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)))
