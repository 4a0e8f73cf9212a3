-- What one asks for of ten million events, too, in the order of the feed.
create index access_events_by_arrival on access_events (org, received_at, sequence);
create index access_events_by_verdict_reason on access_events (org, verdict_reason, sequence) where verdict_reason is not null;
