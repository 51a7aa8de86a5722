-- What is not done yet in repositories; those without anything to do have no row.
--   record    refs may have moved that the log does not have; noted before they move
--   maintain  commit-graph, packs and refs want maintenance
--   count     contributors are to be counted
create table chronoforge.repository_tasks (
  project_id bigint not null,
  task text not null check (task in ('record', 'maintain', 'count')),
  -- How often it was noted. What was done is forgotten only where nothing was noted meanwhile.
  notes integer not null default 1,
  due_at timestamptz not null,
  -- It does not become due later than this, however often it is noted.
  latest_at timestamptz not null,
  primary key (project_id, task)
);
create index on chronoforge.repository_tasks (task, due_at);

-- Of an installation that is older than this table nobody knows: all of its repositories are looked at once.
insert into chronoforge.repository_tasks (project_id, task, due_at, latest_at)
  select id, task, now(), now()
  from chronoforge.project_ids taken, generate_series(1, taken.last_value) id, unnest(array['record', 'maintain']) task
  where taken.is_called;
