-- Written once for both engines. Words in double braces are the few things that differ; migrate.ts says what each becomes.
-- `org` is the organization's short key: every row of every tenant table carries it, every reference includes it, so that
-- a row cannot point into another organization whatever the code does.

create table organizations (
  key {{serial}},
  id {{uuid}} not null unique,
  name {{text}} not null unique,
  time_zone {{text}} not null default 'UTC',
  status {{text}} not null default 'active' check (status in ('active', 'suspended')),
  max_token_days {{int}} not null default 366,
  data_version {{big}} not null default 1,
  places_version {{big}} not null default 1,
  access_version {{big}} not null default 1,
  created_at {{time}} not null
);

create table roles (
  {{row}},
  name {{text}} not null,
  description {{text}},
  permissions {{json}} not null,
  is_built_in {{bool}} not null,
  unique (org, name)
);
{{indexes roles}}

create table service_users (
  {{row}},
  name {{text}} not null,
  description {{text}},
  status {{text}} not null check (status in ('active', 'suspended')),
  last_used_at {{time}}
);
{{indexes service_users}}
{{search service_users}}

create table audit_log (
  org {{int}} not null references organizations (key),
  sequence {{big}} not null,
  id {{uuid}} not null,
  occurred_at {{time}} not null,
  action {{text}} not null,
  resource {{text}} not null,
  resource_id {{uuid}},
  actor_kind {{text}} not null,
  actor_id {{uuid}},
  actor_name {{text}} not null,
  address {{text}},
  req_id {{text}},
  salt {{text}} not null,
  content {{text}},
  content_hash {{text}} not null,
  hash {{text}} not null,
  primary key (org, sequence)
);
create unique index audit_log_by_id on audit_log (org, id);
create index audit_log_by_resource on audit_log (org, resource_id, sequence);

create table outbox (
  sequence {{serial}},
  org {{int}} not null references organizations (key),
  id {{uuid}} not null,
  type {{text}} not null,
  occurred_at {{time}} not null,
  payload {{json}} not null
);
create index outbox_by_org on outbox (org, sequence);

create table idempotency_keys (
  org {{int}} not null references organizations (key),
  principal_id {{uuid}} not null,
  key {{text}} not null,
  fingerprint {{text}} not null,
  status {{int}} not null,
  location {{text}},
  etag {{text}},
  body {{text}} not null,
  created_at {{time}} not null,
  primary key (org, principal_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How often a credential was used in the minute that began at `minute`; only where a limit is configured.
create table rate_counters (
  org {{int}} not null references organizations (key),
  credential_id {{uuid}} not null,
  minute {{time}} not null,
  used {{int}} not null,
  primary key (org, credential_id)
);
