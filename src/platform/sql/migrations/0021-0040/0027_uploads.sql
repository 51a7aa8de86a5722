-- Ids of files that are uploaded to projects.
create sequence chronoforge.upload_ids;
