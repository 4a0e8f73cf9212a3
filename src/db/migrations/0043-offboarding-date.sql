-- When somebody is to be offboarded, and until when they were valid before that was said: taking it back brings that back.
alter table individuals add column offboard_at {{time}};
alter table individuals add column valid_until_before {{time}};
create index individuals_to_offboard on individuals (offboard_at) where offboard_at is not null;
