-- From which networks an account was logged in, as digests: guessing from elsewhere makes nobody wait there.
create table login_networks (
  key {{text}} not null primary key,
  seen_at {{time}} not null
);
create index login_networks_by_age on login_networks (seen_at);
