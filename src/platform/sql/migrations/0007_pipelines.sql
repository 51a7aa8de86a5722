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
