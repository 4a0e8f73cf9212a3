type Types = (word: string) => string

const columnTypes: Readonly<Record<string, string>> = {
  valid_from: 'time',
  valid_until: 'time',
  expires_at: 'time',
  released_at: 'time',
  revoked_at: 'time',
  occupancy_limit: 'int',
  passback_minutes: 'int',
  max_uses: 'int',
  emergency_exit: 'bool',
  first_person_in: 'bool',
  requires_pin: 'bool',
  requires_second_person: 'bool',
  during_lockdown: 'bool',
  windows: 'json',
  holiday_windows: 'json',
  days: 'json',
}
const typeOf = (column: string): string => columnTypes[column] ?? (/(^|_)id$/.test(column) ? 'uuid' : 'text')

/**
 * The history of a table: its past rows, and the triggers that keep them. The arguments are those of a migration, which
 * stays as it is.
 */
export function historyOf(
  table: string,
  columns: readonly string[],
  dialect: 'sqlite' | 'postgres',
  type: Types,
): string {
  // An organization is its own, and never goes.
  const isOrganization = table === 'organizations'
  const org = `old.${isOrganization ? 'key' : 'org'}`
  const kept = [...columns, 'created_at']
  const sequence =
    dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'
  const definitions = columns.map((column) => `${column} ${type(typeOf(column))}`)
  const key = columns.includes('id') ? ['id'] : columns
  const ended = `(select o.changed_at from organizations o where o.key = ${org})`
  const insert = `insert into ${table}_history (org, ${kept.join(', ')}, ended_at)
    values (${org}, ${kept.map((name) => `old.${name}`).join(', ')}, ${ended});`
  const value = columns.filter((column) => column !== 'id')
  const differs = (test: string) => value.map((column) => `old.${column} ${test} new.${column}`).join(' or ')
  const tables = `create table ${table}_history (sequence ${sequence}, org ${type('int')} not null,
    ${definitions.join(', ')}, created_at ${type('time')} not null, ended_at ${type('time')} not null);
create index ${table}_history_by_key on ${table}_history (org, ${key.join(', ')}, ended_at);
create index ${table}_history_by_end on ${table}_history (org, ended_at);`
  const removed = `create trigger ${table}_history_delete after delete on ${table}`
  if (dialect === 'sqlite') {
    const updated = `create trigger ${table}_history_update after update of ${value.join(', ')} on ${table} when
      ${differs('is not')} begin ${insert} end;`
    return `${tables}
${columns.includes('id') ? updated : ''}
${isOrganization ? '' : `${removed} begin ${insert} end;`}`
  }
  const updated = `create trigger ${table}_history_update after update on ${table} for each row when
    (${differs('is distinct from')}) execute function ${table}_keep();`
  return `${tables}
create function ${table}_keep() returns trigger language plpgsql as $keep$ begin ${insert} return null; end $keep$;
${columns.includes('id') ? updated : ''}
${isOrganization ? '' : `${removed} for each row execute function ${table}_keep();`}`
}
