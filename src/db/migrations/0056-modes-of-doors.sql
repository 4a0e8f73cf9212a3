-- Doors that are not simply locked are few, and are looked at whenever something may have made them so.
create index access_point_states_by_mode on access_point_states (org, id) where mode <> 'locked';
