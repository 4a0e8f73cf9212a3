-- In which building a door stands, kept by triggers: whoever is limited to some buildings would have every door of the organization looked
-- up by its space, for each list.
alter table access_points add column building_id {{uuid}};
update access_points set building_id = (select s.building_id from spaces s where s.org = access_points.org and s.id = access_points.space_id);
create index access_points_by_building on access_points (org, building_id, created_at, id);
{{doorsstand}}
