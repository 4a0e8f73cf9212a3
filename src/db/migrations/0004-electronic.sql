create table credentials (
  {{row}},
  individual_id {{uuid}},
  access_control_system_id {{uuid}},
  type {{text}} not null check (type in ('card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric')),
  label {{text}},
  number {{text}},
  facility_code {{text}},
  format {{text}},
  pin_hash {{text}},
  valid_from {{time}},
  valid_until {{time}},
  max_uses {{int}},
  use_count {{int}} not null default 0,
  last_used_at {{time}},
  status_reason {{text}} not null check (status_reason in
    ('none', 'not_collected', 'forgotten', 'lost', 'stolen', 'damaged', 'returned', 'revoked', 'inactivity', 'locked_out')),
  foreign key (org, individual_id) references individuals (org, id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id)
);
{{indexes credentials}}
{{search credentials}}
create index credentials_by_individual on credentials (org, individual_id);
create index credentials_by_system on credentials (org, access_control_system_id);
create index credentials_by_start on credentials (org, valid_from);
create index credentials_by_end on credentials (org, valid_until);
-- A number may be used again once the credential that carried it is terminated.
create unique index credentials_by_number on credentials (org, type, coalesce(facility_code, ''), number)
  where number is not null and status_reason not in ('lost', 'stolen', 'damaged', 'returned', 'revoked');

create table access_groups (
  {{row}},
  name {{text}} not null,
  description {{text}},
  unique (org, name)
);
{{indexes access_groups}}
{{search access_groups}}

create table access_group_members (
  {{row}},
  access_group_id {{uuid}} not null,
  individual_id {{uuid}} not null,
  valid_from {{time}},
  valid_until {{time}},
  unique (org, access_group_id, individual_id),
  foreign key (org, access_group_id) references access_groups (org, id) on delete cascade,
  foreign key (org, individual_id) references individuals (org, id)
);
{{indexes access_group_members}}
create index access_group_members_by_individual on access_group_members (org, individual_id);
create index access_group_members_by_start on access_group_members (org, valid_from);
create index access_group_members_by_end on access_group_members (org, valid_until);

create table access_grants (
  {{row}},
  individual_id {{uuid}},
  access_group_id {{uuid}},
  access_point_id {{uuid}},
  space_id {{uuid}},
  building_id {{uuid}},
  location_id {{uuid}},
  valid_from {{time}},
  valid_until {{time}},
  effect {{text}} not null check (effect in ('allow', 'deny')),
  requires_pin {{bool}} not null,
  requires_second_person {{bool}} not null,
  reason {{text}},
  revoked_at {{time}},
  check ((individual_id is null) <> (access_group_id is null)),
  check ((case when access_point_id is null then 0 else 1 end) + (case when space_id is null then 0 else 1 end)
    + (case when building_id is null then 0 else 1 end) + (case when location_id is null then 0 else 1 end) = 1),
  foreign key (org, individual_id) references individuals (org, id),
  foreign key (org, access_group_id) references access_groups (org, id),
  foreign key (org, access_point_id) references access_points (org, id),
  foreign key (org, space_id) references spaces (org, id),
  foreign key (org, building_id) references buildings (org, id),
  foreign key (org, location_id) references locations (org, id)
);
{{indexes access_grants}}
create index access_grants_by_individual on access_grants (org, individual_id);
create index access_grants_by_group on access_grants (org, access_group_id);
create index access_grants_by_access_point on access_grants (org, access_point_id) where access_point_id is not null;
create index access_grants_by_space on access_grants (org, space_id) where space_id is not null;
create index access_grants_by_building on access_grants (org, building_id) where building_id is not null;
create index access_grants_by_location on access_grants (org, location_id) where location_id is not null;
create index access_grants_by_start on access_grants (org, valid_from);
create index access_grants_by_end on access_grants (org, valid_until);
