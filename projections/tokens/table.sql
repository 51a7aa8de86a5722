create table tokens (
  id bigint primary key,
  user_id bigint not null,
  name text not null,
  scopes text[] not null,
  -- SHA-256 of the token's text.
  digest bytea not null,
  created_at bigint not null,
  -- When it was created, rotated or revoked; use does not count.
  updated_at bigint not null,
  last_used_at bigint,
  -- `YYYY-MM-DD`, UTC.
  last_used_on text,
  expires_at text,
  revoked boolean not null
);
create index on tokens (digest);
create index on tokens (user_id);
