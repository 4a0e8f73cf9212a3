-- The key that secrets are sealed with, by its id: at most one row, so that two processes with different keys find out before
-- one seals what the other cannot open.
create table seal_key (
  only_one {{int}} not null primary key check (only_one = 1),
  id {{text}} not null
);

-- What an organization sets for itself. It was never changed where `updated_at` is null.
alter table organizations add column language {{text}} not null default 'en' check (language in ('en', 'de'));
alter table organizations add column version {{int}} not null default 1;
alter table organizations add column updated_at {{time}};

-- The last notice of a token's expiry that was given, in days ahead; 0: that it has expired, 9999: none yet.
alter table tokens add column notice_days {{int}} not null default 9999;
create index tokens_by_end on tokens (expires_at) where revoked_at is null and notice_days > 0;
