-- The last row of an organization's audit chain. A chain alone does not show that its end was cut off.
alter table organizations add column audit_sequence {{big}} not null default 0;
alter table organizations add column audit_hash {{text}} not null default '';
update organizations set
  audit_sequence = coalesce((select max(a.sequence) from audit_log a where a.org = organizations.key), 0),
  audit_hash = coalesce((select a.hash from audit_log a where a.org = organizations.key order by a.sequence desc limit 1), '');
