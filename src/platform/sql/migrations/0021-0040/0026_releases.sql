-- Ids of releases and of their links.
create sequence chronoforge.release_ids;
create sequence chronoforge.release_link_ids;
