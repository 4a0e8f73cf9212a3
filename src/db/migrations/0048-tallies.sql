-- How many rows each table has, by organization, and by each value of some columns. Triggers move them with every row, in its own
-- transaction; which, is declared in tables.ts, and they are made after the migrations (tally-triggers.ts).
create table tallies (
  org {{int}} not null references organizations (key),
  name {{text}} not null,
  value {{text}} not null,
  count {{big}} not null,
  primary key (org, name, value)
);
-- What the triggers that there are were made from.
create table tally_sources (
  name {{text}} not null primary key,
  definition {{text}} not null
);
