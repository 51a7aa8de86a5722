-- That the states of issues and merge requests changed. The ids are positions in the log.
create table state_events (
  id bigint primary key,
  type text not null,
  project_id bigint not null,
  iid bigint not null,
  user_id bigint not null,
  state text not null,
  created_at bigint not null,
  -- The commit by which commits came into the target branch that nobody merged by a merge request.
  merged_as text,
  -- Where the target branch led when that was found.
  source_commit text,
  -- The merge request by whose merge an issue was closed.
  source_merge_request_id bigint
);
create index on state_events (type, project_id, iid, id);
