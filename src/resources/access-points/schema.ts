import { connectivities, doorAlarms, lockStates, modes, positions } from '../../core/doors/door-state.ts'
import {
  boolean,
  code,
  common,
  integer,
  json,
  name,
  oneOf,
  pointer,
  prose,
  type RowOf,
  reference,
  timestamp,
} from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { spaceLiesThere } from '../../db/scope.ts'

const axis = (values: readonly string[]) =>
  Type.Object(
    { value: Type.Unsafe<string>({ type: 'string', enum: values }), since: Type.String({ format: 'date-time' }) },
    { additionalProperties: false },
  )

/** Five independent axes, each with the moment since when it has been so. */
const AccessPointState = Type.Object(
  {
    mode: axis(modes),
    lock_state: axis(lockStates),
    position: axis(positions),
    alarms: Type.Object(
      {
        value: Type.Array(Type.Unsafe<string>({ type: 'string', enum: doorAlarms }), { uniqueItems: true }),
        since: Type.String({ format: 'date-time' }),
      },
      { additionalProperties: false },
    ),
    connectivity: axis(connectivities),
  },
  { additionalProperties: false },
)

/** Live facts stand beside the row. */
const STATES = 'access_point_states'

const SECONDS_PER_DAY = 86_400

export const accessPoints = defineResource({
  noun: 'access-points',
  table: 'access_points',
  singular: 'access point',
  plural: 'access points',
  description:
    'Doors, gates, barriers, turnstiles, lifts, lockers, cabinets and windows: where somebody may pass, or not.',
  fields: {
    ...common,
    space_id: reference('spaces').required().describe('The space it leads into.'),
    from_space_id: reference('spaces')
      .nullable()
      .describe('The space it leads out of; null: from outside, or not known.', null),
    name: name().required().describe('Name.', 'Main entrance'),
    description: prose().default('').describe('Free text.', 'Double door, east side'),
    label: code().default('').describe('Short code as on the door plate or plan.', 'HG-E27-T1'),
    kind: oneOf('door', 'gate', 'barrier', 'turnstile', 'elevator', 'locker', 'cabinet', 'window').describe(
      'What it is.',
      'door',
    ),
    floor: integer(-200, 500).nullable().describe('Floor; 0 is the ground floor.', 0),
    manufacturer: code().nullable().describe('Maker of the door or its hardware.', 'dormakaba'),
    model: code().nullable().describe('Model of the hardware.', 'ST FLEX'),
    access_control_system_id: reference('access_control_systems')
      .nullable()
      .describe('The system that drives it; null: a mechanical door.'),
    direction: oneOf('in', 'out', 'both').describe(
      'Which way one passes it: into its space, out of it, or both.',
      'in',
    ),
    emergency_exit: boolean().default(false).describe('Part of an escape route: the way out is never denied.', false),
    unlock_seconds: integer(1, SECONDS_PER_DAY)
      .nullable()
      .describe('How long it stays unlocked after access is granted.', 5),
    held_open_seconds: integer(1, SECONDS_PER_DAY)
      .nullable()
      .describe('How long it may stand open before it is an alarm.', 30),
    unlock_schedule_id: reference('schedules')
      .nullable()
      .describe('While it is open, the door stands unlocked; null: never by itself.', null),
    first_person_in: boolean()
      .default(false)
      .describe('It unlocks by its schedule only after the first entry that was granted in that window.', false),
    building_id: pointer('buildings').derived('t.building_id').describe('The building of the space it leads into.'),
    mode: oneOf(...modes)
      .beside(STATES, 'mode')
      .describe('As in `state`, to filter by.', 'locked'),
    lock_state: oneOf(...lockStates)
      .beside(STATES, 'lock_state')
      .describe('As in `state`, to filter by.', 'locked'),
    position: oneOf(...positions)
      .beside(STATES, 'position')
      .describe('As in `state`, to filter by.', 'closed'),
    connectivity: oneOf(...connectivities)
      .beside(STATES, 'connectivity')
      .describe('As in `state`, to filter by.', 'online'),
    in_alarm: boolean()
      .beside(STATES, 'in_alarm')
      .describe(
        'Whether `state` has an alarm that somebody is called to: any but `low_battery` and `fault`. To filter by.',
        false,
      ),
    needs_service: boolean()
      .beside(STATES, 'needs_service')
      .describe('Whether `state` has `low_battery` or `fault`, to filter by.', false),
    state_changed_at: timestamp().beside(STATES, 'changed_at').describe('When `state` last changed.'),
    state: json(AccessPointState)
      .decorated()
      .describe('Mode, lock, position, alarms and connectivity, each with the moment since when.'),
  },
  search: ['name', 'label', 'description', 'manufacturer', 'model'],
  place: ({ row, inBuildings }) => inBuildings(`${row}.building_id`),
  placeUnstored: (places) => spaceLiesThere(places, `${places.row}.space_id`),
})

export type AccessPoint = RowOf<typeof accessPoints.fields>
