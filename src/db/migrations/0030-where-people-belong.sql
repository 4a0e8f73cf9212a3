-- Where people and groups belong: one location or one building; neither: to the organization as a whole.
alter table individuals add column location_id {{uuid}};
alter table individuals add column building_id {{uuid}} check (building_id is null or location_id is null);
alter table access_groups add column location_id {{uuid}};
alter table access_groups add column building_id {{uuid}} check (building_id is null or location_id is null);
create index individuals_by_location on individuals (org, location_id) where location_id is not null;
create index individuals_by_building on individuals (org, building_id) where building_id is not null;
create index access_groups_by_location on access_groups (org, location_id) where location_id is not null;
create index access_groups_by_building on access_groups (org, building_id) where building_id is not null;

-- What a search looks through where a row is seen in part only; the words of it are among those of search_text.
alter table individuals add column seen_text {{text}} not null default '';
alter table access_groups add column seen_text {{text}} not null default '';
alter table locking_systems add column seen_text {{text}} not null default '';
alter table access_control_systems add column seen_text {{text}} not null default '';
alter table users add column seen_text {{text}} not null default '';
alter table service_users add column seen_text {{text}} not null default '';
