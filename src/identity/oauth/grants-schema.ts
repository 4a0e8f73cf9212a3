import { common, json, reference, text, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { PermissionSet } from '../roles/schema.ts'
// The resources that are referred to are defined there.
import '../oauth-applications/schema.ts'
import '../users/schema.ts'

const { id, created_at } = common

export const oauthGrants = defineResource({
  noun: 'oauth-grants',
  table: 'oauth_grants',
  singular: 'OAuth grant',
  plural: 'OAuth grants',
  description:
    'What you have let applications do for you. A grant ends by itself after 90 days; revoking it ends it at once.',
  fields: {
    id,
    created_at: created_at.describe('When you consented.'),
    application_id: reference('oauth_applications').readOnly().owned().describe('The application.'),
    application_name: text(200)
      .derived('(select a.name from oauth_applications a where a.org = :org and a.id = t.application_id)')
      .describe('Its name.', 'Badge printer'),
    permissions: json(PermissionSet)
      .readOnly()
      .describe('What it may do for you, as far as you may yourself.', ['individuals:read']),
    expires_at: timestamp().readOnly().describe('When it ends at the latest.'),
    last_used_at: timestamp().nullable().readOnly().describe('When the application last got a token by it.'),
  },
  search: [],
  searchThrough: ['application_id'],
  isVolatile: true,
})
