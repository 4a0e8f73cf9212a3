-- Applications that act for people who consent to it, or as a service user of their own. The id is the client_id.
create table oauth_applications (
  {{row}},
  name {{text}} not null,
  description {{text}},
  kind {{text}} not null check (kind in ('confidential', 'public')),
  redirect_uris {{json}} not null,
  permissions {{json}} not null,
  service_user_id {{uuid}},
  status {{text}} not null check (status in ('active', 'suspended')),
  secret_hash {{text}},
  secret_last_four {{text}},
  secret_created_at {{time}},
  -- The one before, while its grace lasts.
  previous_secret_hash {{text}},
  previous_secret_expires_at {{time}},
  check (kind = 'confidential' or (service_user_id is null and secret_hash is null)),
  foreign key (org, service_user_id) references service_users (org, id)
);
{{indexes oauth_applications}}
{{search oauth_applications}}
-- A client names itself before its organization is known.
create unique index oauth_applications_by_client_id on oauth_applications (id);
create index oauth_applications_by_service_user on oauth_applications (org, service_user_id);

-- What somebody has consented to. Without its row no code, refresh token or access token of it is good.
create table oauth_grants (
  {{row}},
  user_id {{uuid}} not null,
  application_id {{uuid}} not null,
  permissions {{json}} not null,
  expires_at {{time}} not null,
  last_used_at {{time}},
  payload {{text}} not null,
  foreign key (org, user_id) references users (org, id) on delete cascade,
  foreign key (org, application_id) references oauth_applications (org, id) on delete cascade
);
{{indexes oauth_grants}}
create index oauth_grants_by_user on oauth_grants (org, user_id, created_at, id);
create index oauth_grants_by_application on oauth_grants (org, application_id);
create index oauth_grants_by_end on oauth_grants (expires_at);

-- Authorization codes, refresh tokens, pushed requests, interactions and the provider's own sessions, each known by a digest.
create table oauth_records (
  kind {{text}} not null,
  hash {{text}} not null,
  payload {{text}} not null,
  grant_id {{uuid}},
  uid {{text}},
  consumed_at {{time}},
  expires_at {{time}} not null,
  primary key (kind, hash)
);
create index oauth_records_by_grant on oauth_records (grant_id);
create index oauth_records_by_uid on oauth_records (uid);
create index oauth_records_by_end on oauth_records (expires_at);

-- Keys that sign access tokens, of all organizations. At any time one signs and one is published to sign next.
-- The private halves are sealed.
create table oauth_keys (
  kid {{text}} not null primary key,
  private_jwk {{text}} not null,
  status {{text}} not null check (status in ('next', 'current', 'previous')),
  created_at {{time}} not null,
  changed_at {{time}} not null
);
create unique index oauth_keys_in_use on oauth_keys (status) where status <> 'previous';

-- Whom an issuer that the configuration trusts means by a subject.
create table external_identities (
  {{row}},
  issuer {{text}} not null,
  subject {{text}} not null,
  user_id {{uuid}},
  service_user_id {{uuid}},
  permissions {{json}},
  check ((service_user_id is null) <> (user_id is null)),
  foreign key (org, user_id) references users (org, id) on delete cascade,
  foreign key (org, service_user_id) references service_users (org, id) on delete cascade
);
{{indexes external_identities}}
create unique index external_identities_by_subject on external_identities (issuer, subject);
create index external_identities_by_user on external_identities (org, user_id);
create index external_identities_by_service_user on external_identities (org, service_user_id);
