-- Somebody asks for access to a place; whoever manages it decides.
create table access_requests (
  {{row}},
  individual_id {{uuid}} not null,
  access_point_id {{uuid}},
  space_id {{uuid}},
  building_id {{uuid}},
  location_id {{uuid}},
  schedule_id {{uuid}},
  valid_from {{time}},
  valid_until {{time}},
  reason {{text}} not null,
  requested_by {{text}} not null,
  requester_id {{uuid}},
  status {{text}} not null check (status in ('open', 'approved', 'denied', 'withdrawn')),
  decided_at {{time}},
  decided_by {{text}},
  decision_note {{text}},
  access_grant_id {{uuid}},
  check ((case when location_id is null then 0 else 1 end) + (case when building_id is null then 0 else 1 end)
    + (case when space_id is null then 0 else 1 end) + (case when access_point_id is null then 0 else 1 end) = 1),
  foreign key (org, individual_id) references individuals (org, id),
  foreign key (org, access_point_id) references access_points (org, id),
  foreign key (org, space_id) references spaces (org, id),
  foreign key (org, building_id) references buildings (org, id),
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, schedule_id) references schedules (org, id),
  foreign key (org, access_grant_id) references access_grants (org, id)
);
{{indexes access_requests}}
{{search access_requests}}
create index access_requests_by_individual on access_requests (org, individual_id);
create index access_requests_by_access_point on access_requests (org, access_point_id);
create index access_requests_by_space on access_requests (org, space_id);
create index access_requests_by_building on access_requests (org, building_id);
create index access_requests_by_location on access_requests (org, location_id);
create index access_requests_by_schedule on access_requests (org, schedule_id);
create index access_requests_by_grant on access_requests (org, access_grant_id);
create index access_requests_by_status on access_requests (org, status, created_at, id);
