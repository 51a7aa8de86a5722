-- Ids of issues.
create sequence chronoforge.issue_ids;
