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

-- Who works on them, in the order in which they were given, without users that were deleted.
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

-- How many issues of a project have a label, those that are confidential apart; nothing for none.
create table label_counts (
  label_id bigint not null,
  project_id bigint not null,
  is_confidential boolean not null,
  opened bigint not null,
  closed bigint not null,
  primary key (label_id, project_id, is_confidential)
);
create index on label_counts (project_id) where opened = 0 and closed = 0;

-- Keeps the counts where labels come or go, and issues with them: so they are right whatever is written twice, and nobody counts many rows.
create function count_labels() returns trigger language plpgsql as $$
declare
  changed constant text := case tg_op when 'INSERT' then '(select 1 as sign, * from after)' else '(select -1 as sign, * from before)' end;
  counted constant text := case tg_table_name
    when 'labels' then 'select d.label_id, d.project_id, i.is_confidential, i.state, d.sign from ' || changed || ' d join %1$I.issues i
      on i.project_id = d.project_id and i.iid = d.iid'
    else 'select l.label_id, l.project_id, d.is_confidential, d.state, d.sign from ' || changed || ' d join %1$I.labels l
      on l.project_id = d.project_id and l.iid = d.iid' end;
begin
  execute format('
    insert into %1$I.label_counts as c (label_id, project_id, is_confidential, opened, closed)
    select label_id, project_id, is_confidential, coalesce(sum(sign) filter (where state = ''opened''), 0),
      coalesce(sum(sign) filter (where state <> ''opened''), 0)
    from (' || counted || ') d group by label_id, project_id, is_confidential
    on conflict (label_id, project_id, is_confidential) do update
      set opened = c.opened + excluded.opened, closed = c.closed + excluded.closed', tg_table_schema);
  execute format('delete from %I.label_counts where opened = 0 and closed = 0', tg_table_schema);
  return null;
end $$;

-- The same where an issue with labels opens, closes, becomes confidential or public.
create function count_labels_of() returns trigger language plpgsql as $$
begin
  execute format('
    insert into %1$I.label_counts as c (label_id, project_id, is_confidential, opened, closed)
    select l.label_id, l.project_id, d.is_confidential, sum(d.sign * d.is_open::int), sum(d.sign * (not d.is_open)::int)
    from %1$I.labels l, (values ($3, $4, -1), ($5, $6, 1)) d (is_confidential, is_open, sign)
    where l.project_id = $1 and l.iid = $2 group by l.label_id, l.project_id, d.is_confidential
    on conflict (label_id, project_id, is_confidential) do update
      set opened = c.opened + excluded.opened, closed = c.closed + excluded.closed', tg_table_schema)
  using new.project_id, new.iid, old.is_confidential, old.state = 'opened', new.is_confidential, new.state = 'opened';
  execute format('delete from %I.label_counts where opened = 0 and closed = 0', tg_table_schema);
  return null;
end $$;

create trigger labels_inserted after insert on labels referencing new table as after for each statement execute function count_labels();
create trigger labels_deleted after delete on labels referencing old table as before for each statement execute function count_labels();
create trigger issues_inserted after insert on issues referencing new table as after for each statement execute function count_labels();
create trigger issues_deleted after delete on issues referencing old table as before for each statement execute function count_labels();
create trigger issues_updated after update on issues for each row
  when (old.state <> new.state or old.is_confidential <> new.is_confidential) execute function count_labels_of();

-- How many open issues a project has, those that are confidential apart; nothing for none.
create table open_counts (
  project_id bigint not null,
  is_confidential boolean not null,
  opened bigint not null,
  primary key (project_id, is_confidential)
);
create index on open_counts (project_id) where opened = 0;

-- Keeps these counts, in the same way.
create function count_open() returns trigger language plpgsql as $$
declare
  columns constant text := 'select project_id, is_confidential, (state = ''opened'')::int';
  changes constant text := case tg_op
    when 'INSERT' then columns || ' as sign from after'
    when 'DELETE' then columns || ' * -1 as sign from before'
    else columns || ' as sign from after union all ' || columns || ' * -1 as sign from before' end;
begin
  execute format('
    insert into %1$I.open_counts as c (project_id, is_confidential, opened)
    select * from (
      select project_id, is_confidential, sum(sign) as opened from (%2$s) changed group by project_id, is_confidential
    ) sums where opened <> 0
    on conflict (project_id, is_confidential) do update set opened = c.opened + excluded.opened', tg_table_schema, changes);
  execute format('delete from %I.open_counts where opened = 0', tg_table_schema);
  return null;
end $$;
create trigger open_inserted after insert on issues referencing new table as after for each statement execute function count_open();
create trigger open_updated after update on issues referencing old table as before new table as after
  for each statement execute function count_open();
create trigger open_deleted after delete on issues referencing old table as before for each statement execute function count_open();
