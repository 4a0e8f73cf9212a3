-- Where what happens is sent to. The secrets that sign it are sealed; the one before is good for a while after it was replaced.
create table webhooks (
  {{row}},
  url {{text}} not null,
  types {{json}} not null,
  description {{text}},
  status {{text}} not null check (status in ('active', 'disabled')),
  disabled_reason {{text}},
  user_id {{uuid}},
  service_user_id {{uuid}},
  secret {{text}},
  previous_secret {{text}},
  previous_until {{time}},
  check ((user_id is null) <> (service_user_id is null)),
  foreign key (org, user_id) references users (org, id) on delete cascade,
  foreign key (org, service_user_id) references service_users (org, id) on delete cascade
);
{{indexes webhooks}}
{{search webhooks}}

-- How far each has come, and which process sends it: written past change().
create table webhook_states (
  org {{int}} not null references organizations (key),
  webhook_id {{uuid}} not null,
  cursors {{json}} not null,
  -- Counts the times that somebody has set the cursors: whoever sends begins anew.
  generation {{int}} not null,
  failure_count {{int}} not null,
  failing_since {{time}},
  next_at {{time}} not null,
  last_delivered_at {{time}},
  blocked_reason {{text}},
  lease_owner {{text}},
  lease_until {{time}},
  primary key (org, webhook_id),
  foreign key (org, webhook_id) references webhooks (org, id) on delete cascade
);

create table webhook_deliveries (
  org {{int}} not null references organizations (key),
  id {{uuid}} not null,
  webhook_id {{uuid}} not null,
  attempted_at {{time}} not null,
  feed {{text}},
  sequence {{big}},
  message_id {{text}} not null,
  type {{text}} not null,
  attempt {{int}} not null,
  result {{text}} not null check (result in ('delivered', 'failed')),
  status_code {{int}},
  response {{text}},
  error {{text}},
  duration_ms {{int}} not null,
  primary key (org, id),
  foreign key (org, webhook_id) references webhooks (org, id) on delete cascade
);
create index webhook_deliveries_by_time on webhook_deliveries (org, webhook_id, attempted_at, id);
create index webhook_deliveries_by_age on webhook_deliveries (attempted_at);
