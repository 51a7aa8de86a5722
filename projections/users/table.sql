create table users (
  id bigint primary key,
  username text not null,
  name text not null,
  email text not null,
  state text not null,
  admin boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  confirmed_at bigint,
  last_activity_on text,
  created_by bigint,
  namespace_id bigint,
  projects_limit integer not null,
  can_create_group boolean not null,
  external boolean not null,
  private_profile boolean not null,
  bio text not null,
  location text,
  public_email text,
  commit_email text,
  skype text not null,
  linkedin text not null,
  twitter text not null,
  discord text not null,
  website_url text not null,
  organization text,
  job_title text not null,
  pronouns text,
  note text,
  theme_id integer not null,
  color_scheme_id integer not null,
  -- Array of {provider, extern_uid}.
  identities jsonb not null
);
create index on users (lower(username));
create index on users (email);
-- Users of older logs, who are given a namespace at the next start.
create index on users (id) where namespace_id is null;
create index on users using gin (identities jsonb_path_ops);
