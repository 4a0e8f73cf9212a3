type DialectName = 'sqlite' | 'postgres'

/**
 * So many events, one after the other in their order, are a stretch. Part of the schema: another number is another
 * migration.
 */
export const STRETCH = 2000

/** What an event is of, by what has few values. What it does not say is an empty text. */
export const KIND_ALONE = ['type', 'result', 'direction', 'verdict', 'verdict_reason'] as const
/** The same, and where it is seen from. */
const KIND = [...KIND_ALONE, 'building_id', 'system_id'] as const
export type EventKind = Record<(typeof KIND)[number], string>

const valueIn = (row: string, name: (typeof KIND)[number]): string => {
  if (name === 'building_id') return `coalesce(cast(${row}.building_id as text), '')`
  // Where its system stands matters of an event without a door alone.
  if (name === 'system_id')
    return `coalesce(case when ${row}.access_point_id is null then cast(${row}.access_control_system_id as text) end,
      '')`
  return `coalesce(${row}.${name}, '')`
}

/** The same of an event, as columns. */
export const kindIn = (row: string): string => KIND.map((name) => `${valueIn(row, name)} as ${name}`).join(', ')

const KEY = ['org', 'stretch', ...KIND].join(', ')
const TIMES = 'occurred_first, occurred_last, received_first, received_last'
const stretchOf = (row: string): string => `(${row}.sequence - 1) / ${STRETCH}`
const keyIn = (row: string): string =>
  [`${row}.org`, stretchOf(row), ...KIND.map((name) => valueIn(row, name))].join(', ')
const BY_KEY = 'group by 1, 2, 3, 4, 5, 6, 7, 8, 9'

/** What the rows of a table say. */
const counted = (
  from: string,
): string => `select ${keyIn('t')}, count(*), min(t.occurred_at), max(t.occurred_at), min(t.received_at),
    max(t.received_at) from ${from} t ${BY_KEY}`

/** Everything by the events themselves. */
export const STRETCHES_ANEW = `insert into event_stretches (${KEY}, count, ${TIMES}) ${counted('access_events')}`

/** What is kept and what there is, where they differ. */
export const STRETCHES_AMISS = `select org, 'event_stretches' as name,
    stretch || ' ' || ${KIND.join(` || ' ' || `)} as value,
    sum(kept) as kept, sum(counted) as counted
  from (select ${KEY}, count as kept, 0 as counted from event_stretches
    union all select ${keyIn('t')}, 0, count(*) from access_events t ${BY_KEY}) as b
  group by ${KEY} having sum(kept) <> sum(counted) order by org, stretch`

const wider = (row: string, least: string, most: string): string =>
  ['occurred', 'received']
    .flatMap((name) => [
      `${name}_first = ${least}(${row}.${name}_first, excluded.${name}_first)`,
      `${name}_last = ${most}(${row}.${name}_last, excluded.${name}_last)`,
    ])
    .join(', ')

/** What comes later than its event. */
const CHANGING = 'verdict, verdict_reason'

/**
 * By the name of the table: where a trigger has another name for what it writes, SQLite renames no table any more,
 * whichever it is.
 */
function onSqlite(): string {
  const row = 'event_stretches'
  const kinds = KIND.map((name) => `${row}.${name} = ${valueIn('old', name)}`).join(' and ')
  const isOfOld = `${row}.org = old.org and ${row}.stretch = ${stretchOf('old')} and ${kinds}`
  const came = `insert into event_stretches (${KEY}, count, ${TIMES})
    values (${keyIn('new')}, 1, new.occurred_at, new.occurred_at, new.received_at, new.received_at)
    on conflict (${KEY}) do update set count = ${row}.count + 1, ${wider(row, 'min', 'max')};`
  const went = `update event_stretches set count = ${row}.count - 1 where ${isOfOld};
  delete from event_stretches where ${isOfOld} and ${row}.count = 0;`
  return `create trigger access_events_stretch_insert after insert on access_events begin
  ${came}
end;
create trigger access_events_stretch_delete after delete on access_events begin
  ${went}
end;
create trigger access_events_stretch_update after update of ${CHANGING} on access_events begin
  ${went}
  ${came}
end;`
}

/** Once per statement, however many rows it writes. */
function onPostgres(): string {
  const came = `insert into event_stretches as s (${KEY}, count, ${TIMES}) ${counted('added')}
    on conflict (${KEY}) do update set count = s.count + excluded.count, ${wider('s', 'least', 'greatest')};`
  const went = `update event_stretches as s set count = s.count - r.count
    from (select ${keyIn('t')}, count(*) from removed t ${BY_KEY}) as r (${KEY}, count)
    where ${['org', 'stretch', ...KIND].map((name) => `s.${name} = r.${name}`).join(' and ')};
  delete from event_stretches as s using (select distinct t.org, ${stretchOf('t')} as stretch from removed t) r
    where s.org = r.org and s.stretch = r.stretch and s.count = 0;`
  const make = (on: string, tables: string, work: string) =>
    `create function access_events_stretch_${on}() returns trigger language plpgsql as $stretch$ begin
  ${work}
  return null;
end $stretch$;
create trigger access_events_stretch_${on} after ${on} on access_events referencing ${tables}
  for each statement execute function access_events_stretch_${on}();`
  return [
    make('insert', 'new table as added', came),
    make('delete', 'old table as removed', went),
    make('update', 'old table as removed new table as added', `${went}\n  ${came}`),
  ].join('\n')
}

const triggers = { sqlite: onSqlite, postgres: onPostgres }

/** Counts what is there, and has it kept from then on. */
export const keepStretches = (dialect: DialectName): string => `${STRETCHES_ANEW};\n${triggers[dialect]()}`
