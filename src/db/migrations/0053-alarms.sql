-- What somebody has to look at. Made by what happens at the doors, beside the register; what people do about it is audited.
create table alarms (
  {{row}},
  kind {{text}} not null
    check (kind in ('forced_open', 'held_open_too_long', 'tamper', 'duress', 'unexpected_grant', 'system_offline')),
  status {{text}} not null check (status in ('open', 'acknowledged', 'closed')),
  access_point_id {{uuid}},
  building_id {{uuid}},
  access_control_system_id {{uuid}},
  individual_id {{uuid}},
  event_id {{uuid}} not null,
  event_count {{int}} not null,
  raised_at {{time}} not null,
  last_raised_at {{time}} not null,
  ended_at {{time}},
  acknowledged_at {{time}},
  acknowledged_by {{text}},
  note {{text}},
  closed_at {{time}},
  closed_by {{text}}
);
{{indexes alarms}}
create index alarms_by_status on alarms (org, status, raised_at);
create index alarms_by_access_point on alarms (org, access_point_id, status);
create index alarms_by_system on alarms (org, access_control_system_id, status);
create index alarms_by_individual on alarms (org, individual_id) where individual_id is not null;
