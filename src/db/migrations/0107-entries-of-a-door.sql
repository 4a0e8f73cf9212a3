-- When somebody last came in by a door, before any moment: for doors that unlock with the first person in. Without it,
-- each such question goes through all events up to that moment.
create index access_events_by_entry on access_events (org, access_point_id, occurred_at)
  where type in ('access.granted', 'access.taken') and coalesce(direction, 'in') <> 'out';
