-- When an event happened by our clock, where the device's is known to be behind: its verdict goes by that. Not shown.
alter table access_events add column happened_at {{time}};
-- When somebody last came in by a door, before any moment: by our clock where the device's is off.
drop index access_events_by_entry;
create index access_events_by_entry on access_events (org, access_point_id,
    (case when coalesce(happened_at, occurred_at) > received_at then received_at else coalesce(happened_at, occurred_at) end), sequence)
  where type in ('access.granted', 'access.taken') and coalesce(direction, 'in') <> 'out';
