-- Whether what a line tells of was over when the review was closed: a key that was revoked may still have been out. Null: closed before this was kept.
alter table access_review_lines add column was_ended {{bool}};
