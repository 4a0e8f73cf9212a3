-- Files that were sent to be taken in: what is to become of each, and how far it has come.
create table imports (
  {{row}},
  resource {{text}} not null,
  file_name {{text}},
  status {{text}} not null check (status in ('reading', 'checking', 'checked', 'running', 'done', 'cancelled', 'refused', 'interrupted')),
  -- Whether it is only tried, for now.
  dry_run {{bool}} not null,
  columns {{json}} not null,
  mapping {{json}} not null,
  row_count {{int}} not null,
  row_done {{int}} not null,
  created_count {{int}} not null,
  changed_count {{int}} not null,
  unchanged_count {{int}} not null,
  failed_count {{int}} not null,
  -- Whose it is, and what they could do when they sent it.
  maker_id {{uuid}} not null,
  actor {{json}} not null,
  rights {{json}} not null,
  -- Until when a process is at it; one that is gone leaves it to the next.
  claimed_until {{time}}
);
{{indexes imports}}
create index imports_to_do on imports (claimed_until) where status in ('reading', 'checking', 'running');

create table import_rows (
  org {{int}} not null references organizations (key),
  import_id {{uuid}} not null,
  row_number {{int}} not null,
  -- As sent, until the row has been taken in; of one that failed, until the import goes.
  cells {{json}},
  -- The caller's own key and the name that the row gives: for rows that refer to it, and to erase somebody.
  key {{text}},
  name {{text}},
  -- What would become of it, and what became of it.
  tried {{text}} check (tried in ('created', 'changed', 'unchanged', 'failed')),
  outcome {{text}} check (outcome in ('created', 'changed', 'unchanged', 'failed')),
  item_id {{uuid}},
  errors {{json}},
  primary key (org, import_id, row_number),
  foreign key (org, import_id) references imports (org, id) on delete cascade
);
create index import_rows_to_try on import_rows (org, import_id, row_number) where tried is null;
create index import_rows_to_do on import_rows (org, import_id, row_number) where outcome is null;
create index import_rows_with_errors on import_rows (org, import_id, row_number) where errors is not null;
create index import_rows_by_key on import_rows (org, key, import_id) where key is not null;
create index import_rows_by_name on import_rows (org, name, import_id) where name is not null;

-- How the columns of such a file were meant the last time.
create table import_mappings (
  org {{int}} not null references organizations (key),
  resource {{text}} not null,
  columns {{text}} not null,
  mapping {{json}} not null,
  primary key (org, resource, columns)
);
