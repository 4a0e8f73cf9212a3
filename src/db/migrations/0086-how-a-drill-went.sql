-- How many people were inside the place of a drill or evacuation when it began and when it was over. Null: not counted.
alter table lockdowns add column present_at_start {{int}};
alter table lockdowns add column present_at_end {{int}};
