-- Issues. Those of deleted projects stay, and are found nowhere without their project.
create table issues (
  project_id bigint not null,
  iid bigint not null,
  id bigint not null,
  state text not null,
  author_id bigint not null,
  is_confidential boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- The day is written `YYYY-MM-DD`.
  due_date text,
  -- That of a milestone that was deleted stays, and counts for none.
  milestone_id bigint,
  title text not null,
  -- In the description, and how many of them are done.
  tasks bigint not null,
  completed_tasks bigint not null,
  is_discussion_locked boolean,
  closed_at bigint,
  closed_by_id bigint,
  primary key (project_id, iid)
);
create index on issues (id);
create index on issues (created_at, id);
create index on issues (updated_at, id);
create index on issues (lower(title), id);
create index on issues (due_date, id);
create index on issues (due_date desc nulls last, id desc);
create index on issues (project_id, created_at, id);
create index on issues (project_id, updated_at, id);
create index on issues (project_id, lower(title), id);
create index on issues (project_id, due_date, id);
create index on issues (project_id, due_date desc nulls last, id desc);
create index on issues (project_id, state, created_at, id);
create index on issues (author_id, created_at, id);
create index on issues (milestone_id, id) where milestone_id is not null;

-- What they say, apart from all else: a change of anything else touches neither long texts nor the large index of what they hold.
create table texts (
  project_id bigint not null,
  iid bigint not null,
  id bigint not null,
  title text not null,
  description text,
  -- All that is searched, in lower case.
  search_text text not null generated always as (lower(title || E'\n' || coalesce(description, ''))) stored,
  primary key (project_id, iid)
);
-- What holds a text, where the server can tell.
do $$
declare place text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm');
begin
  if place is not null then
    execute format('create index on texts using gin (search_text %I.gin_trgm_ops)', place);
  end if;
end
$$;

-- Who works on them, in the order in which they were given.
create table assignees (
  project_id bigint not null,
  iid bigint not null,
  user_id bigint not null,
  place integer not null,
  primary key (project_id, iid, user_id)
);
create index on assignees (user_id, project_id, iid);

-- Those of labels that were deleted stay, and count for none.
create table labels (
  project_id bigint not null,
  iid bigint not null,
  label_id bigint not null,
  primary key (project_id, iid, label_id)
);
create index on labels (label_id, project_id, iid);

-- The numbers of deleted issues: they are not given again, also where counters are lost.
create table deleted (
  project_id bigint not null,
  iid bigint not null,
  primary key (project_id, iid)
);
