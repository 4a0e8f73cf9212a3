-- What decides at a door beyond who was given what: schedules, the state of a space, emergencies, and where people are.
alter table access_grants add column schedule_id {{uuid}};
alter table access_grants add column during_lockdown {{bool}} not null default {{false}};
create index access_grants_by_schedule on access_grants (org, schedule_id);

alter table access_points add column direction {{text}} not null default 'in' check (direction in ('in', 'out', 'both'));
alter table access_points add column unlock_schedule_id {{uuid}};
alter table access_points add column first_person_in {{bool}} not null default {{false}};
create index access_points_by_unlock_schedule on access_points (org, unlock_schedule_id);

alter table spaces add column occupancy_limit {{int}};
alter table spaces add column passback {{text}} not null default 'none' check (passback in ('none', 'soft', 'hard', 'timed'));
alter table spaces add column passback_minutes {{int}};

create table lockdowns (
  {{row}},
  kind {{text}} not null check (kind in ('lockdown', 'evacuation', 'drill')),
  location_id {{uuid}},
  building_id {{uuid}},
  space_id {{uuid}},
  access_point_id {{uuid}},
  reason {{text}},
  started_by {{text}} not null,
  expires_at {{time}},
  released_at {{time}},
  released_by {{text}},
  check ((case when location_id is null then 0 else 1 end) + (case when building_id is null then 0 else 1 end)
    + (case when space_id is null then 0 else 1 end) + (case when access_point_id is null then 0 else 1 end) <= 1),
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, building_id) references buildings (org, id),
  foreign key (org, space_id) references spaces (org, id),
  foreign key (org, access_point_id) references access_points (org, id)
);
{{indexes lockdowns}}
{{search lockdowns}}
create index lockdowns_in_force on lockdowns (org, released_at, expires_at);
create index lockdowns_by_location on lockdowns (org, location_id);
create index lockdowns_by_building on lockdowns (org, building_id);
create index lockdowns_by_space on lockdowns (org, space_id);
create index lockdowns_by_access_point on lockdowns (org, access_point_id);

-- Where people were last seen. A live fact: written by what happens at the doors, beside the audited rows.
create table presence (
  org {{int}} not null references organizations (key),
  individual_id {{uuid}} not null,
  space_id {{uuid}} not null,
  access_point_id {{uuid}} not null,
  since {{time}} not null,
  primary key (org, individual_id)
);
create index presence_by_space on presence (org, space_id, since);

-- The history of what decides who may open what. A change says when it is (`changed_at`) before it writes; the triggers read it there.
alter table organizations add column changed_at {{time}};
-- From when on the history is whole: of organizations that were there before it, from now; null: since they were made.
alter table organizations add column history_since {{time}};
update organizations set history_since = {{now}};
alter table plan_cells add column created_at {{time}} not null default '1970-01-01T00:00:00.000Z';

{{history locations id, parent_id, name, time_zone}}
{{history buildings id, location_id, parent_id, name, time_zone}}
{{history spaces id, building_id, name, occupancy_limit, passback, passback_minutes}}
{{history access_points id, space_id, name, label, access_control_system_id, emergency_exit, direction, unlock_schedule_id, first_person_in}}
{{history individuals id, display_name, kind, status, valid_from, valid_until}}
{{history credentials id, individual_id, access_control_system_id, type, label, number, facility_code, valid_from, valid_until, max_uses, status_reason}}
{{history access_groups id, name}}
{{history access_group_members id, access_group_id, individual_id, valid_from, valid_until}}
{{history access_grants id, individual_id, access_group_id, access_point_id, space_id, building_id, location_id, schedule_id, valid_from, valid_until, effect, requires_pin, requires_second_person, during_lockdown, revoked_at}}
{{history schedules id, name, time_zone, windows, calendar_id, on_holiday, holiday_windows}}
{{history calendars id, name, days}}
{{history cylinders id, number, access_point_id, status}}
{{history key_types id, code}}
{{history plan_cells key_type_id, cylinder_id}}
{{history keys id, key_type_id, number, status, individual_id}}

-- What lists of who can open a door are sorted by, and the last entry at a door.
create index individuals_by_display_name on individuals (org, display_name, id);
create index access_events_by_access_point on access_events (org, access_point_id, occurred_at);
