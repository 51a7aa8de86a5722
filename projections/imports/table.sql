-- What was, or is being, imported into projects.
create table imports (
  id bigint primary key,
  import_url text,
  status text not null,
  error text,
  progress int not null
);

-- Imports that are not over, of deleted projects too.
create table pending (
  id bigint primary key,
  scheduled_at bigint not null,
  -- On whose behalf, as the log says it: they take turns.
  scheduled_by text not null
);
create index pending_by_caller on pending (scheduled_by, scheduled_at, id);
