import { reasons } from '../../core/decide/reasons.ts'
import { type Static, type TSchema, Type } from '../../core/schema.ts'
import { exampleId } from '../../http/schemas.ts'

const id = (description: string) => Type.String({ format: 'uuid', description })
const optionalId = (description: string) => Type.Optional(id(description))
const nullable = (schema: TSchema, description: string) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'], description })
const instant = { type: 'string', format: 'date-time' }
const enumOf = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, description })
const credentialTypes = ['card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric'] as const
export const MAX_QUESTIONS = 100
const MAX_ASSUMED = 50
const MAX_PRESENT = 20

const PresentedCredential = Type.Object(
  {
    type: enumOf(credentialTypes, 'What was held to the reader.'),
    facility_code: Type.Optional(nullable({ maxLength: 100 }, 'Facility or site code in front of the number.')),
    number: Type.Optional(nullable({ maxLength: 100 }, 'What the reader read.')),
    pin: Type.Optional(nullable({ pattern: '^[0-9]{4,12}$', maxLength: 12 }, 'The PIN typed with it.')),
  },
  {
    additionalProperties: false,
    description: 'What was held to the reader, where its id is not known.',
    examples: [{ type: 'card', number: '4711' }],
  },
)

const AssumedGrant = Type.Object(
  {
    individual_id: optionalId('For whom; or a group.'),
    access_group_id: optionalId('For which group.'),
    access_point_id: optionalId('Where: one of the four.'),
    space_id: optionalId('Where.'),
    building_id: optionalId('Where.'),
    location_id: optionalId('Where.'),
    schedule_id: Type.Optional(nullable({ format: 'uuid' }, 'When; null: always.')),
    valid_from: Type.Optional(nullable(instant, 'From when on.')),
    valid_until: Type.Optional(nullable(instant, 'Until when.')),
    effect: Type.Optional(enumOf(['allow', 'deny'], 'allow unless said.')),
    requires_pin: Type.Optional(Type.Boolean({ description: 'Asks for a PIN too.' })),
    requires_second_person: Type.Optional(Type.Boolean({ description: 'Asks for a second person.' })),
    during_lockdown: Type.Optional(Type.Boolean({ description: 'Holds during a lockdown.' })),
  },
  { additionalProperties: false, description: 'A grant that does not exist, to see what it would change.' },
)

const properties = {
  individual_id: optionalId('Who: the best of what they carry counts, a key they hold included.'),
  credential_id: optionalId('What is held to the reader.'),
  credential: Type.Optional(PresentedCredential),
  access_point_id: id('Which door.'),
  at: Type.Optional(
    Type.Unsafe<string>({
      ...instant,
      description: 'The clock; now unless said.',
      examples: ['2027-06-15T19:40:00.000Z'],
    }),
  ),
  as_of: Type.Optional(
    Type.Unsafe<string>({
      ...instant,
      description:
        'Under the settings as they were then; those of now unless said. Not with a PIN: what one was before is not ' +
        'kept.',
      examples: ['2027-06-15T12:00:00.000Z'],
    }),
  ),
  direction: Type.Optional(enumOf(['in', 'out'], 'Which way; as the door leads unless said.')),
  with: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: MAX_PRESENT,
      description: 'The individuals who stand there too.',
    }),
  ),
  assume: Type.Optional(
    Type.Array(AssumedGrant, { maxItems: MAX_ASSUMED, description: 'What if: grants that do not exist yet.' }),
  ),
}

/** The question: exactly one of individual_id, credential_id and credential, and a door. */
export const AccessQuestion = Type.Object(properties, { additionalProperties: false })
export type AccessQuestion = Static<typeof AccessQuestion>

export const AccessQuestions = Type.Object(
  {
    questions: Type.Array(AccessQuestion, {
      minItems: 1,
      maxItems: MAX_QUESTIONS,
      description: 'The questions, answered in this order.',
    }),
  },
  { additionalProperties: false },
)

const reason = enumOf(reasons, 'Why.')

const PathStep = Type.Object(
  {
    type: enumOf(['individual', 'access_group', 'key', 'location', 'building', 'space', 'access_point'], 'What it is.'),
    id: id('Its id.'),
    name: Type.String(),
  },
  { additionalProperties: false },
)

const ScheduleNow = Type.Unsafe<object | null>({
  ...Type.Object(
    {
      schedule_id: id('The schedule of the grant.'),
      name: Type.String(),
      time_zone: Type.String({ description: 'The zone it is read in.' }),
      open: Type.Boolean(),
      from: nullable(instant, 'Since when it is open.'),
      until: nullable(instant, 'Until when it is open.'),
      next: nullable(instant, 'When it opens next.'),
      holiday: nullable({ format: 'date' }, 'The day that decides, where that is a holiday.'),
    },
    { additionalProperties: false },
  ),
  type: ['object', 'null'],
  description: 'How the schedule of the grant stands at that moment; null: the grant has none, or there is none.',
})

export const Means = Type.Unsafe<object | null>({
  ...Type.Object(
    {
      type: enumOf(['key', ...credentialTypes], 'A key, or a kind of credential.'),
      id: nullable({ format: 'uuid' }, 'Its id; null: you may not see it.'),
      name: nullable({}, 'What is written on it; null: you may not see it.'),
    },
    { additionalProperties: false },
  ),
  type: ['object', 'null'],
  description: 'What it would be opened with; null: nothing.',
})

export const AccessDecision = Type.Object(
  {
    decision: enumOf(['granted', 'denied'], 'Whether the door opens.'),
    reason,
    reasons: Type.Array(reason, { description: 'All that stands in the way, in order; empty when granted.' }),
    explanation: Type.Array(Type.String(), {
      description: 'Plain sentences, in the language of Accept-Language (en, de).',
    }),
    access_point_id: id('The door.'),
    individual_id: nullable({ format: 'uuid' }, 'Who; null: nobody is known by what was held to the reader.'),
    credential_id: nullable({ format: 'uuid' }, 'What they would use.'),
    means: Means,
    grant_id: nullable({ format: 'uuid' }, 'The grant that decides; null: none, or one that was assumed.'),
    path: Type.Array(PathStep, { description: 'From whom it was given to, down to the door.' }),
    schedule_state: ScheduleNow,
    conditions_missing: Type.Array(enumOf(['pin', 'second_person', 'escort'], ''), {
      description: 'What would have to be brought along.',
    }),
    holds_until: nullable(
      instant,
      'Until when the answer stays the same if nothing but the clock moves; null: without end.',
    ),
    next_allowed_at: nullable(
      instant,
      'When the same question would be granted; null: now, or never by the clock alone.',
    ),
    evaluated_at: Type.String({ format: 'date-time', description: 'The clock it was asked for.' }),
  },
  { additionalProperties: false },
)

const [person, door, grant, card, group] = [
  'individuals',
  'access_points',
  'access_grants',
  'credentials',
  'access_groups',
].map(exampleId)

export const exampleQuestion = { individual_id: person, access_point_id: door, at: '2027-06-15T19:40:00.000Z' }

export const exampleDecision = {
  decision: 'denied',
  reason: 'out_of_time_range',
  reasons: ['out_of_time_range'],
  explanation: [
    'Card 4711 belongs to Ada Lovelace.',
    'Night shift may enter Building A from 22:00 to 06:00.',
    'It is 21:40 in Zurich, so not yet; allowed from 22:00.',
  ],
  access_point_id: door,
  individual_id: person,
  credential_id: card,
  means: { type: 'card', id: card, name: 'Card 4711' },
  grant_id: grant,
  path: [
    { type: 'individual', id: person, name: 'Ada Lovelace' },
    { type: 'access_group', id: group, name: 'Night shift' },
    { type: 'building', id: exampleId('buildings'), name: 'Building A' },
    { type: 'access_point', id: door, name: 'Main entrance' },
  ],
  schedule_state: {
    schedule_id: exampleId('schedules'),
    name: 'Night shift',
    time_zone: 'Europe/Zurich',
    open: false,
    from: null,
    until: null,
    next: '2027-06-15T20:00:00.000Z',
    holiday: null,
  },
  conditions_missing: [],
  holds_until: '2027-06-15T20:00:00.000Z',
  next_allowed_at: '2027-06-15T20:00:00.000Z',
  evaluated_at: '2027-06-15T19:40:00.000Z',
}
