-- Pipeline schedules. Those of deleted projects stay until the reactor deletes them.
create table schedules (
  id bigint primary key,
  project_id bigint not null,
  owner_id bigint not null,
  description text not null,
  -- The full name of a branch or tag.
  ref text not null,
  cron text not null,
  cron_timezone text not null,
  is_active boolean not null,
  next_run_at bigint,
  next_run_reason text,
  -- The revision of the stream that set what is above, and the one from whose settings the next run was told.
  revision bigint not null,
  planned_by bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index on schedules (project_id, id);
create index on schedules (owner_id) where is_active;
-- What the scheduler looks at: who is due first.
create index on schedules (next_run_at, id) where is_active;
-- Those whose next run has to be told again: they were changed while a slot was started that told it.
create index on schedules (id) where planned_by < revision;

-- Variables of schedules, whose values are sealed.
create table variables (
  schedule_id bigint not null,
  key text not null,
  variable_type text not null,
  value text not null,
  raw boolean not null,
  -- The revision that added it.
  number bigint not null,
  primary key (schedule_id, key)
);

-- What became of the slots of schedules.
create table slots (
  schedule_id bigint not null,
  at bigint not null,
  state text not null,
  reason text not null,
  message text,
  pipeline_id bigint,
  noted_at bigint not null,
  -- Whether slots after it, which nobody named, passed with it.
  has_more boolean not null default false,
  primary key (schedule_id, at)
);
create index on slots (schedule_id, at) where state = 'started';
