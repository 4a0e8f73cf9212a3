-- That a system was brought up to date is a live fact: it is written by whoever attends to it, and is no change of the register.
alter table access_control_system_states add column last_sync_at {{time}};
