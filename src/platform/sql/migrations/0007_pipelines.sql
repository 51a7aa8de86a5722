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
