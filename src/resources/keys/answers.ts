import { type TSchema, Type } from '../../core/schema.ts'
import { itemSchema, LimitedTo } from '../../http/schemas.ts'
import { keys } from './schema.ts'

const id = Type.String({ format: 'uuid' })
const list = (description: string, properties: Record<string, TSchema>) =>
  Type.Unsafe<object[] | null>({
    type: ['array', 'null'],
    items: Type.Object(properties, { additionalProperties: false }),
    description: `${description} Null when you may not read them.`,
  })

const reach = {
  opens: Type.Object(
    {
      cylinders: list('Cylinders that are built into a door, defective ones too, by number.', {
        id,
        number: Type.String(),
        label: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      }),
      access_points: list('Access points those cylinders are built into, by name.', { id, name: Type.String() }),
      spaces: list('Spaces those access points lead into, by name.', { id, name: Type.String() }),
      limited_to: LimitedTo,
    },
    { additionalProperties: false, description: 'What a key of its type opens, by the locking plan.' },
  ),
  holders_of_same_type: Type.Integer({
    minimum: 0,
    description: 'How many people hold a key of its type now.',
    examples: [9],
  }),
}

export const KeyReach = Type.Object(reach, { additionalProperties: false })

const key = itemSchema(keys)

/** A key that is gone, and what that means. */
export const KeyLoss = Type.Object({ ...key.properties, ...reach }, { additionalProperties: false })
