-- Who and which group came from an identity provider by SCIM, what it calls them, and whether it last called them active.
create table scim_users (
  org {{int}} not null references organizations (key),
  individual_id {{uuid}} not null,
  user_name {{text}} not null,
  user_key {{text}} not null,
  external_id {{text}},
  is_active {{bool}} not null,
  primary key (org, individual_id),
  foreign key (org, individual_id) references individuals (org, id) on delete cascade
);
create unique index scim_users_by_key on scim_users (org, user_key);
create index scim_users_by_external_id on scim_users (org, external_id);
create table scim_groups (
  org {{int}} not null references organizations (key),
  access_group_id {{uuid}} not null,
  external_id {{text}},
  primary key (org, access_group_id),
  foreign key (org, access_group_id) references access_groups (org, id) on delete cascade
);
create index scim_groups_by_external_id on scim_groups (org, external_id);
-- A provider's user is looked for among the people who are there by their address.
create index individuals_by_email on individuals (org, lower(email));
