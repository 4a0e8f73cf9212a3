-- The canonical form of a number, unique in place of its text, and what a PIN is found by.
alter table credentials add column match_key {{text}};
alter table credentials add column pin_key {{text}};

-- Rows of before stay unique as they were: by type, facility code and number as typed. "=" marks that. Once the service starts, each gets
-- its canonical form, unless another one in use has the same: of those the oldest gets it, and the others stay as they are until
-- somebody changes them. Nothing is lost, and nothing can stop this migration.
update credentials set match_key =
  '=' || type || ':' || replace(replace(number, '%', '%25'), ':', '%3A') || ':' || coalesce(facility_code, '')
  where number is not null;

drop index credentials_by_number;
create unique index credentials_by_match_key on credentials (org, match_key)
  where match_key is not null and status_reason not in ('lost', 'stolen', 'damaged', 'returned', 'revoked');
create index credentials_by_any_match_key on credentials (org, match_key);
create index credentials_as_typed on credentials (org, created_at, id) where match_key like '=%';
create index credentials_by_pin on credentials (org, pin_key) where pin_key is not null;
