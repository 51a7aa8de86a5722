-- What lists and questions go by. A rebuild makes these once all rows are there.
create index if not exists by_project_created on merge_requests (project_id, created_at, id);
create index if not exists by_project_updated on merge_requests (project_id, updated_at, id);
create index if not exists by_project_state on merge_requests (project_id, state, created_at, id);
create index if not exists by_created on merge_requests (created_at, id);
create index if not exists by_state on merge_requests (state, created_at, id);
create index if not exists by_state_updated on merge_requests (state, updated_at, id);
-- Few are drafts.
create index if not exists drafts_by_created on merge_requests (created_at, id) where looks_like_draft;
create index if not exists by_author on merge_requests (author_id, created_at, id);
create index if not exists by_updated on merge_requests (updated_at, id);
create index if not exists by_title on merge_requests (lower(title), id);
create index if not exists by_project_title on merge_requests (project_id, lower(title), id);
create index if not exists by_merged on merge_requests (merged_at desc nulls last, id desc);
create index if not exists by_project_merged on merge_requests (project_id, merged_at desc nulls last, id desc);
create index if not exists due on merge_requests (project_id, iid) where state = 'opened' and is_auto_merge_due;
create index if not exists waiting_by_sha on merge_requests (sha) where state = 'opened' and auto_merge_user_id is not null;
create index if not exists waiting on merge_requests (project_id, iid) where state = 'opened' and auto_merge_user_id is not null;
-- Those whose setter may not merge, or of which that is found out just now.
create index if not exists lacking_rights on merge_requests (project_id, iid) where state = 'opened'
  and auto_merge_user_id is not null and (is_auto_merge_due or auto_merge_held_for = 'not_allowed');
create index if not exists waiting_by_setter on merge_requests (auto_merge_user_id, project_id, iid) where state = 'opened' and auto_merge_user_id is not null;
create index if not exists locked on merge_requests (locked_at) where state = 'locked';
-- What is to be found out.
create index if not exists outdated on merge_requests (project_id, iid) where state = 'opened' and is_outdated;
create unique index if not exists by_id on merge_requests (id);
create index if not exists rebasing on merge_requests (rebase_by, rebase_requested_at) where rebase_requested_at is not null;
create index if not exists merged_authors on merge_requests (project_id, author_id) where state = 'merged';
create index if not exists by_milestone on merge_requests (milestone_id, id) where milestone_id is not null;
create index if not exists by_merger on merge_requests (merge_user_id, created_at, id) where merge_user_id is not null;
-- By which commit they came into the target branch.
create index if not exists by_merge_commit on merge_requests (project_id, coalesce(merge_sha, squash_sha, sha), id) where state = 'merged';
-- What a push to a branch has to do with.
create index if not exists by_source_branch on merge_requests (source_project_id, source_branch);
create index if not exists by_target_branch on merge_requests (target_branch, project_id);
create index if not exists collaborating on merge_requests (source_project_id, id) where state = 'opened' and allows_collaboration;

-- What holds a text, where the server can tell.
do $$
declare place text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm');
begin
  if place is not null then
    execute format('create index if not exists texts_search_text_idx on texts using gin (search_text %I.gin_trgm_ops)', place);
  end if;
end
$$;
