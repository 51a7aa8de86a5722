-- What lists compare comes first: reaching a column takes longer the more columns are in front of it.
create table projects (
  id bigint primary key,
  namespace_id bigint not null,
  creator_id bigint not null,
  visibility text not null,
  -- All that is searched, in lower case.
  search_text text not null generated always as (lower(name || E'\n' || path || E'\n' || coalesce(description, ''))) stored,
  name text not null,
  path text not null,
  description text,
  archived boolean not null,
  default_branch text,
  -- Whether nothing was ever pushed.
  empty_repo boolean not null,
  -- Name of the README at the root of the default branch.
  readme text,
  forked_from_id bigint,
  created_at bigint not null,
  updated_at bigint not null,
  last_activity_at bigint not null,
  -- Settings, but for those above.
  topics text[] not null,
  issues_access_level text not null,
  repository_access_level text not null,
  merge_requests_access_level text not null,
  forking_access_level text not null,
  wiki_access_level text not null,
  builds_access_level text not null,
  snippets_access_level text not null,
  pages_access_level text not null,
  analytics_access_level text not null,
  container_registry_access_level text not null,
  security_and_compliance_access_level text not null,
  releases_access_level text not null,
  environments_access_level text not null,
  feature_flags_access_level text not null,
  infrastructure_access_level text not null,
  monitor_access_level text not null,
  model_experiments_access_level text not null,
  model_registry_access_level text not null,
  merge_method text not null,
  squash_option text not null,
  only_allow_merge_if_pipeline_succeeds boolean not null,
  allow_merge_on_skipped_pipeline boolean not null,
  only_allow_merge_if_all_discussions_are_resolved boolean not null,
  remove_source_branch_after_merge boolean not null,
  printing_merge_request_link_enabled boolean not null,
  resolve_outdated_diff_discussions boolean not null,
  mr_default_target_self boolean not null,
  suggestion_commit_message text,
  merge_commit_template text,
  squash_commit_template text,
  issue_branch_template text,
  public_jobs boolean not null,
  shared_runners_enabled boolean not null,
  group_runners_enabled boolean not null,
  keep_latest_artifact boolean not null,
  ci_config_path text,
  ci_default_git_depth integer,
  ci_forward_deployment_enabled boolean not null,
  ci_forward_deployment_rollback_allowed boolean not null,
  ci_job_token_scope_enabled boolean not null,
  ci_separated_caches boolean not null,
  ci_allow_fork_pipelines_to_run_in_parent_project boolean not null,
  ci_push_repository_for_job_token_allowed boolean not null,
  ci_pipeline_variables_minimum_override_role text not null,
  restrict_user_defined_variables boolean not null,
  build_git_strategy text not null,
  build_timeout integer not null,
  auto_cancel_pending_pipelines text not null,
  auto_devops_enabled boolean not null,
  auto_devops_deploy_strategy text not null,
  packages_enabled boolean not null,
  service_desk_enabled boolean not null,
  emails_enabled boolean not null,
  lfs_enabled boolean not null,
  request_access_enabled boolean not null,
  autoclose_referenced_issues boolean not null,
  enforce_auth_checks_on_uploads boolean not null,
  warn_about_potentially_unwanted_characters boolean not null
);
create index on projects (namespace_id, lower(path));
create index on projects (forked_from_id);
create index on projects (last_activity_at, id);
create index on projects (visibility, id);

create table project_members (
  project_id bigint not null,
  user_id bigint not null,
  access_level integer not null,
  -- `YYYY-MM-DD`; the membership ends when this day begins, UTC.
  expires_at text,
  created_at bigint not null,
  updated_at bigint not null,
  created_by bigint,
  primary key (project_id, user_id)
);
create index on project_members (user_id, project_id);

-- Groups whose members are members of the project too, up to a level.
create table project_shares (
  project_id bigint not null,
  invited_group_id bigint not null,
  id bigint not null,
  access_level integer not null,
  -- `YYYY-MM-DD`; the share ends when this day begins, UTC.
  expires_at text,
  created_at bigint not null,
  primary key (project_id, invited_group_id)
);
create index on project_shares (invited_group_id);

-- Former paths, until another project of the namespace takes them.
create table redirects (
  namespace_id bigint not null,
  -- In lower case.
  path text not null,
  project_id bigint not null,
  primary key (namespace_id, path)
);
create index on redirects (project_id);

-- Protected branches and tags; names may hold `*`.
create table protected_refs (
  id bigint primary key,
  project_id bigint not null,
  kind text not null,
  name text not null,
  allow_force_push boolean not null,
  -- Arrays of {id, access_level}.
  push_access_levels jsonb not null,
  merge_access_levels jsonb not null,
  updated_at bigint not null
);
create index on protected_refs (project_id, kind, name);

create table stars (
  project_id bigint not null,
  user_id bigint not null,
  starred_at bigint not null,
  primary key (project_id, user_id)
);
create index on stars (user_id);

-- Users whose stars do not count: those who are not active, and those who were deleted.
create table inactive_users (
  user_id bigint primary key
);

-- How many active users have starred a project; nothing for none.
create table star_counts (
  project_id bigint primary key,
  star_count bigint not null
);
create index on star_counts (project_id) where star_count = 0;

-- Keeps the counts where stars come or go, and users with them: so they are right whatever is written twice, and nobody counts many stars.
create function count_stars() returns trigger language plpgsql as $$
declare
  changed constant text := case tg_op when 'INSERT' then 'after' else 'before' end;
  counted constant text := case tg_table_name
    when 'stars' then 'select d.project_id from ' || changed || ' d
      where not exists (select from %1$I.inactive_users i where i.user_id = d.user_id)'
    else 'select s.project_id from ' || changed || ' d join %1$I.stars s on s.user_id = d.user_id' end;
  sign constant int := case when (tg_table_name = 'stars') = (tg_op = 'INSERT') then 1 else -1 end;
begin
  execute format('
    insert into %1$I.star_counts as c (project_id, star_count)
    select project_id, count(*) * $1 from (' || counted || ') d group by project_id
    on conflict (project_id) do update set star_count = c.star_count + excluded.star_count', tg_table_schema) using sign;
  execute format('delete from %I.star_counts where star_count = 0', tg_table_schema);
  return null;
end $$;

create trigger stars_inserted after insert on stars referencing new table as after for each statement execute function count_stars();
create trigger stars_deleted after delete on stars referencing old table as before for each statement execute function count_stars();
create trigger inactive_inserted after insert on inactive_users referencing new table as after for each statement execute function count_stars();
create trigger inactive_deleted after delete on inactive_users referencing old table as before for each statement execute function count_stars();
