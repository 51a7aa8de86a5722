-- Milestones of projects and of groups.
create table milestones (
  id bigint primary key,
  -- The number within the project or group.
  iid bigint not null,
  -- One of both is null.
  project_id bigint,
  group_id bigint,
  title text not null,
  description text,
  -- 'active' or 'closed'
  state text not null,
  -- Days are written `YYYY-MM-DD`.
  start_date text,
  due_date text,
  created_at bigint not null,
  updated_at bigint not null
);
create index on milestones (project_id, title) where project_id is not null;
create index on milestones (title);
create index on milestones (due_date);
create index on milestones (due_date desc nulls last);
create index on milestones (group_id, title) where group_id is not null;

-- The numbers that milestones have or had: they are not given again, also where the milestone is deleted and counters are lost.
create table numbers (
  milestone_id bigint primary key,
  project_id bigint,
  group_id bigint,
  iid bigint not null
);
create index on numbers (project_id, iid) where project_id is not null;
create index on numbers (group_id, iid) where group_id is not null;
