-- Where people were last seen; without a space they have left. A row stays then: an older entry that comes late does not bring them back.
create table presence_anew (
  org {{int}} not null references organizations (key),
  individual_id {{uuid}} not null,
  -- A row is somebody.
  id {{uuid}} generated always as (individual_id) stored,
  space_id {{uuid}},
  access_point_id {{uuid}},
  since {{time}} not null,
  primary key (org, individual_id)
);
insert into presence_anew (org, individual_id, space_id, access_point_id, since)
  select p.org, p.individual_id, p.space_id, p.access_point_id, p.since from presence p;
drop table presence;
alter table presence_anew rename to presence;
create index presence_by_space on presence (org, space_id, since);
