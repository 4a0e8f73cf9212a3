import type { FastifyInstance } from 'fastify'
import { LaterSchema, type TSchema } from '../core/schema.ts'
import { type Check, checkOf, type Fault } from './schema-check.ts'
import { faultInWords } from './validation-words.ts'

/** `message` is the whole sentence. What did not fit is not kept: it may be a password, and errors are logged. */
export type ValidationFault = Pick<Fault, 'instancePath' | 'keyword' | 'params'> & {
  message: string
  /** For Fastify, which wants one. */
  schemaPath: string
}
export type Validator = ((data: unknown) => boolean) & { errors: ValidationFault[] | null }

/** As many as an answer shows. */
export const MAX_DETAILS = 20

/** Bodies are checked as they are: nothing is converted, filled in or dropped. */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema | LaterSchema>(({ schema }) => validatorOf(schema))
}

const unused = (): never => {
  throw new Error('Fastify compiles no schema by itself here')
}

/** Fastify's own compilers are a hundred files, which would be loaded at the start and never asked. */
export const noCompilers = { buildValidator: unused, buildSerializer: () => unused }

/** For bodies inside of others, too: the rows of a batch. `whole` is what the value itself is called. */
export function validatorOf(schema: TSchema | LaterSchema, whole = 'The body'): Validator {
  let check: Check | undefined
  const fits = ((data) => {
    check ??= checkOf(schema instanceof LaterSchema ? schema.made : schema)
    // Of one value, that it has the wrong type and is none of the allowed is the same sentence.
    const found = new Map<string, ValidationFault>()
    check(data, '', (fault) => {
      const { instancePath, keyword, params } = fault
      const message = faultInWords(fault, whole)
      if (!found.has(message)) found.set(message, { instancePath, keyword, params, schemaPath: keyword, message })
      return found.size < MAX_DETAILS
    })
    fits.errors = found.size > 0 ? [...found.values()] : null
    return found.size === 0
  }) as Validator
  return fits
}
