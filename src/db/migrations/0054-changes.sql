-- What has changed is read from the audit log, which has the order of commits; nobody read this.
drop table outbox;
-- Up to where it is on the record what the clock alone has changed: the moment, and within it the item. Null: nothing yet.
alter table organizations add column clock_told_at {{time}};
alter table organizations add column clock_told_item {{text}} not null default '';
update organizations set clock_told_at = {{now}};
