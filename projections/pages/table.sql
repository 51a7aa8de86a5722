-- What is set for the pages of projects.
create table settings (
  project_id bigint primary key,
  unique_domain_enabled boolean,
  https_only boolean,
  unique_domain text
);
create index on settings (unique_domain);

-- What is published.
create table deployments (
  project_id bigint not null,
  path_prefix text not null,
  site text not null,
  root_directory text,
  created_at bigint not null,
  primary key (project_id, path_prefix)
);
