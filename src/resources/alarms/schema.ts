import { alarmKinds, alarmStatuses } from '../../core/doors/alarms.ts'
import { common, integer, oneOf, pointer, prose, type RowOf, text, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { isSeenFrom } from '../../live/intake/event-row.ts'

/** Nobody but the doors makes one: it has no key of a caller's. */
const { external_id: _, ...own } = common

export const alarms = defineResource({
  noun: 'alarms',
  table: 'alarms',
  singular: 'alarm',
  plural: 'alarms',
  description:
    'What somebody has to look at: a door forced or held open, tampering, duress, a door that opened though the ' +
    'rules say no, a system that is away. Made by events, acknowledged and closed by people; what happens again ' +
    'while one is not closed is counted in it; of duress and of doors that opened against the rules, while nobody ' +
    'has acknowledged it: the next is another. Held-open doors and absent systems are closed when that ends, the ' +
    'others when they were acknowledged too.',
  fields: {
    ...own,
    kind: oneOf(...alarmKinds)
      .readOnly()
      .describe('What it is.', 'forced_open'),
    status: oneOf(...alarmStatuses)
      .readOnly()
      .describe('What was done about it.', 'open'),
    access_point_id: pointer('access_points').nullable().readOnly().describe('The door.'),
    building_id: pointer('buildings').nullable().readOnly().describe('The building it is in.'),
    access_control_system_id: pointer('access_control_systems')
      .nullable()
      .readOnly()
      .describe('The system that reported it.'),
    individual_id: pointer('individuals').nullable().readOnly().describe('Whose card it was, where there was one.'),
    event_id: pointer('access_events').readOnly().describe('The event that raised it.'),
    event_count: integer(1, 2_147_483_647).readOnly().describe('How often it was raised.', 1),
    raised_at: timestamp().readOnly().describe('When it was first raised.'),
    last_raised_at: timestamp().readOnly().describe('When it was last raised.'),
    ended_at: timestamp().nullable().readOnly().describe('When what raised it was over.', null),
    acknowledged_at: timestamp().nullable().readOnly().describe('When somebody took note.', null),
    acknowledged_by: text(400).nullable().readOnly().describe('Who took note.', null),
    note: prose().nullable().readOnly().describe('What they said.', null),
    closed_at: timestamp().nullable().readOnly().describe('When it was closed.', null),
    closed_by: text(400).nullable().readOnly().describe('Who closed it; null: it ended by itself.', null),
  },
  search: [],
  searchThrough: ['access_point_id', 'access_control_system_id', 'individual_id'],
  place: isSeenFrom,
})

export type Alarm = RowOf<typeof alarms.fields>

export const AlarmNote = Type.Object(
  {
    note: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 2000,
        description: 'What was found, or done.',
      }),
    ),
  },
  { additionalProperties: false },
)
