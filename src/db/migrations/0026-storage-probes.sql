-- One row that means nothing: after a write has failed, writing to it tells whether writes are kept again.
create table storage_probes (
  id {{int}} not null primary key check (id = 1),
  filler {{text}} not null
);
insert into storage_probes (id, filler) values (1, '');
