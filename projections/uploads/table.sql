-- Files that were uploaded to projects.
create table uploads (
  id bigint primary key,
  project_id bigint not null,
  secret text not null,
  name text not null,
  bytes bigint not null,
  sha256 text not null,
  user_id bigint not null,
  created_at bigint not null
);
create index on uploads (project_id, id);
create index on uploads (project_id, secret);
