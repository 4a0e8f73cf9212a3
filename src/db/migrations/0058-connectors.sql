-- How the service stands with each system that it drives. Live facts: written past the audited rows.
create table system_links (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  -- Which process attends to it, and until when nobody else does.
  holder {{text}},
  held_until {{time}},
  -- How far its events were taken in.
  cursor {{text}},
  -- online, offline; null: it was never reached.
  contact {{text}} check (contact in ('online', 'offline')),
  contact_since {{time}},
  clock_offset_ms {{big}},
  -- The rules of which moment and change its table was compiled from, and what it cannot express.
  compiled_at {{time}},
  compiled_change {{big}},
  inexpressible {{json}},
  -- When it was last seen to hold, or made to hold, all that it should.
  synced_at {{time}},
  read_at {{time}},
  attempts {{int}} not null default 0,
  retry_at {{time}},
  error_code {{text}},
  error_message {{text}},
  error_since {{time}},
  -- Somebody agreed to so many removals, once.
  removals_confirmed {{int}},
  primary key (org, access_control_system_id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);

-- What each device should hold and is known to hold, entry by entry.
create table device_entries (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  entry_key {{text}} not null,
  kind {{text}} not null check (kind in ('schedule', 'door', 'grant', 'card')),
  item_id {{uuid}} not null,
  -- Null: it should not be there.
  wanted {{text}},
  -- Null: it is not there, as far as is known.
  held {{text}},
  -- When the one that is there ends by itself.
  held_ends_at {{time}},
  state {{text}} not null check (state in ('in_sync', 'pending', 'failed', 'unknown')),
  since {{time}} not null,
  error_code {{text}},
  error_message {{text}},
  primary key (org, access_control_system_id, entry_key),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create index device_entries_by_item on device_entries (org, kind, item_id);
create index device_entries_to_do on device_entries (org, access_control_system_id, state) where state <> 'in_sync';

-- Virtual controllers: what such a device has in its memory, which outlives us as a real one's would.
create table simulators (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  memory {{json}} not null,
  last_place {{big}} not null,
  primary key (org, access_control_system_id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create table simulator_entries (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  entry_key {{text}} not null,
  kind {{text}} not null,
  item_id {{uuid}} not null,
  fingerprint {{text}} not null,
  -- By which a card is found.
  lookup {{text}},
  body {{json}} not null,
  uses {{int}} not null default 0,
  primary key (org, access_control_system_id, entry_key),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create index simulator_entries_by_lookup on simulator_entries (org, access_control_system_id, lookup) where lookup is not null;
create index simulator_entries_by_kind on simulator_entries (org, access_control_system_id, kind);
create table simulator_doors (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  access_point_id {{uuid}} not null,
  state {{json}} not null,
  -- When it may next do something by itself.
  next_at {{time}},
  primary key (org, access_control_system_id, access_point_id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create index simulator_doors_by_next on simulator_doors (org, access_control_system_id, next_at) where next_at is not null;
create table simulator_events (
  org {{int}} not null references organizations (key),
  access_control_system_id {{uuid}} not null,
  id {{uuid}} not null,
  -- In which order they are told; null: it is late.
  place {{big}},
  body {{json}} not null,
  primary key (org, access_control_system_id, id),
  foreign key (org, access_control_system_id) references access_control_systems (org, id) on delete cascade
);
create index simulator_events_by_place on simulator_events (org, access_control_system_id, place);
