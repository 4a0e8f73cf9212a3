import { integer, json, oneOf, text, timestamp, uuid } from '../core/fields.ts'
import { Type } from '../core/schema.ts'
import { containing, inColumns } from '../db/lists/search.ts'
import { defineResource } from '../db/resource.ts'
import { join, raw, sql } from '../db/sql.ts'

const item = (when: string) =>
  json(Type.Record(Type.String(), Type.Unknown()))
    .nullable()
    .decorated()
    .describe(`The item ${when}; null where there was none.`)

const ACTORS = ['users', 'service_users']
/** What people look for by name in the log. */
const NAMED = [...ACTORS, 'individuals', 'access_groups', 'roles']

export const auditLog = defineResource({
  noun: 'audit-log',
  table: 'audit_log',
  singular: 'audit entry',
  plural: 'audit entries',
  description:
    'Every change: who made it, when, from where, and what it was before and after. Entries are only ever added, ' +
    'each is chained to the one before, and the chain is signed, so that an altered log is found.',
  fields: {
    id: uuid().readOnly().describe('Identifier (UUIDv7).', '01997d2a-4c00-7000-8000-000000000001'),
    sequence: integer(1, Number.MAX_SAFE_INTEGER)
      .readOnly()
      .describe('Counts the entries of the organization, without gaps.', 42),
    occurred_at: timestamp().readOnly().describe('When it happened.'),
    action: text(200).readOnly().describe('What was done.', 'key.issued'),
    resource: text(100).readOnly().describe('The kind of item, as in its path.', 'keys'),
    resource_id: uuid().nullable().readOnly().describe('The item.'),
    actor_kind: oneOf('user', 'service_user', 'command_line', 'system').readOnly().describe('Who did it: what kind.'),
    actor_id: uuid().nullable().readOnly().describe('Who did it; null for the command line and the service itself.'),
    actor_name: text(200).readOnly().describe('Its name at that time.', 'HR synchronisation'),
    address: text(100).nullable().readOnly().describe('The network address it came from.', '192.0.2.7'),
    req_id: text(100).nullable().readOnly().describe('The request that did it.', 'req_1781512345678000100001'),
    before: item('before'),
    after: item('after'),
  },
  search: [],
  // Names are those of today: one that was erased is not found by it any more.
  searchAlso: async (handle, word) => {
    const called = (column: string, table: string) =>
      sql`t.${raw(column)} in (select n.id from ${raw(table)} n where n.org = :org
        and ${containing('n.search_text', word)})`
    const whoAndWhat = [
      ...ACTORS.map((table) => called('actor_id', table)),
      ...NAMED.map((table) => called('resource_id', table)),
    ]
    return sql`(${await inColumns('action', 'resource')(handle, word)} or ${join(whoAndWhat, ' or ')})`
  },
  defaultOrder: ['sequence'],
})
