-- They go with their grant too: one that was never in force can be deleted.
create table device_removals_anew (
  org {{int}} not null references organizations (key),
  item_id {{uuid}} not null,
  access_control_system_id {{uuid}} not null,
  removed_at {{time}} not null,
  primary key (org, item_id, access_control_system_id),
  foreign key (org, item_id) references access_grants (org, id) on delete cascade,
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
insert into device_removals_anew (org, item_id, access_control_system_id, removed_at)
  select r.org, r.item_id, r.access_control_system_id, r.removed_at from device_removals r
    join access_grants g on g.org = r.org and g.id = r.item_id;
drop table device_removals;
alter table device_removals_anew rename to device_removals;
create index device_removals_by_system on device_removals (org, access_control_system_id);
