-- Where a source_id counts: everywhere (empty), or, told by one who may report of some places alone, where the event happened. Or one
-- building could use up what a system that several share is about to tell of another.
alter table access_events add column source_place {{text}} not null default '';
drop index access_events_by_source;
drop index access_events_by_source_alone;
create unique index access_events_by_source on access_events (org, source_id, access_control_system_id, source_place)
  where source_id is not null;
create unique index access_events_by_source_alone on access_events (org, source_id, source_place)
  where source_id is not null and access_control_system_id is null;
