-- Which login somebody has whom an identity provider keeps by SCIM: it is suspended with them.
create table scim_logins (
  org {{int}} not null references organizations (key),
  individual_id {{uuid}} not null,
  user_id {{uuid}} not null,
  primary key (org, individual_id),
  foreign key (org, individual_id) references individuals (org, id) on delete cascade,
  foreign key (org, user_id) references users (org, id) on delete cascade
);
create unique index scim_logins_by_user on scim_logins (org, user_id);
