-- People who log in. `email_key` is the address as it is compared: without case.
create table users (
  {{row}},
  email {{text}} not null,
  email_key {{text}} not null,
  name {{text}} not null,
  status {{text}} not null check (status in ('invited', 'active', 'suspended')),
  last_login_at {{time}},
  password_hash {{text}},
  -- The second factor: its secret, since when it counts, the last step that was used, and one that is not yet confirmed.
  totp_secret {{text}},
  totp_confirmed_at {{time}},
  totp_last_step {{big}},
  totp_pending {{text}},
  unique (org, email_key)
);
{{indexes users}}
{{search users}}
create index users_by_email on users (email_key);

create table recovery_codes (
  org {{int}} not null references organizations (key),
  user_id {{uuid}} not null,
  hash {{text}} not null,
  used_at {{time}},
  primary key (org, user_id, hash),
  foreign key (org, user_id) references users (org, id) on delete cascade
);

-- Links that work once: to accept an invitation, to set a new password.
create table user_links (
  org {{int}} not null references organizations (key),
  user_id {{uuid}} not null,
  kind {{text}} not null check (kind in ('invitation', 'reset')),
  hash {{text}} not null unique,
  expires_at {{time}} not null,
  primary key (org, user_id, kind),
  foreign key (org, user_id) references users (org, id) on delete cascade
);

create table sessions (
  {{row}},
  user_id {{uuid}} not null,
  hash {{text}} not null unique,
  -- When the password was last given: at login, and whenever it is asked for again.
  confirmed_at {{time}} not null,
  last_seen_at {{time}} not null,
  expires_at {{time}} not null,
  address {{text}},
  user_agent {{text}},
  foreign key (org, user_id) references users (org, id) on delete cascade
);
{{indexes sessions}}
create index sessions_by_user on sessions (org, user_id, created_at, id);
create index sessions_by_end on sessions (expires_at);

-- Before there is an organization there is nobody to belong to.
create table setup_links (
  hash {{text}} not null primary key,
  expires_at {{time}} not null
);

-- Failed logins of an account or from a network, both as digests.
create table login_attempts (
  key {{text}} not null primary key,
  failures {{int}} not null,
  last_at {{time}} not null
);
create index login_attempts_by_age on login_attempts (last_at);

-- A role is held by a user or by a service user. SQLite cannot loosen a column: the table is made anew.
create table role_assignments_next (
  {{row}},
  role_id {{uuid}} not null,
  service_user_id {{uuid}},
  user_id {{uuid}},
  location_id {{uuid}},
  building_id {{uuid}},
  check ((service_user_id is null) <> (user_id is null)),
  check (location_id is null or building_id is null),
  foreign key (org, role_id) references roles (org, id),
  foreign key (org, service_user_id) references service_users (org, id) on delete cascade,
  foreign key (org, user_id) references users (org, id) on delete cascade,
  foreign key (org, location_id) references locations (org, id),
  foreign key (org, building_id) references buildings (org, id)
);
insert into role_assignments_next
  (org, id, external_id, created_at, updated_at, version, search_text, role_id, service_user_id, location_id, building_id)
  select org, id, external_id, created_at, updated_at, version, search_text, role_id, service_user_id, location_id, building_id
  from role_assignments;
drop table role_assignments;
alter table role_assignments_next rename to role_assignments;
{{indexes role_assignments}}
create index role_assignments_by_service_user on role_assignments (org, service_user_id);
create index role_assignments_by_user on role_assignments (org, user_id);
create index role_assignments_by_role on role_assignments (org, role_id);
