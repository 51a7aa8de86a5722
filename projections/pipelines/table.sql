-- Pipelines, each of a commit.
create table pipelines (
  id bigint primary key,
  project_id bigint not null,
  -- The number within the project.
  iid bigint not null,
  sha text not null,
  -- The short name of a branch or tag.
  ref text not null,
  is_tag boolean not null,
  source text not null,
  status text not null,
  name text,
  created_by bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  finished_at bigint
);
create index on pipelines (project_id, id);
create index on pipelines (project_id, iid);
create index on pipelines (project_id, sha, id);
create index on pipelines (project_id, ref, id);
create index on pipelines (project_id, status, id);
create index on pipelines (project_id, updated_at, id);

-- Statuses of commits that services outside have set.
create table statuses (
  id bigint primary key,
  pipeline_id bigint not null,
  project_id bigint not null,
  sha text not null,
  ref text not null,
  name text not null,
  stage text not null,
  status text not null,
  -- A later one of the same name has taken its place.
  is_replaced boolean not null,
  posted_by bigint not null,
  target_url text,
  description text,
  -- In percent.
  coverage double precision,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint
);
create index on statuses (pipeline_id, id);
create index on statuses (project_id, sha, id);
