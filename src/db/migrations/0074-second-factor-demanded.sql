-- Who must log in with a second factor: everybody, or whoever has a certain role. By which one a session was opened or confirmed.
alter table organizations add column require_second_factor {{bool}} not null default {{false}};
alter table roles add column requires_second_factor {{bool}} not null default {{false}};
alter table sessions add column factor {{text}};
