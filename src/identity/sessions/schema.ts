import { boolean, common, oneOf, type RowOf, text, timestamp } from '../../core/fields.ts'
import { inColumns } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'

export const SESSION_SECONDS = 12 * 3600
export const IDLE_MS = 30 * 60_000

/**
 * No session ends later than that; one that says so was opened by a clock that was ahead. A minute more, since not all
 * machines' clocks are alike.
 */
export const lastEnd = (now: string): string =>
  new Date(Date.parse(now) + SESSION_SECONDS * 1000 + 60_000).toISOString()

const { id, created_at } = common

export const sessions = defineResource({
  noun: 'sessions',
  table: 'sessions',
  singular: 'session',
  plural: 'sessions',
  description:
    'Where you are logged in. A session ends by itself after 30 minutes without a request, and after 12 hours in any ' +
    'case.',
  fields: {
    id,
    created_at: created_at.describe('When you logged in.'),
    last_seen_at: timestamp().readOnly().describe('When it was last used, to the minute.'),
    expires_at: timestamp().readOnly().describe('When it ends at the latest.'),
    address: text(100).nullable().readOnly().describe('The address you logged in from.', '192.0.2.7'),
    user_agent: text(500)
      .nullable()
      .readOnly()
      .describe('What the browser calls itself.', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/151.0'),
    factor: oneOf('totp', 'recovery_code', 'passkey', 'sign_on_mfa')
      .nullable()
      .readOnly()
      .describe(
        'By which second factor you logged in or confirmed it; `sign_on_mfa`: the provider of single sign-on asked ' +
          'for one.',
        'totp',
      ),
    is_current: boolean().decorated().describe('Whether it is the session of this very request.', true),
  },
  search: [],
  searchAlso: inColumns('address', 'user_agent'),
  isVolatile: true,
})

export type SessionFactor = NonNullable<RowOf<typeof sessions.fields>['factor']>
