-- Up to which position reactors have read, and what they have begun of that and not finished.
alter table chronoforge.reactions add column read_to bigint;
alter table chronoforge.reactions add column unfinished bigint[] not null default '{}';
