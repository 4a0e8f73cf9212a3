-- Which change of an organization was the last to write a table (its rows came or went) or a column (`table.column`).
create table table_versions (
  org {{int}} not null references organizations (key),
  name {{text}} not null,
  version {{big}} not null,
  primary key (org, name)
);
alter table organizations drop column places_version;
alter table organizations drop column access_version;
