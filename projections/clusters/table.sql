-- Clusters that are connected. Tokens stay in the log, sealed.
create table clusters (
  id bigint primary key,
  name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  domain text,
  enabled boolean not null,
  managed boolean not null,
  provider_type text not null,
  provider jsonb,
  environment_scope text not null,
  namespace_per_environment boolean not null,
  management_project_id bigint,
  api_url text not null,
  namespace text,
  authorization_type text not null,
  ca_cert text,
  added_by bigint not null
);
create index on clusters (environment_scope);
