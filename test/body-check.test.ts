import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { lineFault } from '../src/core/line.ts'
import { LaterSchema, type TSchema } from '../src/core/schema.ts'
import { MAX_DETAILS, validatorOf } from '../src/http/validation.ts'
import { faultInWords } from '../src/http/validation-words.ts'
import { batchBody } from '../src/http/writes/batch-schema.ts'
import { parseScalar } from '../src/query/operands.ts'
import { startHouse } from './support/app.ts'
import { Chance, texts, values } from './support/hostile.ts'

// What checks bodies is ours; what JSON Schema says of a body, a library that others wrote says here.

const { app } = await startHouse()
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true, validateSchema: false, strict: false })
addFormats.default(ajv)
for (const format of ['uuid', 'date'] as const) ajv.addFormat(format, (text) => parseScalar(format, text) !== undefined)
ajv.addFormat('line', (text) => lineFault(text) === undefined)

const madeOf = (schema: TSchema | LaterSchema): TSchema => (schema instanceof LaterSchema ? schema.made : schema)
const bodies = [
  ...app.routeTable.flatMap(({ method, url, doc }) =>
    doc?.body ? [[`${method} ${url}`, madeOf(doc.body.schema)] as const] : [],
  ),
  ...[...app.writables].flatMap(([noun, { bodies: own }]) =>
    Object.entries(own).map(([kind, schema]) => [`${kind} ${noun}`, madeOf(schema)] as const),
  ),
  ['every batch', batchBody] as const,
  // The rows of a batch are documented by their names; they are what is created and changed.
].filter(([, schema]) => !JSON.stringify(schema).includes('"$ref"'))

const moments = [
  '2026-05-04T08:30:00Z',
  '2026-05-04t08:30:00.5+02:00',
  '2026-05-04 08:30:00Z',
  '2026-05-04T08:30:00+0200',
]
  .concat(['2026-05-04T08:30:00', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2026-02-29T00:00:00Z'])
  .concat([
    '2026-05-04T08:30:60Z',
    '2024-02-29T00:00:00-23:59',
    '2026-05-04TT08:30:00Z',
    '1900-02-29T00:00:00Z',
    '2000-02-29T24:00:00Z',
  ])

/** Something that fits, or nearly: what is drawn may break any word of the schema. */
function drawn(chance: Chance, schema: TSchema, depth = 0): unknown {
  if (chance.isOneIn(25)) return chance.pick(values)
  if (Array.isArray(schema.anyOf)) return drawn(chance, chance.pick(schema.anyOf as TSchema[]), depth)
  if (schema.enum && !chance.isOneIn(8)) return chance.pick(schema.enum)
  const type = chance.pick([schema.type ?? 'string'].flat())
  switch (type) {
    case 'object':
      return drawnObject(chance, schema, depth)
    case 'array': {
      const least = Number(schema.minItems ?? 0)
      const length = chance.pick([least, least + 1, least + 3, Math.max(0, least - 1)])
      const items = Array.from({ length }, () => drawn(chance, schema.items ?? {}, depth + 1))
      return chance.isOneIn(4) ? [...items, ...items] : items
    }
    case 'integer':
    case 'number':
      return chance.pick([
        0,
        1,
        -1,
        1.5,
        1e9,
        schema.minimum ?? 5,
        schema.maximum ?? 7,
        Number(schema.maximum ?? 0) + 1,
      ])
    case 'boolean':
      return chance.isOneIn(2)
    case 'null':
      return null
    default:
      return drawnText(chance, schema)
  }
}

function drawnText(chance: Chance, { format, examples = [], minLength = 0, maxLength = 20 }: TSchema): unknown {
  if (examples.length > 0 && !chance.isOneIn(3)) return chance.pick(examples)
  if (format === 'date-time' && !chance.isOneIn(5)) return chance.pick(moments)
  if (format === 'uuid' && !chance.isOneIn(3)) return '01997d2a-4c00-7000-8000-000000000001'
  if (format === 'date' && !chance.isOneIn(3)) return chance.pick(['2026-05-04', '2026-02-30', '0000-01-01'])
  const length = chance.pick([Number(minLength), Number(maxLength), Number(maxLength) + 1, 3])
  return chance.isOneIn(4) ? chance.pick(texts) : chance.pick(['x', '😀', '7', ' ']).repeat(Math.min(length, 5000))
}

function drawnObject(chance: Chance, schema: TSchema, depth: number): object {
  const body: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) === true
    if (isNeeded ? chance.isOneIn(15) : chance.isOneIn(depth > 2 ? 2 : 3)) continue
    body[name] = drawn(chance, property, depth + 1)
  }
  const others = schema.additionalProperties
  if (chance.isOneIn(10) || typeof others === 'object')
    for (const name of ['nmae', 'a/b', 'c~d'].slice(0, chance.pick([0, 1, 3])))
      body[name] = typeof others === 'object' ? drawn(chance, others as TSchema, depth + 1) : 1
  return body
}

/** As many as an answer has, each sentence once. */
function expectedOf(errors: readonly ErrorObject[]) {
  const found = new Map<string, object>()
  for (const error of errors) {
    const { missingProperty, additionalProperty } = error.params
    const params = {
      ...(missingProperty ? { missingProperty } : {}),
      ...(additionalProperty ? { additionalProperty } : {}),
    }
    const { instancePath, keyword } = error
    const fault = { instancePath, keyword, params, parentSchema: error.parentSchema as TSchema, data: error.data }
    const message = faultInWords(fault)
    if (!found.has(message) && found.size < MAX_DETAILS) found.set(message, { instancePath, keyword, params, message })
  }
  return [...found.values()]
}

describe('a body', () => {
  it('of every kind is there', () => {
    expect(bodies.length).toBeGreaterThan(100)
  })

  it.each(bodies)('of %s is refused for what JSON Schema says, in its order', (name, schema) => {
    const fits = validatorOf(schema)
    const oracle = ajv.compile(schema)
    let refused = 0
    for (let seed = 0; seed < 200; seed++) {
      const body = drawn(new Chance(seed), schema)
      const isFit = oracle(body)
      const expected = expectedOf(oracle.errors ?? [])
      expect(fits(body), `${name} ${JSON.stringify(body)?.slice(0, 500)}`).toBe(isFit)
      const told = (fits.errors ?? []).map(({ schemaPath: _, ...fault }) => fault)
      expect(told, `${name} ${JSON.stringify(body)?.slice(0, 500)}`).toEqual(expected)
      refused += isFit ? 0 : 1
    }
    expect(refused).toBeGreaterThan(0)
  })

  it('of half a million wrong values is refused at once, with the first twenty', () => {
    const [, schema = {}] = bodies.find(([name]) => name === 'POST /api/v1/keys/issue') ?? []
    expect(schema.properties?.key_ids?.type).toBe('array')
    const fits = validatorOf(schema)
    expect(fits({ key_ids: Array.from({ length: 500_000 }, () => 7) })).toBe(false)
    expect(fits.errors?.length).toBe(MAX_DETAILS)
  })
})
