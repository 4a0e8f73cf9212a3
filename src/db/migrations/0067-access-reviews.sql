-- Access reviews: who may open what at a place is taken down on a day, and somebody confirms or revokes it line by line.
create table access_reviews (
  {{row}},
  name {{text}} not null,
  building_id {{uuid}},
  location_id {{uuid}},
  due_on {{date}} not null,
  reviewer {{text}},
  status {{text}} not null check (status in ('draft', 'running', 'closed', 'cancelled')),
  started_at {{time}},
  started_by {{text}},
  closed_at {{time}},
  closed_by {{text}},
  report_head {{json}},
  key_id {{text}},
  signature {{text}},
  check ((case when location_id is null then 0 else 1 end) + (case when building_id is null then 0 else 1 end) = 1),
  foreign key (org, building_id) references buildings (org, id),
  foreign key (org, location_id) references locations (org, id)
);
{{indexes access_reviews}}
{{search access_reviews}}
create index access_reviews_by_building on access_reviews (org, building_id);
create index access_reviews_by_location on access_reviews (org, location_id);
create index access_reviews_by_status on access_reviews (org, status, due_on, id);

-- One way in of one person. What it names may go later: the line says what it was called then.
create table access_review_lines (
  {{row}},
  access_review_id {{uuid}} not null,
  individual_id {{uuid}} not null,
  display_name {{text}} not null,
  means {{text}} not null check (means in ('grant', 'group', 'key')),
  what {{text}} not null,
  access_grant_id {{uuid}},
  access_group_id {{uuid}},
  access_group_member_id {{uuid}},
  key_id {{uuid}},
  doors {{int}} not null,
  decision {{text}} not null check (decision in ('open', 'confirmed', 'revoked')),
  decided_at {{time}},
  decided_by {{text}},
  note {{text}},
  salt {{text}},
  hash {{text}},
  foreign key (org, access_review_id) references access_reviews (org, id) on delete cascade deferrable initially deferred,
  foreign key (org, individual_id) references individuals (org, id)
);
{{indexes access_review_lines}}
{{search access_review_lines}}
create index access_review_lines_by_review on access_review_lines (org, access_review_id, decision);
create index access_review_lines_by_individual on access_review_lines (org, individual_id);
