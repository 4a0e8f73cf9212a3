import { credentialReasons, credentialStatuses, credentialStatusSql } from '../../core/cards/credential-state.ts'
import {
  boolean,
  code,
  common,
  integer,
  line,
  oneOf,
  type RowOf,
  reference,
  text,
  timestamp,
} from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

const MAX_COUNT = 2_147_483_647

export const credentials = defineResource({
  noun: 'credentials',
  table: 'credentials',
  singular: 'credential',
  plural: 'credentials',
  description:
    'Cards, PINs, mobile keys, transponders, QR codes, number plates and biometric templates: what an individual ' +
    'identifies with. status_type says what it is good for now and follows from status_reason, the window, the ' +
    'uses left and the holder. A number is unique within its type and facility code among the credentials that are ' +
    'not terminated, however it is written: `match_key` is what counts.',
  fields: {
    ...common,
    individual_id: reference('individuals').nullable().describe('The holder; without one it is pending.'),
    access_control_system_id: reference('access_control_systems').nullable().describe('The system it was made for.'),
    type: oneOf('card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric')
      .required()
      .fixedAtCreation()
      .describe('What it is.', 'card'),
    label: line(200).nullable().describe('What is printed or written on it.', 'Blue badge 17'),
    number: code()
      .nullable()
      .describe(
        'Card number, plate, code: what a reader reads. Null of the QR code of a visit, which the visit alone shows.',
        '0004711',
      ),
    facility_code: code().nullable().describe('Facility or site code in front of the number.', '108'),
    format: code().nullable().describe('Card format.', 'wiegand-26'),
    match_key: text(500)
      .nullable()
      .readOnly()
      .describe(
        'Type, number and facility code in their canonical form, without the zeros, separators and case that people ' +
          'and printers add or leave out: 0004711 and 4711 are one number, and so are 108,04711 and 4711 with the ' +
          'facility code 108. A format such as wiegand-26 or hex helps to read the number. With = in front, another ' +
          'credential in use had the same form when this was introduced: it is known by its text alone, until it is ' +
          'changed. With # in front, it is the digest of a code that is not shown: of the QR code of a visit.',
        'card:4711:108',
      ),
    pin: text(12, { pattern: '^[0-9]{4,12}$' })
      .nullable()
      .writeOnly()
      .describe(
        'PIN of 4 to 12 digits, for the types pin and card. Stored as a keyed hash and never shown; null removes it. ' +
          'Of the type pin, which says by itself whose it is, no two in use have the same one: 409, without a word ' +
          'of the other.',
        '4711',
      ),
    has_pin: boolean()
      .derived('t.pin_key is not null or t.pin_hash is not null')
      .describe('Whether a PIN is set.', false),
    valid_from: timestamp().nullable().describe('From when on it can be used; null: from the start.'),
    valid_until: timestamp()
      .nullable()
      .describe('Until when it can be used; null: without end.', '2027-12-31T23:00:00.000Z'),
    max_uses: integer(1, MAX_COUNT).nullable().describe('After so many uses it is expired; null: no limit.', 1),
    use_count: integer(0, MAX_COUNT)
      .derived('coalesce((select cu.use_count from credential_uses cu where cu.org = :org and cu.id = t.id), 0)')
      .describe('How often it was used.', 0),
    last_used_at: timestamp()
      .nullable()
      .derived('select cu.last_used_at from credential_uses cu where cu.org = :org and cu.id = t.id')
      .describe('When it was last used.'),
    status_reason: oneOf(...credentialReasons).describe(
      'Why it is as it is. lost, stolen, damaged, returned and revoked terminate it; forgotten, inactivity and ' +
        'locked_out suspend it; not_collected leaves it pending. A terminated one cannot go back to none or ' +
        'not_collected directly: suspend it first, a lost or stolen one by the action found.',
      'none',
    ),
    status_type: oneOf(...credentialStatuses)
      .derived(credentialStatusSql('t'))
      .describe('What it is good for now, derived from the reason, the window, the uses and the holder.', 'active'),
  },
  search: ['label', 'number', 'facility_code', 'external_id'],
  // A credential is where its individual belongs.
  place: (places) => sql`${raw(places.row)}.individual_id in (
    select ci.id from individuals ci where ci.org = :org and (${lyingAt({ ...places, row: 'ci' })}))`,
})

export type Credential = RowOf<typeof credentials.fields>
