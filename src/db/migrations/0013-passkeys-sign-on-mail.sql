-- Further ways in: keys that a device keeps (WebAuthn), and identities at providers of single sign-on (OpenID Connect).
create table passkeys (
  {{row}},
  user_id {{uuid}} not null,
  name {{text}} not null,
  -- Told apart across organizations: whoever logs in says no name, the key tells who it is.
  credential_id {{text}} not null unique,
  public_key {{text}} not null,
  counter {{big}} not null,
  transports {{json}} not null,
  is_synced {{bool}} not null,
  last_used_at {{time}},
  foreign key (org, user_id) references users (org, id) on delete cascade
);
{{indexes passkeys}}
create index passkeys_by_user on passkeys (org, user_id, created_at, id);

create table user_identities (
  {{row}},
  user_id {{uuid}} not null,
  provider {{text}} not null,
  issuer {{text}} not null,
  subject {{text}} not null,
  -- As the provider had it, for people to recognise; nobody is found by it.
  email {{text}},
  last_used_at {{time}},
  unique (org, issuer, subject),
  foreign key (org, user_id) references users (org, id) on delete cascade
);
{{indexes user_identities}}
create index user_identities_by_user on user_identities (org, user_id, created_at, id);
create index user_identities_by_subject on user_identities (issuer, subject);

-- What was begun and waits for its other half, once: a challenge for a passkey, a way to a provider and back. Nobody's yet.
create table login_flows (
  hash {{text}} not null primary key,
  kind {{text}} not null check (kind in ('passkey_login', 'passkey_registration', 'sign_on')),
  payload {{text}} not null,
  expires_at {{time}} not null
);
create index login_flows_by_end on login_flows (expires_at);

-- Letters to be sent. The payload is sealed: it may hold a link with which somebody logs in.
create table mails (
  id {{uuid}} not null primary key,
  org {{int}} references organizations (key),
  user_id {{uuid}},
  kind {{text}} not null,
  payload {{text}} not null,
  attempts {{int}} not null,
  next_at {{time}} not null,
  give_up_at {{time}} not null,
  foreign key (org, user_id) references users (org, id) on delete cascade
);
create index mails_by_turn on mails (next_at);
create index mails_by_user on mails (org, user_id);

-- In which language letters are written to them; without one, the organization's.
alter table users add column language {{text}} check (language in ('en', 'de'));
