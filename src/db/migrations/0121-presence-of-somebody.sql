-- Where somebody was last seen goes with them: whoever was deleted would be in their space for ever, and fill it.
create table presence_of_people (
  org {{int}} not null references organizations (key),
  individual_id {{uuid}} not null,
  -- A row is somebody.
  id {{uuid}} generated always as (individual_id) stored,
  space_id {{uuid}},
  access_point_id {{uuid}},
  since {{time}} not null,
  primary key (org, individual_id),
  foreign key (org, individual_id) references individuals (org, id) on delete cascade
);
insert into presence_of_people (org, individual_id, space_id, access_point_id, since)
  select p.org, p.individual_id, p.space_id, p.access_point_id, p.since from presence p
  join individuals i on i.org = p.org and i.id = p.individual_id;
drop table presence;
alter table presence_of_people rename to presence;
create index presence_by_space on presence (org, space_id, since);
