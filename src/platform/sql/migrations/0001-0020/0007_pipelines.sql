-- Ids of pipelines, and of jobs and statuses, which share one space.
create sequence chronoforge.pipeline_ids;
create sequence chronoforge.job_ids;
-- Numbers that count within something, such as the pipelines of a project: the last one that was taken.
create table chronoforge.numbers (
  kind text not null,
  scope bigint not null,
  last bigint not null,
  primary key (kind, scope)
);
-- Numbers of runs of jobs by executors, and until when executors may be silent.
create sequence chronoforge.job_claim_ids;
create table chronoforge.job_leases (
  claim bigint primary key,
  job_id bigint not null,
  pipeline_id bigint not null,
  expires_at timestamptz not null
);
create index on chronoforge.job_leases (expires_at);
-- Up to which position of the log reactors have come.
create table chronoforge.reactions (
  name text primary key,
  position bigint not null
);
-- The ids that pipelines of pushes get, so that a crash makes none twice.
create table chronoforge.pushed_pipelines (
  position bigint not null,
  ref text not null,
  pipeline_id bigint not null,
  primary key (position, ref)
);
