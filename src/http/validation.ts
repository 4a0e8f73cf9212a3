import { createRequire } from 'node:module'
import type { Ajv, ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { lineFault } from '../core/line.ts'
import { LaterSchema, type TSchema } from '../core/schema.ts'
import { parseScalar } from '../query/operands.ts'
import { faultInWords, type RawFault } from './validation-words.ts'

/** `message` is the whole sentence. What did not fit is not kept: it may be a password, and errors are logged. */
export type ValidationFault = Pick<RawFault, 'instancePath' | 'keyword' | 'params'> & {
  message: string
  schemaPath: string
}
export type Validator = ((data: unknown) => boolean) & { errors: ValidationFault[] | null; compile(): void }

/** As many as an answer shows. */
export const MAX_DETAILS = 20

/**
 * Bodies are checked as they are: nothing is converted, filled in or dropped. A schema is compiled when it is first
 * needed.
 */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema | LaterSchema>(({ schema }) => validatorOf(schema))
}

const unused = (): never => {
  throw new Error('Fastify compiles no schema by itself here')
}

/** Fastify's own compilers are a hundred files, which would be loaded at the start and never asked. */
export const noCompilers = { buildValidator: unused, buildSerializer: () => unused }

/**
 * A body of more values than this is told its first fault alone: of half a million wrong ones each would be written
 * down.
 */
const MAX_SIFTED = 50_000

/** One that finds every fault, and one that ends at the first. */
const checkers: { [all in 'every' | 'first']?: Ajv } = {}

/** For bodies inside of others, too: the rows of a batch. `whole` is what the value itself is called. */
export function validatorOf(schema: TSchema | LaterSchema, whole = 'The body'): Validator {
  const made: { [all in 'every' | 'first']?: ValidateFunction } = {}
  const compiled = (faults: 'every' | 'first'): ValidateFunction => {
    checkers[faults] ??= createAjv(faults === 'every')
    made[faults] ??= checkers[faults].compile(schema instanceof LaterSchema ? schema.made : schema)
    return made[faults]
  }
  const check = ((data) => {
    const fits = compiled(isWithin(data, MAX_SIFTED) ? 'every' : 'first')
    const isValid = fits(data)
    check.errors = fits.errors ? inWords(fits.errors as Array<RawFault & { schemaPath: string }>, whole) : null
    return isValid
  }) as Validator
  check.compile = () => void compiled('every')
  return check
}

/** Whether a value holds no more than so many values. */
function isWithin(data: unknown, most: number): boolean {
  const waiting = [data]
  let count = 0
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const items = Array.isArray(value) ? value : Object.values(value)
    count += items.length
    if (count > most) return false
    for (const item of items) if (typeof item === 'object') waiting.push(item)
  }
  return true
}

/** Of one value, that it has the wrong type and is none of the allowed is the same sentence. */
function inWords(faults: ReadonlyArray<RawFault & { schemaPath: string }>, whole: string): ValidationFault[] {
  const found = new Map<string, ValidationFault>()
  for (const fault of faults) {
    const { instancePath, keyword, params, schemaPath } = fault
    const message = faultInWords(fault, whole)
    if (!found.has(message)) found.set(message, { instancePath, keyword, params, schemaPath, message })
    if (found.size === MAX_DETAILS) break
  }
  return [...found.values()]
}

/** Ajv is a hundred files: whoever is the first to send a body should not wait for them. */
export function loadChecker(): void {
  checkers.every ??= createAjv(true)
}

const load = createRequire(import.meta.url)

function createAjv(allErrors: boolean): Ajv {
  const ajvs: typeof import('ajv') = load('ajv')
  const formats: typeof import('ajv-formats') = load('ajv-formats')
  // Its schema of schemas would be compiled in the midst of the first body: nearly a tenth of a second. Ours are
  // checked in OpenAPI.
  const ajv = new ajvs.Ajv({ allErrors, allowUnionTypes: true, verbose: true, validateSchema: false })
  formats.default(ajv)
  // Ajv's own formats take `urn:uuid:…` and the year 0, which PostgreSQL does not: a body means the same as a filter.
  for (const format of ['uuid', 'date'] as const)
    ajv.addFormat(format, (text) => parseScalar(format, text) !== undefined)
  ajv.addFormat('line', (text) => lineFault(text) === undefined)
  return ajv
}
