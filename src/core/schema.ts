/**
 * JSON Schemas with their TypeScript types. The words are TypeBox's; of it we need these ten, and its seven hundred
 * modules would be a fifth of the time it takes to start.
 */
export type TSchema<T = unknown> = { readonly '~type'?: T } & JsonSchema

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, TSchema>
  items?: TSchema
  required?: string[]
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  maxLength?: number
  description?: string
  [keyword: string]: unknown
}

const OPTIONAL: unique symbol = Symbol('optional')
type Optional<T> = TSchema<T> & { readonly [OPTIONAL]: true }

export type Static<S extends TSchema> = S extends TSchema<infer T> ? T : never
type Properties = Record<string, TSchema>
type OptionalKeys<P extends Properties> = {
  [K in keyof P]: P[K] extends { readonly [OPTIONAL]: true } ? K : never
}[keyof P]
type ObjectOf<P extends Properties> = { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & {
  [K in OptionalKeys<P>]?: Static<P[K]>
}
type Options = Record<string, unknown>

const isOptional = (schema: TSchema): boolean => OPTIONAL in schema

export const Type = {
  String: (options: Options = {}): TSchema<string> => ({ type: 'string', ...options }),
  Integer: (options: Options = {}): TSchema<number> => ({ type: 'integer', ...options }),
  Number: (options: Options = {}): TSchema<number> => ({ type: 'number', ...options }),
  Boolean: (options: Options = {}): TSchema<boolean> => ({ type: 'boolean', ...options }),
  Unknown: (options: Options = {}): TSchema<unknown> => ({ ...options }),
  Array: <S extends TSchema>(items: S, options: Options = {}): TSchema<Static<S>[]> => ({
    type: 'array',
    items,
    ...options,
  }),
  Record: <S extends TSchema>(
    _key: TSchema<string>,
    value: S,
    options: Options = {},
  ): TSchema<Record<string, Static<S>>> => ({
    type: 'object',
    additionalProperties: value,
    ...options,
  }),
  Object<P extends Properties>(properties: P, options: Options = {}): TSchema<ObjectOf<P>> & { properties: P } {
    const required = Object.entries(properties).flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  /** A property that may be left out. The mark is a symbol: it is not part of the JSON. */
  Optional: <T>(schema: TSchema<T>): Optional<T> => ({ ...schema, [OPTIONAL]: true }),
  /** Any schema, with the type that it stands for. */
  Unsafe: <T>(schema: Options): TSchema<T> => schema,
}

/** A schema that is made when it is first looked at: of the hundreds of bodies that there are, a process sees few. */
export class LaterSchema {
  private readonly make: () => TSchema
  private known: TSchema | undefined

  constructor(make: () => TSchema) {
    this.make = make
  }

  get made(): TSchema {
    this.known ??= this.make()
    return this.known
  }
}
