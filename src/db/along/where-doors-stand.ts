type DialectName = 'sqlite' | 'postgres'

const ofSpace = 'select s.building_id from spaces s where s.org = new.org and s.id = new.space_id'

/** A copy brings it along; whatever else comes or moves is looked up by its space, and goes along with that. */
const triggers: Readonly<Record<DialectName, string>> = {
  sqlite: `create trigger access_points_stand_insert after insert on access_points when new.building_id is null begin
  update access_points set building_id = (${ofSpace}) where rid = new.rid;
end;
create trigger access_points_stand_update after update of space_id on access_points when old.space_id is not
new.space_id begin
  update access_points set building_id = (${ofSpace}) where rid = new.rid;
end;
create trigger spaces_stand_update after update of building_id on spaces when old.building_id is not new.building_id
begin
  update access_points set building_id = new.building_id where org = new.org and space_id = new.id;
end;`,
  postgres: `create function access_points_stand() returns trigger language plpgsql as $stand$ begin
  if tg_op = 'UPDATE' or new.building_id is null then new.building_id := (${ofSpace}); end if;
  return new;
end $stand$;
create trigger access_points_stand before insert or update of space_id on access_points for each row execute function
access_points_stand();
create function spaces_stand() returns trigger language plpgsql as $stand$ begin
  update access_points set building_id = new.building_id where org = new.org and space_id = new.id;
  return null;
end $stand$;
create trigger spaces_stand after update of building_id on spaces for each row
  when (old.building_id is distinct from new.building_id) execute function spaces_stand();`,
}

/** The building of each door is that of its space. The text is a migration's, which stays as it is. */
export const keepDoorsStanding = (dialect: DialectName): string => triggers[dialect]

/** Where the doors of a building are not all said to stand in it: how many are, and how many there are. */
export const DOORS_AMISS = `select t.org, 'access_points.building_id' as name, cast(s.building_id as text) as value,
    sum(case when t.building_id = s.building_id then 1 else 0 end) as kept, count(*) as counted
  from access_points t join spaces s on s.org = t.org and s.id = t.space_id group by t.org, s.building_id
  having sum(case when t.building_id = s.building_id then 1 else 0 end) <> count(*)`

/** Every door by its space. */
export const DOORS_ANEW = `update access_points set building_id =
  (select s.building_id from spaces s where s.org = access_points.org and s.id = access_points.space_id)`
