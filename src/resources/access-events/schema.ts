import { eventResults, eventTypes, reportedTypes, verdicts } from '../../core/doors/events.ts'
import { code, integer, oneOf, pointer, type RowOf, text, timestamp, UUID_PATTERN, uuid } from '../../core/fields.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import { inColumns } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'
import { itemSchema } from '../../http/schemas.ts'
import { firstUnjudged, growthOf } from '../../live/counted/growth.ts'
import { isSeenFrom } from '../../live/intake/event-row.ts'

export const accessEvents = defineResource({
  noun: 'access-events',
  table: 'access_events',
  singular: 'access event',
  plural: 'access events',
  description:
    'What happened at the doors, in the order in which it was stored. Events are only ever added. `verdict` says ' +
    'whether what the door did is what the rules of that moment would have done. With `after` the same path is a ' +
    'feed that is read on from where one was.',
  fields: {
    id: uuid().readOnly().describe('Identifier (UUIDv7).', '01997d2a-4c00-7000-8000-000000000001'),
    sequence: integer(1, Number.MAX_SAFE_INTEGER)
      .readOnly()
      .describe('Its place in the order in which events were stored.', 42),
    source_id: code()
      .nullable()
      .describe('The sender’s own id: sent twice by a system, an event is stored once.', 'ctl-7/10234'),
    type: oneOf(...eventTypes)
      .required()
      .describe('What happened; more may come.', 'access.denied'),
    result: oneOf(...eventResults)
      .nullable()
      .describe('What the door decided; unless given, as the type says.', 'denied'),
    reason: code().nullable().describe('Why, in the word of a decision where there is one.', 'out_of_time_range'),
    access_point_id: pointer('access_points').nullable().describe('The door.'),
    building_id: pointer('buildings').nullable().readOnly().describe('The building it was in.'),
    individual_id: pointer('individuals').nullable().describe('Whose; unless given, the holder of the credential.'),
    credential_id: pointer('credentials')
      .nullable()
      .describe('With what; unless given, the credential that has `credential_number`.'),
    credential_number: code()
      .nullable()
      .describe(
        'What the reader read. Kept of a credential that is not known here alone, and never of a PIN.',
        '99887766',
      ),
    access_control_system_id: pointer('access_control_systems').nullable().describe('The system that reports it.'),
    command_id: pointer('commands').nullable().describe('The command that it confirms or follows.'),
    direction: oneOf('in', 'out').nullable().describe('Which way.', 'in'),
    occurred_at: timestamp().describe('When, by the device’s clock; unless given, when it arrived.'),
    received_at: timestamp().readOnly().describe('When it arrived, by ours.'),
    verdict: oneOf(...verdicts)
      .readOnly()
      .describe('Whether the rules of that moment agree with what the door did.', 'agreed'),
    verdict_reason: text(100)
      .nullable()
      .readOnly()
      .describe('What a decision by those rules says.', 'out_of_time_range'),
  },
  search: [],
  searchThrough: ['access_point_id', 'individual_id'],
  searchAlso: inColumns('type', 'credential_number'),
  place: isSeenFrom,
  defaultOrder: ['sequence'],
  isVolatile: true,
  growth: { of: growthOf, later: { fields: ['verdict', 'verdict_reason'], firstWithout: firstUnjudged } },
})

export type AccessEvent = RowOf<typeof accessEvents.fields>

/** What is told of an event to whoever reports it: all of it, to those who may read it. */
export const ReportedAccessEvent = { ...itemSchema(accessEvents), required: ['id', 'sequence'] }

const uuidOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description })
const textOrNull = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, minLength: 1, description })
const enumOrNull = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description })

export const AccessEventCreate = Type.Object(
  {
    type: Type.Unsafe<string>({ type: 'string', enum: reportedTypes, description: 'What happened.' }),
    source_id: Type.Optional(textOrNull(100, 'Your own id of it: sent again by the same system, it is stored once.')),
    result: Type.Optional(enumOrNull(eventResults, 'What the door decided; unless given, as the type says.')),
    reason: Type.Optional(
      textOrNull(100, 'Why: a word of a decision, which must fit what was decided, or one of your own.'),
    ),
    access_point_id: Type.Optional(
      uuidOrNull(
        'The door. An event of neither a door nor a system is one of the organization: it moves no door, raises no ' +
          'alarm, and is seen by those who may read events everywhere.',
      ),
    ),
    individual_id: Type.Optional(uuidOrNull('Whose.')),
    credential_id: Type.Optional(uuidOrNull('With what.')),
    credential_number: Type.Optional(textOrNull(100, 'What the reader read. Of a PIN it is not kept.')),
    credential_type: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        pattern: '^(card|pin|mobile|transponder|qr|plate|biometric)$',
        examples: ['card'],
        description: 'What was read; unless given, a card.',
      }),
    ),
    facility_code: Type.Optional(textOrNull(100, 'The facility code that was read with the number.')),
    access_control_system_id: Type.Optional(uuidOrNull('The system that reports it.')),
    command_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: UUID_PATTERN,
        description: 'The command that it confirms or follows.',
      }),
    ),
    direction: Type.Optional(enumOrNull(['in', 'out'], 'Which way.')),
    occurred_at: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When, by the device’s clock; unless given, now.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MAX_BATCH = 1000

const batchOf = (event: TSchema) =>
  Type.Object(
    {
      events: Type.Array(event, {
        minItems: 1,
        maxItems: MAX_BATCH,
        description: 'Events, in the order in which they happened.',
      }),
    },
    { additionalProperties: false },
  )

export const AccessEventBatch = batchOf(AccessEventCreate)

/** What is asked of every batch; each event is checked by itself, and its fault is told of that one. */
export const anyBatch = batchOf({})

const Fault = Type.Object(
  { path: Type.String(), rule: Type.String(), message: Type.String() },
  { additionalProperties: false, description: 'What is wrong with it.' },
)

export const AccessEventResults = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: Type.Unsafe<string>({
            type: 'string',
            enum: ['stored', 'duplicate', 'refused'],
            description: 'What became of it.',
          }),
          id: Type.Optional(Type.String({ format: 'uuid', description: 'The stored event’s.' })),
          sequence: Type.Optional(Type.Integer({ description: 'Its place in the order.' })),
          fault: Type.Optional(Fault),
        },
        { additionalProperties: false },
      ),
      { description: 'One for each event, in their order.' },
    ),
    stored: Type.Integer({ description: 'How many were stored.' }),
    duplicates: Type.Integer({ description: 'How many had been stored before.' }),
    refused: Type.Integer({ description: 'How many were refused.' }),
  },
  { additionalProperties: false },
)

export const exampleEvent = {
  type: 'access.denied',
  reason: 'unknown_credential',
  credential_number: '99887766',
  occurred_at: '2026-05-04T08:29:58.000Z',
  source_id: 'ctl-7/10234',
}
