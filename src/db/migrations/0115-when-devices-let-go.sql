-- When a device was known to hold a grant no more: the entry itself is gone by then. Live facts.
create table device_removals (
  org {{int}} not null references organizations (key),
  item_id {{uuid}} not null,
  access_control_system_id {{uuid}} not null,
  removed_at {{time}} not null,
  primary key (org, item_id, access_control_system_id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create index device_removals_by_system on device_removals (org, access_control_system_id);
