-- A door is in alarm by what somebody is called to; a flat battery or a fault wants somebody to come by, and is no alarm that is open.
alter table access_point_states add column needs_service {{bool}} not null default {{false}};
update access_point_states set
  in_alarm = (alarms like '%"forced_open"%' or alarms like '%"held_open_too_long"%' or alarms like '%"tamper"%' or alarms like '%"duress"%'),
  needs_service = (alarms like '%"low_battery"%' or alarms like '%"fault"%')
where alarms <> '[]';
create index access_point_states_needs_service on access_point_states (org, needs_service) where needs_service;
