-- Who was let in and did not go is where they were: that goes along until they are known to have gone. Without a moment it is not known.
alter table presence add column before_space_id {{uuid}};
alter table presence add column before_access_point_id {{uuid}};
alter table presence add column before_since {{time}};
-- Until when something was heard of them, where that is later: what comes late brings nobody to where they did not go.
alter table presence add column heard_at {{time}};
-- The building that they were in before this one, and when they were seen to have left it: they are accounted for there.
alter table presence add column left_building_id {{uuid}};
alter table presence add column left_at {{time}};
