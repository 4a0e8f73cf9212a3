-- Beside the number of a credential that was not known: what was read with it. Or its verdict, where that is worked out later, would be
-- of another credential with the same number. Null: a card; a reader that tells of no site.
alter table access_events add column credential_type {{text}};
alter table access_events add column facility_code {{text}};
