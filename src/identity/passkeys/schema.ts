import { boolean, common, name, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'

const { id, created_at, updated_at, version } = common

export const passkeys = defineResource({
  noun: 'passkeys',
  table: 'passkeys',
  singular: 'passkey',
  plural: 'passkeys',
  description:
    'Keys that a device of yours keeps (WebAuthn). Logging in with one takes neither address nor password, and ' +
    'counts as both factors: the device asks for a fingerprint, a face or its PIN.',
  fields: {
    id,
    created_at,
    updated_at,
    version,
    name: name().required().describe('What you call it.', 'My phone'),
    last_used_at: timestamp().nullable().readOnly().describe('When you last logged in with it.'),
    is_synced: boolean()
      .readOnly()
      .describe('Whether it is kept on several devices, by a password manager for example.', true),
  },
  search: ['name'],
})
