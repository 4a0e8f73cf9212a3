import { isCylinderThere } from '../../access/lists/of-places.ts'
import { code, common, count, date, name, oneOf, prose, type RowOf, reference } from '../../core/fields.ts'
import { defineResource, type PlacesSql } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'
import { inSelected, raw, type Sql, sql } from '../../db/sql.ts'

export const lockingSystemKinds = ['mechanical', 'mechatronic', 'electronic', 'mixed'] as const
export const lockingSystemStatuses = ['planned', 'active', 'retired'] as const

const keysWhere = (condition: string) =>
  `select count(*) from key_types kt join keys k on k.org = :org and k.key_type_id = kt.id${condition}
    where kt.org = :org and kt.locking_system_id = t.id`

/** A security card that ends within so many days wants attention. */
export const CARD_DAYS = 90

export const lockingSystems = defineResource({
  noun: 'locking-system',
  table: 'locking_systems',
  singular: 'locking system',
  plural: 'locking systems',
  description:
    'Master key systems and other sets of cylinders and keys that belong together, each with its locking plan.',
  fields: {
    ...common,
    name: name().required().describe('Name.', 'Main building'),
    number: code()
      .nullable()
      .describe('The manufacturer’s number of the system, as it stands on the security card.', 'GH 12345'),
    manufacturer: code().nullable().describe('Manufacturer.', 'dormakaba'),
    product: code().nullable().describe('Product or profile.', 'Kaba star'),
    kind: oneOf(...lockingSystemKinds).describe('How it locks.', 'mechanical'),
    hierarchy: oneOf('single', 'central', 'master', 'combined', 'general_master').describe(
      'single: every key opens one cylinder; central: many keys open shared cylinders; master: a master key opens ' +
        'many; combined: central and master; general_master: several levels of master keys.',
      'general_master',
    ),
    status: oneOf(...lockingSystemStatuses).describe('Whether it is in use.', 'active'),
    location_id: reference('locations').nullable().describe('Where it is.'),
    building_id: reference('buildings')
      .nullable()
      .describe('The building it is in; lies at location_id when both are given.'),
    security_card_number: code().nullable().describe('Number of the security card, which re-orders need.', 'SC-88213'),
    security_card_expires_on: date()
      .nullable()
      .describe('The day the card or the patent behind it ends.', '2031-12-31'),
    installed_on: date().nullable().describe('The day it was installed.', '2019-08-01'),
    description: prose().nullable().describe('Free text.', 'Plan revised after the west wing was added.'),
    cylinder_count: count(
      'select count(*) from cylinders c where c.org = :org and c.locking_system_id = t.id',
    ).describe('Its cylinders, whatever their status.', 120),
    key_count: count(keysWhere('')).describe('Its keys, whatever their status.', 340),
    keys_issued_count: count(keysWhere(` and k.status = 'issued'`)).describe('Keys that somebody holds.', 215),
    keys_lost_count: count(keysWhere(` and k.status = 'lost'`)).describe(
      'Keys that are lost, and neither found nor written off.',
      2,
    ),
  },
  search: ['name', 'number', 'manufacturer', 'product', 'security_card_number', 'description'],
  place: lyingAt,
  reaches: {
    rows: (places) =>
      inSelected(
        `${places.row}.id`,
        sql`select rc.locking_system_id from cylinders rc where rc.org = :org and ${isCylinderThere(places, 'rc')}`,
      ),
    fields: ['id', 'name', 'number', 'manufacturer', 'product', 'kind', 'hierarchy', 'status'],
  },
})

export type LockingSystem = RowOf<typeof lockingSystems.fields>

/** The place of what belongs to a locking system: the system's own. `column` holds the system's id. */
export const placedByLockingSystem = (places: PlacesSql, column = `${places.row}.locking_system_id`): Sql =>
  sql`${raw(column)} in (select ls.id from locking_systems ls where ls.org = :org
    and (${lyingAt({ ...places, row: 'ls' })}))`
