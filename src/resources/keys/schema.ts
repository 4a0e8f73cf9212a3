import { isKeyTypeOpening } from '../../access/lists/of-places.ts'
import {
  common,
  date,
  line,
  name,
  oneOf,
  pointer,
  prose,
  type RowOf,
  reference,
  text,
  timestamp,
} from '../../core/fields.ts'
import { keyStates } from '../../core/keys/key-states.ts'
import { defineResource } from '../../db/resource.ts'
import { raw, sql } from '../../db/sql.ts'
import { placedByLockingSystem } from '../locking-system/schema.ts'

export const keys = defineResource({
  noun: 'keys',
  table: 'keys',
  singular: 'key',
  plural: 'keys',
  description:
    'Single copies of keys: of which type, in which state, with whom. The state moves by actions alone: receive, ' +
    'issue, return, report-lost, report-stolen, found, write-off, mark-defective, destroy.',
  fields: {
    ...common,
    key_type_id: reference('key_types')
      .required()
      .describe('What it is a copy of; may be corrected within the same locking system.'),
    key_type_code: text(100)
      .derived('select ct.code from key_types ct where ct.org = :org and ct.id = t.key_type_id')
      .describe('The code of its type: with the number, what people call it.', 'G1.2'),
    number: name(100).required().describe('The number stamped on it, unique among the copies of its type.', '7'),
    status: oneOf(...keyStates)
      .startsAs('ordered', 'in_stock')
      .describe('At creation ordered or in_stock; afterwards the actions change it.', 'in_stock'),
    individual_id: reference('individuals')
      .nullable()
      .readOnly()
      .describe('Who holds it; set while it is issued.', null),
    storage: line(200).nullable().describe('Where it is kept, or belongs.', 'Key safe 1, hook 14'),
    due_back_on: date()
      .nullable()
      .describe(
        'The day it is due back; set while it is issued, and may then be moved: the open handover follows.',
        null,
      ),
    status_since: timestamp().readOnly().describe('Since when it is in this state.'),
    status_note: prose().nullable().readOnly().describe('What was noted when it came into this state.', null),
    locking_system_id: pointer('locking_systems')
      .derived('select kt.locking_system_id from key_types kt where kt.org = :org and kt.id = t.key_type_id')
      .describe('The locking system of its type.'),
  },
  search: ['number', 'storage'],
  place: (places) => sql`${raw(places.row)}.key_type_id in (
    select kt.id from key_types kt where kt.org = :org and ${placedByLockingSystem(places, 'kt.locking_system_id')})`,
  reaches: {
    rows: (places) => isKeyTypeOpening(places, `${places.row}.key_type_id`),
    // All but the version, which is for changing it.
    fields: [
      ...([
        'id',
        'external_id',
        'created_at',
        'updated_at',
        'key_type_id',
        'key_type_code',
        'number',
        'status',
      ] as const),
      ...(['individual_id', 'storage', 'due_back_on', 'status_since', 'status_note', 'locking_system_id'] as const),
    ],
  },
  // "G1.2 7" is how people name a key: its type's code and its number.
  searchThrough: ['key_type_id'],
})

export type Key = RowOf<typeof keys.fields>
