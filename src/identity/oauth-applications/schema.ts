import { common, json, name, oneOf, prose, type RowOf, reference, text, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource, type Item } from '../../db/resource.ts'
import { PermissionSet } from '../roles/schema.ts'
import { type Decided, refuseDecidingOver } from './deciding.ts'
// The resource that is referred to is defined there.
import '../service-users/schema.ts'

const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 20, uniqueItems: true })

export const oauthApplications = defineResource({
  noun: 'oauth-applications',
  table: 'oauth_applications',
  singular: 'OAuth application',
  plural: 'OAuth applications',
  description:
    'Software that acts for people who consent to it (OAuth 2.0, authorization code with PKCE), or as a service user ' +
    'of its own (client credentials). Its id is its `client_id`. Suspending or deleting one ends every access it ' +
    'was given, at once.',
  fields: {
    ...common,
    name: name().required().describe('Name, as shown to the people it asks.', 'Badge printer'),
    description: prose()
      .nullable()
      .describe('What it is for, as shown to the people it asks.', 'Prints badges for new employees'),
    kind: oneOf('confidential', 'public')
      .fixedAtCreation()
      .describe(
        'Confidential: runs on a server and has a secret. Public: runs in a browser or on a device, and has none.',
      ),
    redirect_uris: json(RedirectUris)
      .default([])
      .describe(
        'Where people are sent back to, compared exactly: HTTPS, HTTP on the local machine, or, of a public ' +
          'application, a scheme of its own with a dot. Without one it cannot ask people.',
        ['https://badges.example/callback'],
      ),
    permissions: json(PermissionSet)
      .default([])
      .describe(
        'What it may ask for, at most; these are its scopes. Nobody can put in what they do not hold everywhere ' +
          'themselves.',
        ['individuals:read'],
      ),
    service_user_id: reference('service_users')
      .nullable()
      .describe(
        'Whom it acts as with the grant client_credentials, within its permissions. Of a confidential application ' +
          'only.',
        null,
      ),
    status: oneOf('active', 'suspended').describe('Suspended: it gets no tokens, and those it has are refused.'),
    secret_last_four: text(4).nullable().readOnly().describe('How its secret ends.', 'x7Qe'),
    secret_created_at: timestamp().nullable().readOnly().describe('When its secret was made.'),
    previous_secret_expires_at: timestamp()
      .nullable()
      .readOnly()
      .describe('Until when the secret before this one still works, after a rotation.', null),
  },
  search: ['name', 'description'],
  onWake: (tx, next) => refuseDecidingOver(tx, next as Item & Decided),
})

export type OauthApplication = RowOf<typeof oauthApplications.fields>
