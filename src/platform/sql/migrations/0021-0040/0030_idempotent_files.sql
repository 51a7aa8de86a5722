-- What tells the file of a request from others, and its length, from when it is received: null before, and where a request has none.
alter table chronoforge.idempotent_answers add file_digest bytea, add file_bytes bigint;
