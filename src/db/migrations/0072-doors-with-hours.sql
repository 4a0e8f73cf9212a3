-- Doors that unlock by a schedule are few among many, and are looked at every second.
create index access_points_with_hours on access_points (org, id) where unlock_schedule_id is not null;
