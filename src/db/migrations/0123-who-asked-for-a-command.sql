-- Who asked for it, and by what: a command is sent only while they may still ask for it.
alter table commands add column requester {{json}};
