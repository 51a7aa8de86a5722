-- Pipelines, each of a commit.
create table pipelines (
  id bigint primary key,
  project_id bigint not null,
  -- The number within the project.
  iid bigint not null,
  sha text not null,
  -- The short name of a branch or tag, or the full one of a ref of a merge request.
  ref text not null,
  is_tag boolean not null,
  source text not null,
  status text not null,
  name text,
  -- The commit that the branch named before a push.
  before_sha text,
  yaml_errors text,
  schedule_id bigint,
  -- For which it is; null for those of branches and tags.
  merge_request_id bigint,
  created_by bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  finished_at bigint
);
create index on pipelines (project_id, id);
create index on pipelines (project_id, iid);
create index on pipelines (project_id, sha, id);
create index on pipelines (project_id, is_tag, ref, id);
create index on pipelines (project_id, status, id);
create index on pipelines (project_id, source, id);
create index on pipelines (project_id, created_by, id);
create index on pipelines (project_id, name, id) where name is not null;
create index on pipelines (project_id, created_at, id);
create index on pipelines (project_id, updated_at, id);
create index on pipelines (schedule_id, id) where schedule_id is not null;
create index on pipelines (schedule_id, is_tag, ref, id) where schedule_id is not null;
create index on pipelines (merge_request_id, sha, id) where merge_request_id is not null;
create index on pipelines (merge_request_id, id) where merge_request_id is not null;
-- What counts for merge requests, and the newest of each branch and tag.
create index on pipelines (project_id, sha, ref, id) where merge_request_id is null and not is_tag;
create index on pipelines (project_id, is_tag, ref, id) where merge_request_id is null;
create index on pipelines (project_id, id) where yaml_errors is not null;

-- The jobs of pipelines, and the statuses that services outside have set.
create table jobs (
  id bigint primary key,
  pipeline_id bigint not null,
  project_id bigint not null,
  sha text not null,
  ref text not null,
  is_tag boolean not null,
  name text not null,
  stage text not null,
  -- The place of the stage among the stages, from 0.
  stage_index integer not null,
  status text not null,
  -- Set by a service outside.
  is_external boolean not null,
  -- A later one of the same name has taken its place.
  is_replaced boolean not null,
  -- The user who set it, or as whom it runs.
  created_by bigint not null,
  target_url text,
  description text,
  -- In percent.
  coverage double precision,
  allow_failure boolean not null,
  failure_reason text,
  tags text[] not null,
  executor text,
  created_at bigint not null,
  queued_at bigint,
  started_at bigint,
  finished_at bigint
);
create index on jobs (pipeline_id, id);
create index on jobs (project_id, sha, id);
create index on jobs (project_id, id) where not is_external;
create index on jobs (project_id, status, id) where not is_external;
-- What is under way of a user.
create index on jobs (created_by, pipeline_id)
  where not is_external and status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled');
