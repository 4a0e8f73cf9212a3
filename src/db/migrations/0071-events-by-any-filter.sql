-- What else one may ask for, each in the order of the feed: of ten million events too.
create index access_events_by_arrival on access_events (org, received_at, sequence);
create index access_events_by_verdict_reason on access_events (org, verdict_reason, sequence) where verdict_reason is not null;
create index access_events_by_source_in_order on access_events (org, source_id, sequence) where source_id is not null;
