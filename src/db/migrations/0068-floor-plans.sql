-- Floor plans: an image of a floor of a building, and where its doors are on it.
create table floor_plans (
  {{row}},
  building_id {{uuid}} not null,
  floor {{int}} not null,
  name {{text}},
  image_type {{text}} check (image_type in ('image/svg+xml', 'image/png')),
  image_size {{int}},
  image_hash {{text}},
  width {{double}},
  height {{double}},
  foreign key (org, building_id) references buildings (org, id) on delete cascade
);
{{indexes floor_plans}}
{{search floor_plans}}
create unique index floor_plans_by_floor on floor_plans (org, building_id, floor);

-- Apart from its plan: whoever reads plans does not read megabytes.
create table floor_plan_images (
  org {{int}} not null references organizations (key),
  floor_plan_id {{uuid}} not null,
  bytes {{bytes}} not null,
  primary key (org, floor_plan_id),
  foreign key (org, floor_plan_id) references floor_plans (org, id) on delete cascade
);

-- Where a door is on a plan, as a fraction of its width from the left and of its height from the top.
create table floor_plan_positions (
  {{row}},
  floor_plan_id {{uuid}} not null,
  access_point_id {{uuid}} not null,
  x {{double}} not null check (x between 0 and 1),
  y {{double}} not null check (y between 0 and 1),
  foreign key (org, floor_plan_id) references floor_plans (org, id) on delete cascade,
  foreign key (org, access_point_id) references access_points (org, id) on delete cascade
);
{{indexes floor_plan_positions}}
{{search floor_plan_positions}}
create unique index floor_plan_positions_by_plan on floor_plan_positions (org, floor_plan_id, access_point_id);
create index floor_plan_positions_by_access_point on floor_plan_positions (org, access_point_id);
