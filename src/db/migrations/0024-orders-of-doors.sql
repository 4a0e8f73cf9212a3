-- What the portal's list of doors is sorted by, so that a page costs its rows and not a sort of all doors.
create index access_points_by_name on access_points (org, name, created_at, id);
create index access_points_by_label on access_points (org, label, created_at, id);

-- What is removed once it was used up a while ago.
create index oauth_records_by_use on oauth_records (consumed_at) where consumed_at is not null;
