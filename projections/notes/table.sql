-- Notes of people, and those that the service writes. Those of deleted things stay, and are found nowhere without them: there may be very many.
create table notes (
  id bigint primary key,
  project_id bigint not null,
  noteable_type text not null,
  iid bigint not null,
  discussion_id text not null,
  -- The note with which its discussion began; null for what the service wrote.
  root_id bigint,
  -- Whether it is the first that is left of its discussion.
  starts boolean not null,
  is_thread boolean not null,
  is_system boolean not null,
  is_internal boolean not null,
  author_id bigint,
  body text not null,
  -- Who or what came and went, where the service tells that: their names stand in place of the text.
  named jsonb,
  position jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  resolved_at bigint,
  resolved_by_id bigint,
  is_unresolved boolean not null generated always as (is_thread and resolved_at is null) stored
);
create index on notes (project_id, noteable_type, iid, created_at, id);
create index on notes (project_id, noteable_type, iid, updated_at, id);
create index on notes (project_id, noteable_type, iid, is_system, created_at, id);
create index on notes (project_id, noteable_type, iid, is_system, updated_at, id);
create index on notes (project_id, noteable_type, iid, created_at, id) where starts;
create index on notes (project_id, noteable_type, iid, discussion_id) where is_unresolved;
create index on notes (discussion_id, created_at, id);
-- Who takes part in what it is about.
create index on notes (project_id, noteable_type, iid, author_id) where not is_system and not is_internal;

-- How many notes of people a thing has, and how many of them wait to be resolved; nothing for a thing without notes of people.
create table counts (
  project_id bigint not null,
  noteable_type text not null,
  iid bigint not null,
  user_notes bigint not null,
  unresolved bigint not null,
  primary key (project_id, noteable_type, iid)
);

-- Keeps the counts, from the rows that a statement changes: so they are right whatever is written twice, and nobody counts many rows.
create function count_notes() returns trigger language plpgsql as $$
declare
  columns constant text := 'select project_id, noteable_type, iid, is_system, is_unresolved';
  changes constant text := case tg_op
    when 'INSERT' then columns || ', 1 as sign from after'
    when 'DELETE' then columns || ', -1 as sign from before'
    else columns || ', 1 as sign from after union all ' || columns || ', -1 as sign from before' end;
begin
  -- Nothing is counted of what the service wrote, which is most; and what is put calls this for updates although nothing was there.
  if tg_op <> 'DELETE' then
    if not exists (select from after where not is_system) then
      return null;
    end if;
  end if;
  execute format('
    insert into %1$I.counts as c (project_id, noteable_type, iid, user_notes, unresolved)
    select * from (
      select project_id, noteable_type, iid, sum(sign * (not is_system)::int) as user_notes, sum(sign * is_unresolved::int) as unresolved
      from (%2$s) changed group by project_id, noteable_type, iid
    ) sums where user_notes <> 0 or unresolved <> 0
    on conflict (project_id, noteable_type, iid) do update
      set user_notes = c.user_notes + excluded.user_notes, unresolved = c.unresolved + excluded.unresolved', tg_table_schema, changes);
  if tg_op = 'DELETE' then
    execute format('
      delete from %1$I.counts c using (select distinct project_id, noteable_type, iid from before) gone
      where c.project_id = gone.project_id and c.noteable_type = gone.noteable_type and c.iid = gone.iid and c.user_notes = 0', tg_table_schema);
  end if;
  return null;
end $$;
create trigger notes_inserted after insert on notes referencing new table as after for each statement execute function count_notes();
create trigger notes_updated after update on notes referencing old table as before new table as after
  for each statement execute function count_notes();
create trigger notes_deleted after delete on notes referencing old table as before for each statement execute function count_notes();
