-- Visits: who comes to see whom, when and where, and what lets them in for that time. What they open is given by grants, one for each
-- place, that end with the visit.
create table visits (
  {{row}},
  visitor_id {{uuid}} not null,
  host_id {{uuid}} not null,
  purpose {{text}},
  valid_from {{time}} not null,
  valid_until {{time}} not null,
  credential_type {{text}} not null check (credential_type in ('qr', 'pin', 'none')),
  credential_id {{uuid}},
  arrived_at {{time}},
  left_at {{time}},
  cancelled_at {{time}},
  places {{json}} not null,
  foreign key (org, visitor_id) references individuals (org, id),
  foreign key (org, host_id) references individuals (org, id),
  foreign key (org, credential_id) references credentials (org, id)
);
{{indexes visits}}
{{search visits}}
create index visits_by_visitor on visits (org, visitor_id);
create index visits_by_host on visits (org, host_id);
create index visits_by_credential on visits (org, credential_id);
create index visits_by_start on visits (org, valid_from);
create index visits_by_end on visits (org, valid_until);

create table visit_places (
  org {{int}} not null references organizations (key),
  visit_id {{uuid}} not null,
  access_grant_id {{uuid}} not null,
  primary key (org, visit_id, access_grant_id),
  foreign key (org, visit_id) references visits (org, id) on delete cascade deferrable initially deferred,
  foreign key (org, access_grant_id) references access_grants (org, id)
);
create index visit_places_by_grant on visit_places (org, access_grant_id);
