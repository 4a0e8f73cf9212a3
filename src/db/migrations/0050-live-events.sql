-- What happened at the doors, in the order of commit. Ids are kept as they were, without foreign keys, so that the history of what was
-- deleted or anonymised stays. Only the verdict is written later; rows go by age alone.
create table live_heads (
  org {{int}} primary key references organizations (key),
  -- The last sequence given; whoever gives the next holds this row.
  sequence {{big}} not null,
  stored {{big}} not null,
  -- Up to here something may be gone.
  gone_through {{big}} not null
);
create table access_events_anew (
  org {{int}} not null references organizations (key),
  sequence {{big}} not null,
  id {{uuid}} not null,
  -- The sender's own id: the same event sent twice is stored once.
  source_id {{text}},
  type {{text}} not null,
  result {{text}} check (result in ('granted', 'denied')),
  reason {{text}},
  access_point_id {{uuid}},
  -- Where that door was.
  building_id {{uuid}},
  individual_id {{uuid}},
  credential_id {{uuid}},
  credential_number {{text}},
  access_control_system_id {{uuid}},
  command_id {{uuid}},
  direction {{text}} check (direction in ('in', 'out')),
  occurred_at {{time}} not null,
  received_at {{time}} not null,
  -- Null: not worked out yet.
  verdict {{text}} check (verdict in ('agreed', 'unexpected_grant', 'unexpected_denial', 'unknown')),
  verdict_reason {{text}},
  primary key (org, sequence)
);
insert into access_events_anew (org, sequence, id, source_id, type, result, reason, access_point_id, building_id, individual_id,
    credential_id, credential_number, access_control_system_id, command_id, direction, occurred_at, received_at, verdict)
  select e.org, e.sequence, e.id, e.source_id, e.type, case when e.result in ('granted', 'denied') then e.result end, e.reason,
    e.access_point_id, (select s.building_id from access_points p join spaces s on s.org = p.org and s.id = p.space_id
      where p.org = e.org and p.id = e.access_point_id),
    e.individual_id, e.credential_id, e.credential_number, e.access_control_system_id, e.command_id,
    case when e.direction in ('in', 'out') then e.direction end, e.occurred_at, e.received_at, 'unknown'
  from access_events e;
insert into live_heads (org, sequence, stored, gone_through)
  select e.org, max(e.sequence), count(*), 0 from access_events e group by e.org;
drop table access_events;
alter table access_events_anew rename to access_events;
create unique index access_events_by_id on access_events (org, id);
create unique index access_events_by_source on access_events (org, source_id, access_control_system_id) where source_id is not null;
create unique index access_events_by_source_alone on access_events (org, source_id)
  where source_id is not null and access_control_system_id is null;
create index access_events_by_time on access_events (org, occurred_at, sequence);
-- What one asks for, each in the order of the feed.
create index access_events_by_type on access_events (org, type, sequence);
create index access_events_by_result on access_events (org, result, sequence) where result is not null;
create index access_events_by_reason on access_events (org, reason, sequence) where reason is not null;
create index access_events_by_access_point on access_events (org, access_point_id, sequence) where access_point_id is not null;
create index access_events_by_building on access_events (org, building_id, sequence) where building_id is not null;
create index access_events_by_individual on access_events (org, individual_id, sequence) where individual_id is not null;
create index access_events_by_credential on access_events (org, credential_id, sequence) where credential_id is not null;
create index access_events_by_number on access_events (org, credential_number, sequence) where credential_number is not null;
create index access_events_by_system on access_events (org, access_control_system_id, sequence) where access_control_system_id is not null;
create index access_events_by_command on access_events (org, command_id, sequence) where command_id is not null;
create index access_events_by_direction on access_events (org, direction, sequence) where direction is not null;
create index access_events_by_verdict on access_events (org, verdict, sequence);
