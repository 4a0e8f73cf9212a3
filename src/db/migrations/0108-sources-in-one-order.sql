-- What is asked for by its source is found by the index that keeps sources apart: with ids that come in no order each
-- index costs an event a page of its own.
drop index access_events_by_source_in_order;
