import { common, text, timestamp } from '../../core/fields.ts'
import { inColumns } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'

const { id, created_at, version } = common

export const identities = defineResource({
  noun: 'identities',
  table: 'user_identities',
  singular: 'identity',
  plural: 'identities',
  description:
    'Accounts of yours at providers of single sign-on, with which you log in here. Each is known by issuer and ' +
    'subject, never by e-mail address.',
  fields: {
    id,
    created_at: created_at.describe('When it was connected.'),
    version,
    provider: text(40).readOnly().describe('The provider, as it is configured.', 'google'),
    provider_name: text(200)
      .decorated()
      .describe('What the provider is called; one that is not configured any more keeps its id.', 'Google'),
    issuer: text(500).readOnly().describe('Who vouches for it.', 'https://accounts.example'),
    email: text(254)
      .nullable()
      .readOnly()
      .describe('The e-mail address that the account had there last, to recognise it by.', 'ada@example.org'),
    last_used_at: timestamp().nullable().readOnly().describe('When you last logged in with it.'),
  },
  search: [],
  searchAlso: inColumns('provider', 'issuer', 'email'),
})
