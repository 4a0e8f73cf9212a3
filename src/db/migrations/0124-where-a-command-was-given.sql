-- Where its door was when it was asked for: as with events, what was told of a door stays where that was.
alter table commands add column building_id {{uuid}};
update commands set building_id = coalesce(
  (select p.building_id from access_points p where p.org = commands.org and p.id = commands.access_point_id),
  (select s.building_id from access_points_history h join spaces s on s.org = h.org and s.id = h.space_id
    where h.org = commands.org and h.id = commands.access_point_id order by h.sequence desc limit 1));
create index commands_by_building on commands (org, building_id, created_at);
