import { code, common, line, name, oneOf, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'

export const individuals = defineResource({
  noun: 'individuals',
  table: 'individuals',
  singular: 'individual',
  plural: 'individuals',
  description:
    'People who carry credentials and keys and are given access: employees, contractors, tenants, visitors. They belong to the organization as a whole, not to a place.',
  fields: {
    ...common,
    kind: oneOf('employee', 'contractor', 'tenant', 'visitor', 'service').describe('What they are to the organization.', 'employee'),
    given_name: line(200).default('').describe('Given name. Required with family_name unless display_name is given.', 'Ada'),
    family_name: line(200).default('').describe('Family name. Required with given_name unless display_name is given.', 'Lovelace'),
    display_name: name().describe(
      'How they are shown. Made of given_name and family_name when left out, and then follows them; one that was set to anything else stays.',
      'Ada Lovelace',
    ),
    email: line(320, { pattern: '^[^\\s@]+@[^\\s@]+$' }).nullable().describe('E-mail address.', 'ada@example.com'),
    phone: code().nullable().describe('Telephone number.', '+41 44 632 11 11'),
    personnel_number: code().nullable().describe('Number in the personnel system.', 'P-1815'),
    company: line(200).nullable().describe('Company, for those who are not the organization’s own.', 'Analytical Engines Ltd'),
    department: line(200).nullable().describe('Department.', 'Research'),
    manager_id: reference('individuals').nullable().describe('Whom they report to; never themselves, however long the chain.'),
    status: oneOf('invited', 'active', 'suspended', 'offboarded', 'anonymised')
      .startsAs('invited', 'active')
      .describe('At creation invited or active; afterwards the actions suspend, reactivate, offboard and anonymise change it.', 'active'),
    valid_from: timestamp().nullable().describe('From when on their credentials can work; null: from the start.'),
    valid_until: timestamp().nullable().describe('Until when their credentials can work; null: without end.', '2027-12-31T23:00:00.000Z'),
  },
  search: ['display_name', 'given_name', 'family_name', 'email', 'phone', 'personnel_number', 'company', 'department', 'external_id'],
  // Their cards and keys work again: nothing that they could do in this service.
  onWake: 'gives_nothing',
})

export type Individual = RowOf<typeof individuals.fields>
