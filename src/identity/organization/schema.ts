import { boolean, code, common, integer, name, oneOf, type RowOf, timestamp } from '../../core/fields.ts'
import { allPermissions } from '../../core/permissions.ts'
import { defineResource } from '../../db/resource.ts'
import { refuseMoreThanOwn } from '../giving.ts'

export const MAX_TOKEN_DAYS = 366

/** The one that the caller belongs to: there is no list of organizations, and no id in the path. */
export const organization = defineResource({
  noun: 'organization',
  table: 'organizations',
  singular: 'organization',
  plural: 'organization',
  description: 'What your organization has decided for itself.',
  fields: {
    id: common.id,
    name: name().required().describe('Name, unique in this installation.', 'ETH Zürich'),
    time_zone: code()
      .default('UTC')
      .describe('IANA time zone, for every place that has none of its own.', 'Europe/Zurich'),
    language: oneOf('en', 'de').describe('The language of pages and mail for whoever has not chosen one.', 'de'),
    max_token_days: integer(1, MAX_TOKEN_DAYS)
      .default(MAX_TOKEN_DAYS)
      .describe(
        'How many days ahead a token may end, when it is made or rotated. Tokens that exist stay as they are.',
        90,
      ),
    require_second_factor: boolean()
      .default(false)
      .describe(
        'Whether everybody who logs in needs a second factor: whoever has none sets one up before anything else, and ' +
          'so do those who are logged in already. Tokens are not concerned. Taking it back needs a login, and every ' +
          'permission there is.',
        true,
      ),
    status: oneOf('active', 'suspended')
      .readOnly()
      .describe('Whoever runs the service can suspend it: then no credential of it works.'),
    created_at: common.created_at,
    updated_at: timestamp().readOnly().describe('When it was last changed.'),
    version: common.version,
  },
  search: [],
  // Everybody in it, whatever they hold.
  onWake: async (tx) =>
    refuseMoreThanOwn(
      tx.actor,
      allPermissions.map((permission) => [permission, 'all']),
    ),
})

export type OrganizationSettings = RowOf<typeof organization.fields>
