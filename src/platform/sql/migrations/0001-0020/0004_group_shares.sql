-- Ids of shares of groups and projects with groups.
create sequence chronoforge.group_share_ids;
