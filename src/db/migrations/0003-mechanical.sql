create table individuals (
  {{row}},
  kind {{text}} not null check (kind in ('employee', 'contractor', 'tenant', 'visitor', 'service')),
  given_name {{text}} not null,
  family_name {{text}} not null,
  display_name {{text}} not null,
  email {{text}},
  phone {{text}},
  personnel_number {{text}},
  company {{text}},
  department {{text}},
  manager_id {{uuid}},
  status {{text}} not null check (status in ('invited', 'active', 'suspended', 'offboarded', 'anonymised')),
  valid_from {{time}},
  valid_until {{time}},
  foreign key (org, manager_id) references individuals (org, id)
);
{{indexes individuals}}
{{search individuals}}
create index individuals_by_manager on individuals (org, manager_id);
create index individuals_by_start on individuals (org, valid_from);
create index individuals_by_end on individuals (org, valid_until);

create table locking_systems (
  {{row}},
  name {{text}} not null,
  number {{text}},
  manufacturer {{text}},
  product {{text}},
  kind {{text}} not null check (kind in ('mechanical', 'mechatronic', 'electronic', 'mixed')),
  hierarchy {{text}} not null check (hierarchy in ('single', 'central', 'master', 'combined', 'general_master')),
  status {{text}} not null check (status in ('planned', 'active', 'retired')),
  location_id {{uuid}},
  building_id {{uuid}},
  security_card_number {{text}},
  security_card_expires_on {{date}},
  installed_on {{date}},
  description {{text}},
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, building_id) references buildings (org, id)
);
{{indexes locking_systems}}
{{search locking_systems}}
create index locking_systems_by_name on locking_systems (org, name, created_at, id);
create index locking_systems_by_location on locking_systems (org, location_id);
create index locking_systems_by_building on locking_systems (org, building_id);

create table cylinders (
  {{row}},
  locking_system_id {{uuid}} not null,
  number {{text}} not null,
  label {{text}},
  type {{text}} not null check (type in ('double', 'half', 'knob', 'padlock', 'cam', 'furniture')),
  outside_mm {{double}},
  inside_mm {{double}},
  access_point_id {{uuid}},
  installed_at {{time}},
  status {{text}} not null check (status in ('ordered', 'in_stock', 'installed', 'defective', 'retired')),
  check (status <> 'installed' or access_point_id is not null),
  check (access_point_id is null or status in ('installed', 'defective')),
  unique (org, locking_system_id, number),
  foreign key (org, locking_system_id) references locking_systems (org, id),
  foreign key (org, access_point_id) references access_points (org, id)
);
{{indexes cylinders}}
{{search cylinders}}
create index cylinders_by_access_point on cylinders (org, access_point_id);

create table key_types (
  {{row}},
  locking_system_id {{uuid}} not null,
  code {{text}} not null,
  name {{text}},
  parent_id {{uuid}},
  unique (org, locking_system_id, code),
  foreign key (org, locking_system_id) references locking_systems (org, id),
  foreign key (org, parent_id) references key_types (org, id)
);
{{indexes key_types}}
{{search key_types}}
create index key_types_by_parent on key_types (org, parent_id);

-- The locking plan: a row where the key type opens the cylinder.
create table plan_cells (
  org {{int}} not null,
  key_type_id {{uuid}} not null,
  cylinder_id {{uuid}} not null,
  primary key (org, key_type_id, cylinder_id),
  foreign key (org, key_type_id) references key_types (org, id) on delete cascade,
  foreign key (org, cylinder_id) references cylinders (org, id) on delete cascade
);
create index plan_cells_by_cylinder on plan_cells (org, cylinder_id, key_type_id);

create table keys (
  {{row}},
  key_type_id {{uuid}} not null,
  number {{text}} not null,
  status {{text}} not null check (status in ('ordered', 'in_stock', 'issued', 'lost', 'stolen', 'defective', 'written_off', 'destroyed')),
  individual_id {{uuid}},
  storage {{text}},
  due_back_on {{date}},
  status_since {{time}} not null,
  status_note {{text}},
  check ((status = 'issued') = (individual_id is not null)),
  unique (org, key_type_id, number),
  foreign key (org, key_type_id) references key_types (org, id),
  foreign key (org, individual_id) references individuals (org, id)
);
{{indexes keys}}
{{search keys}}
create index keys_by_holder on keys (org, individual_id);
create index keys_by_status on keys (org, status, key_type_id);

-- The register outlives what it tells of: a key or a person that stands in it cannot be deleted.
create table key_handovers (
  {{row}},
  key_id {{uuid}} not null,
  individual_id {{uuid}} not null,
  issued_at {{time}} not null,
  due_back_on {{date}},
  returned_at {{time}},
  purpose {{text}},
  deposit_amount {{double}},
  condition {{text}},
  issued_by {{text}} not null,
  outcome {{text}} not null check (outcome in ('held', 'returned', 'lost', 'stolen', 'defective')),
  ended_at {{time}},
  return_condition {{text}},
  received_by {{text}},
  check ((outcome = 'held') = (ended_at is null)),
  check ((outcome = 'returned') = (returned_at is not null)),
  foreign key (org, key_id) references keys (org, id),
  foreign key (org, individual_id) references individuals (org, id)
);
{{indexes key_handovers}}
create index key_handovers_by_key on key_handovers (org, key_id, issued_at);
create unique index key_handovers_open on key_handovers (org, key_id) where ended_at is null;
create index key_handovers_by_individual on key_handovers (org, individual_id);
