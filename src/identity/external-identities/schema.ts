import { common, json, type RowOf, reference, text } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { PermissionSet } from '../roles/schema.ts'
// The resources that are referred to are defined there.
import '../service-users/schema.ts'
import '../users/schema.ts'

export const externalIdentities = defineResource({
  noun: 'external-identities',
  table: 'external_identities',
  singular: 'external identity',
  plural: 'external identities',
  description:
    'Whom a trusted issuer (`TRUSTED_ISSUERS`) means by a subject: a user or a service user of this organization. A ' +
    'JWT of that issuer, with that subject, has their rights.',
  fields: {
    ...common,
    issuer: text(500, { minLength: 1 })
      .required()
      .fixedAtCreation()
      .describe('The `iss` of its tokens, one of those that the configuration trusts.', 'https://idp.example'),
    subject: text(255, { minLength: 1 })
      .required()
      .fixedAtCreation()
      .describe('The `sub` of its tokens; with the issuer, unique in this service.', '248289761001'),
    user_id: reference('users')
      .nullable()
      .owned()
      .fixedAtCreation()
      .describe('The user it stands for; this or service_user_id.', null),
    service_user_id: reference('service_users')
      .nullable()
      .owned()
      .fixedAtCreation()
      .describe('The service user it stands for; this or user_id.'),
    permissions: json(PermissionSet)
      .nullable()
      .describe('Of what the user or service user may do, only this; null: all of it.', ['spaces:read']),
  },
  search: ['issuer', 'subject', 'external_id'],
  searchThrough: ['user_id', 'service_user_id'],
})

export type ExternalIdentity = RowOf<typeof externalIdentities.fields>
