import { isCylinderThere } from '../../access/lists/of-places.ts'
import { code, common, name, number, oneOf, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { placedByLockingSystem } from '../locking-system/schema.ts'

export const cylinderStatuses = ['ordered', 'in_stock', 'installed', 'defective', 'retired'] as const

export const cylinders = defineResource({
  noun: 'cylinders',
  table: 'cylinders',
  singular: 'cylinder',
  plural: 'cylinders',
  description:
    'Lock cylinders, each of one locking system. To install one, set status to installed and access_point_id in one ' +
    'change; to take it out, set another status and access_point_id to null.',
  fields: {
    ...common,
    locking_system_id: reference('locking_systems')
      .required()
      .fixedAtCreation()
      .describe('The locking system it belongs to; fixed, since the locking plan hangs on it.'),
    number: name(100).required().describe('Its number in the locking plan, unique within the locking system.', '101'),
    label: code().nullable().describe('What people call it.', 'E 27.3'),
    type: oneOf('double', 'half', 'knob', 'padlock', 'cam', 'furniture').describe('Type of construction.', 'double'),
    outside_mm: number(0, 1000).nullable().describe('Length of the outer side, in millimetres.', 32.5),
    inside_mm: number(0, 1000).nullable().describe('Length of the inner side, in millimetres.', 32.5),
    access_point_id: reference('access_points')
      .nullable()
      .describe(
        'The access point it is built into: set while it is installed, may stay while it is defective, null otherwise.',
      ),
    installed_at: timestamp()
      .nullable()
      .describe(
        'When it was built in; now unless given with the installation, null when it is taken out.',
        '2026-05-04T08:30:00.000Z',
      ),
    status: oneOf(...cylinderStatuses).describe('Where it is in its life.', 'installed'),
  },
  search: ['number', 'label'],
  place: placedByLockingSystem,
  reaches: {
    rows: (places) => isCylinderThere(places, places.row),
    // All but the version, which is for changing it.
    fields: [
      ...(['id', 'external_id', 'created_at', 'updated_at', 'locking_system_id', 'number', 'label', 'type'] as const),
      ...(['outside_mm', 'inside_mm', 'access_point_id', 'installed_at', 'status'] as const),
    ],
  },
})

export type Cylinder = RowOf<typeof cylinders.fields>
