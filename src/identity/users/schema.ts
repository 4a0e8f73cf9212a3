import { boolean, common, count, line, name, oneOf, type RowOf, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { assignedAt } from '../../db/scope.ts'
import { refuseGivingAllOf } from '../giving.ts'

/** No white space, no control characters, one @: what is beyond that only a letter to it can tell. */
export const ADDRESS = '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$'
export const MAX_ADDRESS = 254

export const users = defineResource({
  noun: 'users',
  table: 'users',
  singular: 'user',
  plural: 'users',
  description:
    'People who can log in. A user is invited, accepts with a password of their own, and acts within their roles. ' +
    'Deleting one ends their sessions and takes their roles away.',
  fields: {
    ...common,
    email: line(MAX_ADDRESS, { minLength: 3, pattern: ADDRESS })
      .required()
      .describe(
        'The address they log in with; unique within the organization, whatever its case. Changing it ends links ' +
          'that were sent to the one before.',
        'ada@example.org',
      ),
    name: name().required().describe('Name.', 'Ada Lovelace'),
    status: oneOf('invited', 'active', 'suspended')
      .readOnly()
      .describe('Invited: has no password yet. Suspended: cannot log in, and is logged out.'),
    language: oneOf('en', 'de')
      .nullable()
      .describe('In which language letters are written to them; without one, the organization’s.', 'de'),
    last_login_at: timestamp().nullable().readOnly().describe('When they last logged in.'),
    mfa: boolean()
      .derived('t.totp_confirmed_at is not null')
      .describe('Whether a password takes a second factor (an authenticator app).', true),
    passkeys: count('select count(*) from passkeys p where p.org = :org and p.user_id = t.id').describe(
      'How many passkeys they have; each stands for both factors.',
      1,
    ),
  },
  // Those who have a role at a place are known there by name.
  reaches: { rows: assignedAt('user_id'), fields: ['id', 'name'] },
  search: ['email', 'name'],
  onWake: (tx, { id }) => refuseGivingAllOf(tx, { user_id: id, service_user_id: null }),
})

export type User = RowOf<typeof users.fields>
