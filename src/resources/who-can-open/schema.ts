import { reasons } from '../../core/decide/reasons.ts'
import { boolean, code, type Fields, json, name, oneOf, reference, text, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import type { Resource } from '../../db/resource.ts'

const nullableText = (description: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...(format ? { format } : {}) })

const Means = Type.Object(
  {
    type: Type.Unsafe<string>({
      type: 'string',
      enum: ['key', 'card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric'],
      description: 'A key, or a kind of credential.',
    }),
    id: nullableText('Its id; null: you may not see it.', 'uuid'),
    name: nullableText('What is written on it; null: you may not see it.'),
    ignores_rules: Type.Boolean({ description: 'A key: schedules, lockdowns and suspensions do not stop it.' }),
  },
  { additionalProperties: false },
)

const Step = Type.Object(
  {
    type: Type.Unsafe<string>({
      type: 'string',
      enum: ['individual', 'access_group', 'key', 'location', 'building', 'space', 'access_point'],
    }),
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
  },
  { additionalProperties: false },
)

/** What `decide()` says of a row. */
const judged = {
  allowed: boolean().readOnly().describe('Whether the door opens for them at that moment.', true),
  reason: oneOf(...reasons)
    .readOnly()
    .describe('Why, or why not.', 'granted'),
  next_allowed_at: timestamp()
    .nullable()
    .readOnly()
    .describe('When it would; null: now, or never by the clock alone.', null),
  holds_until: timestamp()
    .nullable()
    .readOnly()
    .describe('Until when the answer stays the same by the clock; null: without end.', null),
  grant_id: reference('access_grants')
    .nullable()
    .readOnly()
    .describe('The grant that decides; null: none, or you may not see it.', null),
  means: json(Type.Array(Means))
    .readOnly()
    .describe('By what: the credentials that work, and the keys that turn in it.'),
  path: json(Type.Unsafe<unknown[] | null>({ type: ['array', 'null'], items: Step }))
    .readOnly()
    .describe('From whom it was given to, down to the door; null: you may not see grants or keys.'),
} satisfies Fields

const person = {
  individual_id: reference('individuals')
    .nullable()
    .readOnly()
    .describe('Who; null: you may not see people beyond their name.'),
  display_name: name().readOnly().describe('Their name.', 'Ada Lovelace'),
  kind: oneOf('employee', 'contractor', 'tenant', 'visitor', 'service')
    .readOnly()
    .describe('What they are here.', 'employee'),
} satisfies Fields

const door = {
  access_point_id: reference('access_points').readOnly().describe('The door.'),
  name: name().readOnly().describe('Its name.', 'Main entrance'),
  label: code().readOnly().describe('Its short code.', 'HG-E27-T1'),
  place: text(10_000)
    .readOnly()
    .describe('Where it is: locations, buildings and space, joined by " / ".', 'Zürich / Main building / E 27'),
} satisfies Fields

const listed = <F extends Fields>(
  singular: string,
  plural: string,
  description: string,
  fields: F,
  order: string[],
  search: string[],
): Resource<F> => ({
  noun: 'access-points',
  table: plural,
  singular,
  plural,
  description,
  fields,
  search,
  defaultOrder: order,
})

export const openers = listed(
  'person',
  'people',
  'Everybody with a right at this door in force then, by card or by key, and whether it opens for them at that moment.',
  { ...person, ...judged },
  ['display_name', 'individual_id'],
  ['display_name'],
)

export const entrants = listed(
  'person',
  'people',
  'Everybody with a right at one of the doors into this space in force then, and whether one opens for them at that ' +
    'moment.',
  {
    ...person,
    access_point_id: reference('access_points')
      .readOnly()
      .describe('The door that the answer is about: one that opens, where there is one.'),
    ...judged,
  },
  ['display_name', 'individual_id'],
  ['display_name'],
)

export const openable = listed(
  'access point',
  'access points',
  'Every door at which somebody has a right in force then, by card or by key, and whether it opens for them at that ' +
    'moment.',
  { ...door, ...judged },
  ['name', 'access_point_id'],
  ['name', 'label'],
)

const comparison = {
  change: oneOf('gained', 'lost')
    .readOnly()
    .describe(
      'Whether the right came or went; where it is in force at both moments, whether it opens at the second or the ' +
        'first.',
      'gained',
    ),
  allowed_before: boolean().readOnly().describe('Whether it opened at the first moment.', false),
  allowed_after: boolean().readOnly().describe('Whether it opens at the second.', true),
  reason_before: oneOf(...reasons)
    .readOnly()
    .describe('Why, or why not, at the first moment.', 'no_access_rights'),
  reason_after: oneOf(...reasons)
    .readOnly()
    .describe('Why, or why not, at the second.', 'granted'),
} satisfies Fields

export const openerChanges = listed(
  'change',
  'changes',
  'Who came and who went between two moments: who has a right at one and not at the other, or for whom it opens at ' +
    'one and not at the other.',
  { ...person, ...comparison },
  ['display_name', 'individual_id'],
  ['display_name'],
)

export const openableChanges = listed(
  'change',
  'changes',
  'Which doors came and which went between two moments: where there is a right at one and not at the other, or that ' +
    'open at one and not at the other.',
  { ...door, ...comparison },
  ['name', 'access_point_id'],
  ['name', 'label'],
)
