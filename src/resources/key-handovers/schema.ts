import { common, date, number, oneOf, type RowOf, reference, text, timestamp, uuid } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { raw, sql } from '../../db/sql.ts'
import { placedByLockingSystem } from '../locking-system/schema.ts'

/** Written by issuing a key, and from then on by the key's actions alone. */
export const keyHandovers = defineResource({
  noun: 'key-handovers',
  table: 'key_handovers',
  permissions: { read: 'keys:read', write: 'keys:handover' },
  singular: 'key handover',
  plural: 'key handovers',
  description:
    'The register of keys: who was given which key, when, and how it ended. Issuing a key opens an entry; returning ' +
    'it, losing it or finding it defective ends it. Entries are never deleted.',
  fields: {
    ...common,
    external_id: common.external_id
      .fixedAtCreation()
      .describe('Your own key for this handover, unique within the organization.', 'sap-4711'),
    key_id: reference('keys').required().fixedAtCreation().describe('The key.'),
    individual_id: reference('individuals').required().fixedAtCreation().describe('Who was given it.'),
    issued_at: timestamp()
      .fixedAtCreation()
      .describe(
        'When it was given: now, unless you record later what happened before. Never before the key’s last handover; ' +
          '`created_at` says when it was recorded.',
        '2026-05-04T08:30:00.000Z',
      ),
    due_back_on: date()
      .nullable()
      .fixedAtCreation()
      .describe('The day it is due back; null: kept until further notice.', '2027-12-31'),
    returned_at: timestamp()
      .nullable()
      .readOnly()
      .describe('When it came back; null while it is held, and for good when it never did.'),
    purpose: text(500).nullable().fixedAtCreation().describe('What for.', 'Renovation of the west wing'),
    deposit_amount: number(0, 1_000_000)
      .nullable()
      .fixedAtCreation()
      .describe('Deposit taken, in the organization’s currency.', 50),
    condition: text(500).nullable().fixedAtCreation().describe('Its condition when it was given.', 'new'),
    issued_by: text(200).readOnly().describe('Who gave it: the name of the user or service user.', 'Reception'),
    outcome: oneOf('held', 'returned', 'lost', 'stolen', 'defective')
      .readOnly()
      .describe(
        'held while the individual has the key; then how that ended. A lost key that is found stays lost here.',
        'held',
      ),
    ended_at: timestamp().nullable().readOnly().describe('When it was returned or reported; null while it is held.'),
    return_condition: text(500).nullable().readOnly().describe('Its condition when it came back.', 'scratched'),
    received_by: text(200).nullable().readOnly().describe('Who took it back.', 'Reception'),
    receipt_id: uuid()
      .readOnly()
      .describe('The receipt it stands on: the entries of keys that were issued together share it.'),
  },
  search: ['purpose', 'external_id'],
  searchThrough: ['individual_id', 'key_id'],
  place: (places) => sql`${raw(places.row)}.key_id in (
    select k.id from keys k join key_types kt on kt.org = :org and kt.id = k.key_type_id
    where k.org = :org and ${placedByLockingSystem(places, 'kt.locking_system_id')})`,
})

export type KeyHandover = RowOf<typeof keyHandovers.fields>
