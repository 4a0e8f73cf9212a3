import { individualIn, MEANS, type Means } from '../../access/lists/of-places.ts'
import { code, common, json, line, name, oneOf, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'

export const individuals = defineResource({
  noun: 'individuals',
  table: 'individuals',
  singular: 'individual',
  plural: 'individuals',
  description:
    'People who carry credentials and keys and are given access: employees, contractors, tenants, visitors. Each ' +
    'belongs to a location, to a building or to the organization as a whole. A role limited to a place sees those ' +
    'who belong there whole; of those who belong elsewhere and may open a door there, or hold a key to one, it ' +
    'sees `id`, `display_name`, `kind`, `company`, `status` and `means`, and all other fields are absent.',
  fields: {
    ...common,
    kind: oneOf('employee', 'contractor', 'tenant', 'visitor', 'service').describe(
      'What they are to the organization.',
      'employee',
    ),
    given_name: line(200)
      .default('')
      .describe('Given name. Required with family_name unless display_name is given.', 'Ada'),
    family_name: line(200)
      .default('')
      .describe('Family name. Required with given_name unless display_name is given.', 'Lovelace'),
    display_name: name().describe(
      'How they are shown. Made of given_name and family_name when left out, and then follows them; one that was set ' +
        'to anything else stays.',
      'Ada Lovelace',
    ),
    email: line(320, { pattern: '^[^\\s@]+@[^\\s@]+$' }).nullable().describe('E-mail address.', 'ada@example.com'),
    phone: code().nullable().describe('Telephone number.', '+41 44 632 11 11'),
    personnel_number: code().nullable().describe('Number in the personnel system.', 'P-1815'),
    company: line(200)
      .nullable()
      .describe('Company, for those who are not the organization’s own.', 'Analytical Engines Ltd'),
    department: line(200).nullable().describe('Department.', 'Research'),
    manager_id: reference('individuals')
      .nullable()
      .describe('Whom they report to; never themselves, however long the chain.'),
    location_id: reference('locations')
      .nullable()
      .describe('The location they belong to; this, building_id or neither.', null),
    building_id: reference('buildings')
      .nullable()
      .describe('The building they belong to; this, location_id or neither.', null),
    status: oneOf('invited', 'active', 'suspended', 'offboarded', 'anonymised')
      .startsAs('invited', 'active')
      .describe(
        'At creation invited or active; afterwards the actions suspend, reactivate, offboard and anonymise change it.',
        'active',
      ),
    valid_from: timestamp().nullable().describe('From when on their credentials can work; null: from the start.'),
    valid_until: timestamp()
      .nullable()
      .describe('Until when their credentials can work; null: without end.', '2027-12-31T23:00:00.000Z'),
    offboard_at: timestamp()
      .nullable()
      .readOnly()
      .describe('When they are to be offboarded, as offboard was told; taken back by take-back-offboarding.', null),
    valid_until_before: timestamp()
      .nullable()
      .readOnly()
      .describe(
        'Until when they were valid before their offboarding was planned; taking that back brings it back.',
        null,
      ),
    means: json(Type.Array(Type.Unsafe<Means>({ type: 'string', enum: MEANS })))
      .decorated()
      .absentWhenForbidden()
      .describe(
        'How they have to do with the places that your role is limited to: by a grant, by a group with a grant, by a ' +
          'key. Absent when it is not limited.',
        ['grant', 'key'],
      ),
  },
  place: lyingAt,
  reaches: {
    rows: individualIn,
    fields: ['id', 'display_name', 'kind', 'company', 'status', 'means'],
  },
  isReferredToBySight: true,
  search: [
    'display_name',
    'given_name',
    'family_name',
    'email',
    'phone',
    'personnel_number',
    'company',
    'department',
    'external_id',
  ],
  // Their cards and keys work again: nothing that they could do in this service.
  onWake: 'gives_nothing',
})

export type Individual = RowOf<typeof individuals.fields>
