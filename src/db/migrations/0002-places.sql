create table locations (
  {{row}},
  parent_id {{uuid}},
  name {{text}} not null,
  slug {{text}} not null,
  address {{text}},
  time_zone {{text}},
  latitude {{double}},
  longitude {{double}},
  foreign key (org, parent_id) references locations (org, id)
);
{{indexes locations}}
{{search locations}}
create index locations_by_parent on locations (org, parent_id);

create table buildings (
  {{row}},
  location_id {{uuid}} not null,
  parent_id {{uuid}},
  name {{text}} not null,
  slug {{text}} not null,
  address {{text}},
  time_zone {{text}},
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, parent_id) references buildings (org, id)
);
{{indexes buildings}}
{{search buildings}}
create index buildings_by_location on buildings (org, location_id);
create index buildings_by_parent on buildings (org, parent_id);

create table spaces (
  {{row}},
  building_id {{uuid}} not null,
  name {{text}} not null,
  slug {{text}} not null,
  area {{text}},
  department {{text}},
  floor {{int}},
  description {{text}} not null,
  foreign key (org, building_id) references buildings (org, id)
);
{{indexes spaces}}
{{search spaces}}
-- Holds all that the list shows, so that a page is read from one place.
create index spaces_by_name on spaces (org, name, id {{also building_id, slug, area, department}});
create index spaces_by_building on spaces (org, building_id, name, id);

create table role_assignments (
  {{row}},
  role_id {{uuid}} not null,
  service_user_id {{uuid}} not null,
  location_id {{uuid}},
  building_id {{uuid}},
  check (location_id is null or building_id is null),
  foreign key (org, role_id) references roles (org, id),
  foreign key (org, service_user_id) references service_users (org, id) on delete cascade,
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, building_id) references buildings (org, id)
);
{{indexes role_assignments}}
create index role_assignments_by_service_user on role_assignments (org, service_user_id);
create index role_assignments_by_role on role_assignments (org, role_id);

create table tokens (
  {{row}},
  service_user_id {{uuid}} not null,
  name {{text}} not null,
  hash {{text}} not null unique,
  prefix {{text}} not null,
  last_four {{text}} not null,
  expires_at {{time}} not null,
  last_used_at {{time}},
  last_used_ip {{text}},
  revoked_at {{time}},
  permissions {{json}},
  addresses {{json}},
  location_id {{uuid}},
  building_id {{uuid}},
  check (location_id is null or building_id is null),
  foreign key (org, service_user_id) references service_users (org, id) on delete cascade,
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, building_id) references buildings (org, id)
);
{{indexes tokens}}
create index tokens_by_service_user on tokens (org, service_user_id, created_at, id);

create table access_control_systems (
  {{row}},
  name {{text}} not null,
  kind {{text}} not null,
  vendor {{text}},
  model {{text}},
  location_id {{uuid}},
  time_zone {{text}},
  status {{text}} not null check (status in ('pending_setup', 'connected', 'degraded', 'disconnected', 'disabled')),
  last_seen_at {{time}},
  last_sync_at {{time}},
  errors {{json}} not null,
  warnings {{json}} not null,
  description {{text}},
  settings {{json}} not null,
  -- The values behind the masks in settings, by path; no answer ever shows them.
  secrets {{json}} not null,
  foreign key (org, location_id) references locations (org, id)
);
{{indexes access_control_systems}}
{{search access_control_systems}}
create index access_control_systems_by_location on access_control_systems (org, location_id);

create table access_points (
  {{row}},
  space_id {{uuid}} not null,
  from_space_id {{uuid}},
  name {{text}} not null,
  description {{text}} not null,
  label {{text}} not null,
  kind {{text}} not null check (kind in ('door', 'gate', 'barrier', 'turnstile', 'elevator', 'locker', 'cabinet', 'window')),
  floor {{int}},
  manufacturer {{text}},
  model {{text}},
  access_control_system_id {{uuid}},
  emergency_exit {{bool}} not null,
  unlock_seconds {{int}},
  held_open_seconds {{int}},
  state {{json}} not null,
  connectivity {{text}} not null check (connectivity in ('online', 'offline', 'never_connected', 'unsupervised')),
  in_alarm {{bool}} not null,
  foreign key (org, space_id) references spaces (org, id),
  foreign key (org, from_space_id) references spaces (org, id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id)
);
{{indexes access_points}}
{{search access_points}}
-- What a list of spaces shows of its access points, without their wide rows.
create index access_points_by_space on access_points (org, space_id, name, id {{also label, access_control_system_id, description}});
create index access_points_by_from_space on access_points (org, from_space_id);
create index access_points_by_system on access_points (org, access_control_system_id);
