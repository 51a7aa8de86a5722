-- Ids of merge requests, and of their versions.
create sequence chronoforge.merge_request_ids;
create sequence chronoforge.merge_request_version_ids;
