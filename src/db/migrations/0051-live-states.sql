-- What is live stands beside the register: it is written by what happens at the doors, without the organization's lock, an audit row or
-- a change of the audited row, and has a version of its own.
alter table live_heads add column version {{big}} not null default 0;
create table live_versions (
  org {{int}} not null references organizations (key),
  name {{text}} not null,
  version {{big}} not null,
  primary key (org, name)
);

create table access_point_states (
  org {{int}} not null references organizations (key),
  id {{uuid}} not null,
  mode {{text}} not null
    check (mode in ('locked', 'unlocked', 'unlocked_timed', 'blocked', 'locked_down', 'held_open', 'evacuation')),
  mode_since {{time}} not null,
  lock_state {{text}} not null check (lock_state in ('locked', 'unlocked', 'fault', 'unknown')),
  lock_state_since {{time}} not null,
  position {{text}} not null check (position in ('open', 'closed', 'fault', 'unknown')),
  position_since {{time}} not null,
  -- A JSON list of names.
  alarms {{text}} not null,
  alarms_since {{time}} not null,
  in_alarm {{bool}} not null,
  connectivity {{text}} not null check (connectivity in ('online', 'offline', 'never_connected', 'unsupervised')),
  connectivity_since {{time}} not null,
  changed_at {{time}} not null,
  -- When somebody was last let in here.
  last_entry_at {{time}},
  -- When each axis and alarm was last heard of, though it said nothing new: what comes late is older than that.
  heard {{text}} not null default '{}',
  primary key (org, id),
  foreign key (org, id) references access_points (org, id) on delete cascade deferrable initially deferred
);
create index access_point_states_in_alarm on access_point_states (org, in_alarm) where in_alarm;
create index access_point_states_by_change on access_point_states (org, changed_at);
insert into access_point_states (org, id, mode, mode_since, lock_state, lock_state_since, position, position_since, alarms, alarms_since,
    in_alarm, connectivity, connectivity_since, changed_at)
  select s.org, s.id, s.mode, s.mode_since, s.lock_state, s.lock_state_since, s.position, s.position_since, s.alarms, s.alarms_since,
    s.in_alarm, s.connectivity, s.connectivity_since, s.connectivity_since
  from (select t.org, t.id, t.in_alarm, t.connectivity,
    t.state -> 'mode' ->> 'value' as mode, cast(t.state -> 'mode' ->> 'since' as {{time}}) as mode_since,
    t.state -> 'lock_state' ->> 'value' as lock_state, cast(t.state -> 'lock_state' ->> 'since' as {{time}}) as lock_state_since,
    t.state -> 'position' ->> 'value' as position, cast(t.state -> 'position' ->> 'since' as {{time}}) as position_since,
    cast(t.state -> 'alarms' -> 'value' as {{plain}}) as alarms, cast(t.state -> 'alarms' ->> 'since' as {{time}}) as alarms_since,
    cast(t.state -> 'connectivity' ->> 'since' as {{time}}) as connectivity_since
  from access_points t) s;
update access_point_states set changed_at = mode_since where mode_since > changed_at;
update access_point_states set changed_at = lock_state_since where lock_state_since > changed_at;
update access_point_states set changed_at = position_since where position_since > changed_at;
update access_point_states set changed_at = alarms_since where alarms_since > changed_at;
alter table access_points drop column state;
alter table access_points drop column connectivity;
alter table access_points drop column in_alarm;

create table credential_uses (
  org {{int}} not null references organizations (key),
  id {{uuid}} not null,
  use_count {{int}} not null,
  last_used_at {{time}},
  -- As often as it may be: apart from the count, which moves with every use.
  is_used_up {{bool}} not null,
  primary key (org, id),
  foreign key (org, id) references credentials (org, id) on delete cascade deferrable initially deferred
);
create index credential_uses_by_use on credential_uses (org, last_used_at);
insert into credential_uses (org, id, use_count, last_used_at, is_used_up)
  select t.org, t.id, t.use_count, t.last_used_at, coalesce(t.use_count >= t.max_uses, {{false}}) from credentials t
  where t.use_count > 0 or t.last_used_at is not null;
alter table credentials drop column use_count;
alter table credentials drop column last_used_at;

create table access_control_system_states (
  org {{int}} not null references organizations (key),
  id {{uuid}} not null,
  last_seen_at {{time}},
  connectivity {{text}} not null check (connectivity in ('online', 'offline', 'never_connected')),
  connectivity_since {{time}} not null,
  -- By how much its clock was ahead of ours when an event of its came that was no late one; behind it is less than nothing.
  clock_offset_ms {{big}},
  clock_noted_at {{time}},
  primary key (org, id),
  foreign key (org, id) references access_control_systems (org, id) on delete cascade deferrable initially deferred
);
insert into access_control_system_states (org, id, last_seen_at, connectivity, connectivity_since)
  select t.org, t.id, t.last_seen_at, case when t.status in ('connected', 'degraded') then 'online' else 'offline' end, t.last_seen_at
  from access_control_systems t where t.last_seen_at is not null;
alter table access_control_systems drop column last_seen_at;
