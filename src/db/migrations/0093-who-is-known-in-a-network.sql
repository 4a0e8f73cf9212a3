-- The network of each, as a digest: who is known there is looked up at once, while it has to wait. Null: from before this was kept.
alter table login_networks add column network {{text}};
create index login_networks_by_network on login_networks (network);
