-- How many doors are connected is counted along this: of a million doors, without reading their states.
create index access_point_states_by_connectivity on access_point_states (org, connectivity);
