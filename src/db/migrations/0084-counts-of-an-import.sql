-- The counts of an import are called as the API calls them.
alter table imports rename column row_count to rows;
alter table imports rename column created_count to created;
alter table imports rename column changed_count to changed;
alter table imports rename column unchanged_count to unchanged;
alter table imports rename column failed_count to failed;
