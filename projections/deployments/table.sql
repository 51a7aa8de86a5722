-- Environments and deployments. Those of deleted projects stay, and are found nowhere without their project.
create table environments (
  id bigint primary key,
  project_id bigint not null,
  name text not null,
  slug text not null,
  external_url text,
  tier text not null,
  -- 'available' or 'stopped'
  state text not null,
  -- Those that are deleted are found nowhere, and their deployments neither; their names tell the streams.
  is_deleted boolean not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index on environments (project_id, name, id);

create table deployments (
  id bigint primary key,
  project_id bigint not null,
  -- The number within the project.
  iid bigint not null,
  environment_id bigint not null,
  user_id bigint not null,
  ref text not null,
  is_tag boolean not null,
  sha text not null,
  status text not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- Null while it runs.
  finished_at bigint
);
create index on deployments (project_id, id);
create index on deployments (project_id, iid);
create index on deployments (project_id, status, id);
create index on deployments (project_id, created_at, id);
create index on deployments (project_id, updated_at, id);
create index on deployments (project_id, finished_at, id);
create index on deployments (project_id, ref, id);
create index on deployments (environment_id, id);
create index on deployments (environment_id, finished_at, id) where status = 'success';

-- The merge requests that came into an environment by a deployment.
create table merge_requests (
  deployment_id bigint not null,
  project_id bigint not null,
  iid bigint not null,
  primary key (project_id, iid, deployment_id)
);
create index on merge_requests (deployment_id, project_id, iid);
