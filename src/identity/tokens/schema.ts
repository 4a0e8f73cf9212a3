import { common, json, name, oneOf, type RowOf, reference, text, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { PermissionSet } from '../roles/schema.ts'

export const tokens = defineResource({
  noun: 'tokens',
  table: 'tokens',
  singular: 'token',
  plural: 'tokens',
  description:
    'Personal access tokens of a service user. The value of a token is in the answer that creates it and nowhere ' +
    'else. A token has the rights of its service user, less what the token itself leaves out.',
  fields: {
    ...common,
    service_user_id: reference('service_users').required().owned().describe('Whose it is.'),
    name: name().required().describe('Where it is used.', 'Nightly job on srv-12'),
    expires_at: timestamp()
      .required()
      .describe('When it ends: at least 1 hour and at most 366 days ahead, or less where the organization says so.'),
    permissions: json(PermissionSet)
      .nullable()
      .describe('Of what its service user may do, only this; null: all of it.', ['spaces:read']),
    addresses: json(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 100, uniqueItems: true }))
      .nullable()
      .describe('The addresses and networks (CIDR) it may be used from; null: from anywhere.', [
        '192.0.2.0/24',
        '2001:db8::/32',
      ]),
    location_id: reference('locations').nullable().describe('Limits it to this location and everything below it.'),
    building_id: reference('buildings')
      .nullable()
      .describe('Limits it to this building and everything below it.', null),
    prefix: text(20).readOnly().describe('How the value begins.', 'acs_pat_'),
    last_four: text(4).readOnly().describe('How the value ends.', 'x7Qe'),
    status: oneOf('active', 'expired', 'revoked')
      .derived(
        `case when t.revoked_at is not null then 'revoked' when t.expires_at <= :now then 'expired' else 'active' end`,
      )
      .describe('Whether it can be used.'),
    last_used_at: timestamp().nullable().readOnly().describe('When it was last used, to the minute.'),
    last_used_ip: text(100).nullable().readOnly().describe('The address it was last used from.', '192.0.2.7'),
    revoked_at: timestamp().nullable().readOnly().describe('When it was revoked.'),
  },
  search: ['name', 'last_four', 'external_id'],
  isVolatile: true,
})

export type Token = RowOf<typeof tokens.fields>
