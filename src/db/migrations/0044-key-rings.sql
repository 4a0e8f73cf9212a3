-- Keys that were handed over together stand on one receipt. What was handed over before stands on one each.
alter table key_handovers add column receipt_id {{uuid}};
update key_handovers set receipt_id = id;
create index key_handovers_by_receipt on key_handovers (org, receipt_id);
