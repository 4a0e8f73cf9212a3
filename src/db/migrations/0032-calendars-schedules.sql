create table calendars (
  {{row}},
  name {{text}} not null,
  description {{text}},
  region {{text}},
  days {{json}} not null,
  day_count {{int}} not null,
  last_day {{date}},
  -- The days as they were last proposed: tells a day that somebody edited or took out from one that nobody touched.
  proposed {{json}} not null default '[]',
  -- The last day that was told to be the last.
  noticed_last_day {{date}},
  unique (org, name)
);
{{indexes calendars}}
{{search calendars}}
create index calendars_by_last_day on calendars (last_day);

create table schedules (
  {{row}},
  name {{text}} not null,
  description {{text}},
  time_zone {{text}},
  windows {{json}} not null,
  calendar_id {{uuid}},
  on_holiday {{text}} not null check (on_holiday in ('closed', 'as_usual', 'windows')),
  holiday_windows {{json}} not null,
  unique (org, name),
  foreign key (org, calendar_id) references calendars (org, id)
);
{{indexes schedules}}
{{search schedules}}
create index schedules_by_calendar on schedules (org, calendar_id);
