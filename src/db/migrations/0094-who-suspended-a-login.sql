-- The same of logins: what was suspended here is not woken by the identity provider.
alter table scim_logins add column has_suspended {{bool}};
