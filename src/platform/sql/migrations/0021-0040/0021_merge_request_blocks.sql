-- Ids of blocks of merge requests.
create sequence chronoforge.merge_request_block_ids;
