import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from '../core/schema.ts'
import { parseScalar } from '../query/operands.ts'

type Validator = ((data: unknown) => boolean) & { errors: NonNullable<ValidateFunction['errors']> | null }

/** Bodies are checked as they are: nothing is converted, filled in or dropped. A schema is compiled when it is first needed. */
export function installValidation(app: FastifyInstance): void {
  let ajv: Ajv | undefined
  app.setValidatorCompiler<TSchema>(({ schema }) => {
    let validate: ValidateFunction | undefined
    const check = ((data) => {
      ajv ??= createAjv()
      validate ??= ajv.compile(schema)
      const isValid = validate(data)
      check.errors = validate.errors ?? null
      return isValid
    }) as Validator
    return check
  })
}

function createAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
  formats.default(ajv)
  // Ajv's own formats take `urn:uuid:…` and the year 0, which PostgreSQL does not: a body means the same as a filter.
  for (const format of ['uuid', 'date'] as const) ajv.addFormat(format, (text) => parseScalar(format, text) !== undefined)
  return ajv
}
