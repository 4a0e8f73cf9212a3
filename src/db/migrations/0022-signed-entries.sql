-- The last entry of each change, and every entry that says what was erased, is signed by a key outside the database; null: not signed.
alter table audit_log add column key_id {{text}};
alter table audit_log add column signature {{text}};
