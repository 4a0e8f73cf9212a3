-- Whether it was the identity provider that suspended somebody: only then it wakes them. Null: from before this was known, then as it was.
alter table scim_users add column has_suspended {{bool}};
