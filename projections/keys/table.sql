-- Keys of users and deploy keys: their ids are of one kind.
create table keys (
  id bigint primary key,
  -- user or deploy
  kind text not null,
  -- Whose key it is, or who created the deploy key.
  user_id bigint not null,
  title text not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  key text not null,
  usage_type text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null,
  -- Whether all projects may use the deploy key.
  public boolean not null
);
create index on keys (fingerprint);
create index on keys (fingerprint_sha256);
create index on keys (user_id, id);
create index on keys (id) where kind = 'deploy';

-- Use of deploy keys by projects.
create table deploy_keys_projects (
  id bigint primary key,
  deploy_key_id bigint not null,
  project_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  can_push boolean not null
);
create index on deploy_keys_projects (deploy_key_id, id);
create index on deploy_keys_projects (project_id, id);
