-- What somebody had a door do from afar. Making one is audited; what became of it is a live fact, written beside the register. A command
-- is history: it refers to its door without keeping it.
create table commands (
  {{row}},
  action {{text}} not null check (action in ('unlock', 'lock', 'block', 'release')),
  access_point_id {{uuid}} not null,
  access_control_system_id {{uuid}} not null,
  seconds {{int}},
  reason {{text}},
  requested_by {{text}} not null,
  expires_at {{time}} not null,
  status {{text}} not null check (status in ('queued', 'sent', 'confirmed', 'failed', 'timed_out')),
  sent_at {{time}},
  ended_at {{time}},
  error_code {{text}},
  error_message {{text}}
);
{{indexes commands}}
{{search commands}}
create index commands_by_access_point on commands (org, access_point_id, created_at);
create index commands_by_system on commands (org, access_control_system_id, created_at);
create index commands_by_status on commands (org, status, created_at);
create index commands_under_way on commands (org, access_control_system_id, expires_at) where status in ('queued', 'sent');

-- What commands have made of doors, as the doors have confirmed it: it comes before their schedules. A live fact.
create table door_overrides (
  org {{int}} not null references organizations (key),
  access_point_id {{uuid}} not null,
  override {{text}} not null check (override in ('unlocked', 'unlocked_timed', 'held_open', 'blocked')),
  since {{time}} not null,
  until {{time}},
  command_id {{uuid}},
  primary key (org, access_point_id),
  foreign key (org, access_point_id) references access_points (org, id) on delete cascade
);
create index door_overrides_by_end on door_overrides (org, until) where until is not null;
