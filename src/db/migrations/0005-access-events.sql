-- What happened at the doors. Append-only: no row is ever changed. Ids are kept as they were, without foreign keys, so that
-- the history of what was deleted or anonymised stays.
create table access_events (
  org {{int}} not null references organizations (key),
  sequence {{big}} not null,
  id {{uuid}} not null,
  -- The sender's own id: the same event sent twice is stored once.
  source_id {{text}},
  type {{text}} not null,
  result {{text}},
  reason {{text}},
  access_point_id {{uuid}},
  individual_id {{uuid}},
  credential_id {{uuid}},
  credential_number {{text}},
  access_control_system_id {{uuid}},
  command_id {{uuid}},
  direction {{text}},
  occurred_at {{time}} not null,
  received_at {{time}} not null,
  primary key (org, sequence)
);
create unique index access_events_by_id on access_events (org, id);
create unique index access_events_by_source on access_events (org, access_control_system_id, source_id) where source_id is not null;
create index access_events_by_time on access_events (org, occurred_at);
