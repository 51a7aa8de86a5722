-- Refs of repositories as the log has them.
create table refs (
  project_id bigint not null,
  ref text not null,
  id text not null,
  -- That of the push in the log.
  position bigint not null,
  primary key (project_id, ref)
);
