-- Somebody's credentials of earlier days are found by whom they were, not among all there have been. Whose they were
-- comes first: SQLite would take an organization and "is somebody's" for selective.
create index credentials_history_by_individual on credentials_history (individual_id, org);
