-- Who has seen a link besides whom it is for; null: nobody, it was sent by mail.
alter table user_links add column seen_by {{uuid}};

-- An answer is repeated to the credential that got it, and only while it may do all that it could then. What was remembered before
-- does not say whose it was.
drop table idempotency_keys;
create table idempotency_keys (
  org {{int}} not null references organizations (key),
  principal_id {{uuid}} not null,
  credential {{text}} not null,
  key {{text}} not null,
  fingerprint {{text}} not null,
  -- What it held: the names of its permissions, and where the one that was asked for held.
  held {{text}} not null,
  status {{int}} not null,
  location {{text}},
  etag {{text}},
  body {{text}} not null,
  created_at {{time}} not null,
  primary key (org, principal_id, credential, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
