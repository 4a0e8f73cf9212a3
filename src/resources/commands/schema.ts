import { commandActions } from '../../connect/connector.ts'
import { common, integer, oneOf, pointer, prose, type RowOf, text, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { doorStandsThere } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

export const MAX_SECONDS = 86_400

/** A command is made by an action: nobody has a key of their own for it. */
const { external_id: _, ...own } = common

/** Its time is over, and nobody has written that down yet. */
const IS_LATE = `t.status in ('queued', 'sent') and t.expires_at <= :now`

export const commands = defineResource({
  noun: 'commands',
  table: 'commands',
  singular: 'command',
  plural: 'commands',
  description:
    'What somebody had a door do from afar: unlock, lock, block, release. Each is sent once or not at all, never ' +
    'after its end nor once whoever asked for it may not any more, and is confirmed by the door’s own event, which ' +
    'carries its id.',
  fields: {
    ...own,
    action: oneOf(...commandActions)
      .readOnly()
      .describe('What the door is to do.', 'unlock'),
    access_point_id: pointer('access_points')
      .readOnly()
      .describe('Which door.', '01997d2a-4c00-7000-8000-000000000002'),
    building_id: pointer('buildings').nullable().readOnly().describe('The building it was in.'),
    access_control_system_id: pointer('access_control_systems')
      .readOnly()
      .describe('The system that drives it.', '01997d2a-4c00-7000-8000-000000000003'),
    seconds: integer(1, MAX_SECONDS)
      .nullable()
      .readOnly()
      .describe('How long an unlocking lasts; null: until it is ended.', 5),
    reason: prose().nullable().readOnly().describe('Why.', 'Delivery'),
    requested_by: text(400).readOnly().describe('Who asked for it.', 'Ada Lovelace'),
    expires_at: timestamp()
      .readOnly()
      .describe('After this it is not sent, and what is not confirmed by then timed out.', '2027-06-15T12:00:30.000Z'),
    status: oneOf('queued', 'sent', 'confirmed', 'failed', 'timed_out')
      .derived(`case when ${IS_LATE} then 'timed_out' else t.status end`)
      .describe('queued until it is sent, then what the door made of it.', 'confirmed'),
    sent_at: timestamp().nullable().readOnly().describe('When it was sent.', '2027-06-15T12:00:00.000Z'),
    ended_at: timestamp()
      .nullable()
      .derived(`case when ${IS_LATE} then t.expires_at else t.ended_at end`)
      .describe('When it was confirmed, failed or timed out.', '2027-06-15T12:00:00.200Z'),
    error_code: text(100).nullable().readOnly().describe('Why it failed.', null),
    error_message: prose().nullable().readOnly().describe('The same as a sentence.', null),
  },
  search: ['reason', 'requested_by'],
  isVolatile: true,
  // As events do, it stays where its door was; what was recorded of it before that was kept goes by its door.
  place: (places) => sql`${places.inBuildings(`${places.row}.building_id`)} or (${raw(places.row)}.building_id is null
    and ${doorStandsThere(places, `${places.row}.access_point_id`)})`,
})

export type Command = RowOf<typeof commands.fields>
