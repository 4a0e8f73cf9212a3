-- How many events there are of each kind and place in every two thousand of their order, and when they happened: kept by triggers, as rows
-- come and go and get their verdicts. Times may reach further than what is left. What an event does not say is an empty text; its system is
-- said where it has no door.
create table event_stretches (
  org {{int}} not null references organizations (key),
  stretch {{big}} not null,
  type {{text}} not null,
  result {{text}} not null,
  direction {{text}} not null,
  verdict {{text}} not null,
  verdict_reason {{text}} not null,
  building_id {{text}} not null,
  system_id {{text}} not null,
  count {{int}} not null,
  occurred_first {{time}} not null,
  occurred_last {{time}} not null,
  received_first {{time}} not null,
  received_last {{time}} not null,
  primary key (org, stretch, type, result, direction, verdict, verdict_reason, building_id, system_id)
);
{{stretches}}
