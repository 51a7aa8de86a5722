-- Which SECRET_KEY wrapped the key: a value that is derived from it. Null of keys from before this column, until they are looked at.
alter table chronoforge.data_keys add column wrapped_by bytea;
-- Tells in two steps whether there is a key that another SECRET_KEY wrapped, and which ones have no value yet.
create index on chronoforge.data_keys (wrapped_by, stream);
