import { isKeyTypeOpening } from '../../access/lists/of-places.ts'
import { common, count, line, name, type RowOf, reference } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { placedByLockingSystem } from '../locking-system/schema.ts'

export const keyTypes = defineResource({
  noun: 'key-types',
  table: 'key_types',
  singular: 'key type',
  plural: 'key types',
  description:
    'The keys of a locking plan, such as a general master key or the key of one office; each key is one copy of a ' +
    'type.',
  fields: {
    ...common,
    locking_system_id: reference('locking_systems')
      .required()
      .fixedAtCreation()
      .describe('The locking system it belongs to; fixed, since the locking plan hangs on it.'),
    code: name(100).required().describe('Its code in the locking plan, unique within the locking system.', 'G1.2'),
    name: line(200).nullable().describe('What people call it.', 'Ground floor, offices'),
    parent_id: reference('key_types')
      .nullable()
      .describe(
        'The key type above it in the hierarchy, of the same locking system. What a key opens, the locking plan ' +
          'alone says.',
      ),
    key_count: count('select count(*) from keys k where k.org = :org and k.key_type_id = t.id').describe(
      'Its copies, whatever their status.',
      12,
    ),
    keys_issued_count: count(
      `select count(*) from keys k where k.org = :org and k.key_type_id = t.id and k.status = 'issued'`,
    ).describe('Copies that somebody holds.', 9),
  },
  search: ['code', 'name'],
  place: placedByLockingSystem,
  reaches: {
    rows: (places) => isKeyTypeOpening(places, `${places.row}.id`),
    fields: ['id', 'locking_system_id', 'code', 'name', 'key_count', 'keys_issued_count'],
  },
})

export type KeyType = RowOf<typeof keyTypes.fields>
