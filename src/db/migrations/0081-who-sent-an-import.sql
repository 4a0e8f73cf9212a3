-- Who sent the file, whoever runs it later: to nobody else is told what no answer shows, such as a PIN.
alter table imports add column sender_id {{uuid}};
