-- Merge requests. They go with the project into which they are to be merged.
create table merge_requests (
  project_id bigint not null,
  iid bigint not null,
  id bigint not null,
  state text not null,
  author_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  source_project_id bigint not null,
  source_branch text not null,
  target_branch text not null,
  title text not null,
  -- As lists find drafts.
  looks_like_draft boolean not null,
  -- Follow from people.
  has_assignees boolean not null default false,
  has_reviewers boolean not null default false,
  -- In the description, and how many of them are done.
  tasks bigint not null,
  completed_tasks bigint not null,
  squash boolean not null,
  removes_source_branch boolean not null,
  allows_collaboration boolean not null,
  is_discussion_locked boolean,
  -- The commit to which the source branch led when it was last looked at.
  sha text not null,
  -- Of the last version, with where the log has it; null before the first.
  version_id bigint,
  version_position bigint,
  base_sha text,
  start_sha text,
  files bigint,
  is_cut boolean,
  commits bigint,
  -- Whether it can be merged, as it was checked last; null before.
  verdict text,
  -- Whether a branch moved since then.
  is_outdated boolean not null,
  -- Why that could not be found out.
  check_error text,
  -- Whether the target branch had nothing then that the source branch has not.
  is_fast_forward boolean,
  -- Who lets it be merged as soon as nothing stands in the way, and whether it is to be looked at.
  auto_merge_user_id bigint,
  is_auto_merge_due boolean not null,
  -- What it waits for to be merged of itself; null while it is due.
  auto_merge_held_for text,
  locked_at bigint,
  merge_error text,
  -- Who wants it to be rebased, and since when; null for nobody.
  rebase_by bigint,
  rebase_requested_at bigint,
  prepared_at bigint,
  merged_at bigint,
  merge_user_id bigint,
  merge_sha text,
  squash_sha text,
  should_remove_source_branch boolean,
  closed_at bigint,
  closed_by_id bigint,
  -- That of a milestone that was deleted stays, and counts for none.
  milestone_id bigint,
  time_estimate bigint not null,
  time_spent bigint not null,
  -- How many have to approve, whoever they are, and how many approvals are missing, those of rules included.
  approvals_before_merge bigint,
  approvals_left bigint not null,
  primary key (project_id, iid)
);

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

-- Assignees and reviewers, in the order in which they were given, without users that were deleted.
create table people (
  project_id bigint not null,
  iid bigint not null,
  role text not null,
  user_id bigint not null,
  place integer not null,
  created_at bigint not null,
  primary key (project_id, iid, role, user_id)
);
create index on people (user_id, role, project_id, iid);

-- What has to be merged before others.
create table blocks (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  blocking_project_id bigint not null,
  blocking_iid bigint not null
);
create index on blocks (project_id, iid, id);
create index on blocks (blocking_project_id, blocking_iid);

-- The commits by which a merge request is found: those of its last version, and those that its merge made.
create table commits (
  project_id bigint not null,
  iid bigint not null,
  sha text not null,
  primary key (project_id, sha, iid)
);
create index on commits (project_id, iid);

-- The issues that merge requests say they close.
create table issues_to_close (
  project_id bigint not null,
  iid bigint not null,
  issue_project_id bigint not null,
  issue_iid bigint not null,
  primary key (project_id, iid, issue_project_id, issue_iid)
);
create index on issues_to_close (issue_project_id, issue_iid);

-- What users said of hearing of it.
create table subscriptions (
  project_id bigint not null,
  iid bigint not null,
  user_id bigint not null,
  is_subscribed boolean not null,
  primary key (project_id, iid, user_id)
);

-- What was to be merged, from when on.
create table versions (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  target_branch text not null,
  head_sha text not null,
  base_sha text not null,
  start_sha text not null,
  files bigint not null,
  is_cut boolean not null,
  commits bigint not null,
  patch_id text,
  created_at bigint not null
);
create index on versions (project_id, iid, id);

-- Who approved, in the order of their times, users that were deleted included.
create table approvals (
  project_id bigint not null,
  iid bigint not null,
  user_id bigint not null,
  approved_at bigint not null,
  primary key (project_id, iid, user_id)
);
create index on approvals (user_id, project_id, iid);

-- Rules by which some have to approve.
create table approval_rules (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  name text not null,
  approvals_required bigint not null
);
create index on approval_rules (project_id, iid, id);

-- The users of rules, in the order in which they were given, without users that were deleted.
create table approvers (
  rule_id bigint not null,
  user_id bigint not null,
  project_id bigint not null,
  iid bigint not null,
  place integer not null,
  primary key (rule_id, user_id)
);
create index on approvers (project_id, iid);
create index on approvers (user_id, project_id, iid);

-- Those of labels that were deleted stay, and count for none.
create table labels (
  project_id bigint not null,
  iid bigint not null,
  label_id bigint not null,
  primary key (project_id, iid, label_id)
);
create index on labels (label_id, project_id, iid);

-- Who added a label or removed one, and when.
create table label_events (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  label_id bigint not null,
  is_added boolean not null,
  user_id bigint not null,
  created_at bigint not null
);
create index on label_events (project_id, iid, id);

-- The same of milestones, with the state of the merge request then.
create table milestone_events (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  milestone_id bigint not null,
  is_added boolean not null,
  state text not null,
  user_id bigint not null,
  created_at bigint not null
);
create index on milestone_events (project_id, iid, id);

-- The time that was spent, less than zero where it was taken back, since it was last reset. The ids are positions in the log.
create table timelogs (
  id bigint primary key,
  project_id bigint not null,
  iid bigint not null,
  user_id bigint not null,
  seconds bigint not null,
  summary text,
  created_at bigint not null
);
create index on timelogs (project_id, iid, id);

-- How many open merge requests of a project have a label; nothing for none.
create table label_counts (
  label_id bigint not null,
  project_id bigint not null,
  opened bigint not null,
  primary key (label_id, project_id)
);
create index on label_counts (project_id) where opened = 0;

-- Keeps the counts where labels come or go, and merge requests with them: so they are right whatever is written twice, and nobody counts many rows.
create function count_labels() returns trigger language plpgsql as $$
declare
  changed constant text := case tg_op when 'INSERT' then '(select 1 as sign, * from after)' else '(select -1 as sign, * from before)' end;
  counted constant text := case tg_table_name
    when 'labels' then 'select d.label_id, d.project_id, d.sign from ' || changed || ' d join %1$I.merge_requests m
      on m.project_id = d.project_id and m.iid = d.iid where m.state = ''opened'''
    else 'select l.label_id, l.project_id, d.sign from ' || changed || ' d join %1$I.labels l
      on l.project_id = d.project_id and l.iid = d.iid where d.state = ''opened''' end;
begin
  execute format('
    insert into %1$I.label_counts as c (label_id, project_id, opened)
    select label_id, project_id, sum(sign) from (' || counted || ') d group by label_id, project_id
    on conflict (label_id, project_id) do update set opened = c.opened + excluded.opened', tg_table_schema);
  execute format('delete from %I.label_counts where opened = 0', tg_table_schema);
  return null;
end $$;

-- The same where a merge request with labels opens, or does not stay open.
create function count_labels_of() returns trigger language plpgsql as $$
begin
  execute format('
    insert into %1$I.label_counts as c (label_id, project_id, opened)
    select label_id, project_id, $3 from %1$I.labels where project_id = $1 and iid = $2
    on conflict (label_id, project_id) do update set opened = c.opened + excluded.opened', tg_table_schema)
  using new.project_id, new.iid, case new.state when 'opened' then 1 else -1 end;
  execute format('delete from %I.label_counts where opened = 0', tg_table_schema);
  return null;
end $$;

create trigger labels_inserted after insert on labels referencing new table as after for each statement execute function count_labels();
create trigger labels_deleted after delete on labels referencing old table as before for each statement execute function count_labels();
create trigger merge_requests_inserted after insert on merge_requests referencing new table as after
  for each statement execute function count_labels();
create trigger merge_requests_deleted after delete on merge_requests referencing old table as before
  for each statement execute function count_labels();
create trigger merge_requests_updated after update on merge_requests for each row
  when ((old.state = 'opened') <> (new.state = 'opened')) execute function count_labels_of();

-- Keeps whether there are assignees and reviewers where these come or go, also with a user who is deleted, in whatever order rows are written.
create function note_people() returns trigger language plpgsql as $$
begin
  execute format('
    update %1$I.merge_requests m set has_assignees = n.has_assignees, has_reviewers = n.has_reviewers
    from (
      select k.project_id, k.iid,
        exists (select from %1$I.people p where p.project_id = k.project_id and p.iid = k.iid and p.role = ''assignee'') as has_assignees,
        exists (select from %1$I.people p where p.project_id = k.project_id and p.iid = k.iid and p.role = ''reviewer'') as has_reviewers
      from (select distinct project_id, iid from changed) k
    ) n
    where m.project_id = n.project_id and m.iid = n.iid
      and (m.has_assignees, m.has_reviewers) is distinct from (n.has_assignees, n.has_reviewers)', tg_table_schema);
  return null;
end $$;

create trigger people_inserted after insert on people referencing new table as changed for each statement execute function note_people();
create trigger people_deleted after delete on people referencing old table as changed for each statement execute function note_people();
create trigger people_noted after insert on merge_requests referencing new table as changed for each statement execute function note_people();
