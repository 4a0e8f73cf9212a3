import { cardFormats } from '../../core/cards/card-formats.ts'
import { cardForms } from '../../core/cards/card-numbers.ts'
import { Type } from '../../core/schema.ts'
import { itemSchema } from '../../http/schemas.ts'
import { credentials } from '../credentials/schema.ts'
import { MATCHED } from './queries.ts'

const Matches = Type.Array(itemSchema(credentials, MATCHED))

const Reading = Type.Object(
  {
    form: Type.Unsafe<string>({
      type: 'string',
      enum: cardForms,
      description: 'How the text was taken.',
      examples: ['printed'],
    }),
    facility_code: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Null: the number alone.',
      examples: ['108'],
    }),
    number: Type.String({ description: 'The card number, in decimal digits.', examples: ['4711'] }),
    formats: Type.Array(Type.Unsafe<string>({ type: 'string', enum: cardFormats.map(({ name }) => name) }), {
      description: 'The card formats that this fits.',
      examples: [['wiegand-26', 'wiegand-34']],
    }),
    is_reversed: Type.Boolean({ description: 'Whether the bytes were taken in the other order.', examples: [false] }),
    parity: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['right', 'wrong', null],
      description: 'Whether the parity bits are right; null: this form has none.',
      examples: [null],
    }),
    credentials: Matches,
  },
  { additionalProperties: false },
)

export const DecodeRequest = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'As printed, read or sent.',
      examples: ['108,04711'],
    }),
  },
  { additionalProperties: false },
)

export const Decoded = Type.Object(
  {
    readings: Type.Array(Reading, { description: 'Every plausible reading, those that say most first.' }),
    credentials: Type.Array(itemSchema(credentials, MATCHED), {
      description:
        'The credentials that you may see of all readings, those whose number is the text itself included; newest ' +
        'first, at most 100.',
    }),
  },
  { additionalProperties: false },
)
