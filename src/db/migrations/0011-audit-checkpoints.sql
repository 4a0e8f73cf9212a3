-- What the service has signed of each organization's audit chain. Numbered without gaps, so that a missing one is found.
create table audit_checkpoints (
  org {{int}} not null references organizations (key),
  number {{big}} not null,
  sequence {{big}} not null,
  hash {{text}} not null,
  signed_at {{time}} not null,
  key_id {{text}} not null,
  signature {{text}} not null,
  primary key (org, sequence)
);

-- Where a chain begins once its oldest entries have had their time: the last one removed, and the checkpoint that covered it.
create table audit_anchors (
  org {{int}} not null primary key references organizations (key),
  sequence {{big}} not null,
  hash {{text}} not null,
  removed {{big}} not null,
  checkpoint {{big}} not null,
  signed_at {{time}} not null,
  key_id {{text}} not null,
  signature {{text}} not null
);

-- The number of the last checkpoint, beside the head of the chain.
alter table organizations add column audit_checkpoint {{big}} not null default 0;

create index audit_log_by_time on audit_log (org, occurred_at, sequence);
