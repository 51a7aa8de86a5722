-- What was said about commits, in the order of the log.
create table comments (
  project_id bigint not null,
  sha text not null,
  position bigint not null,
  note text not null,
  path text,
  line int,
  line_type text,
  author_id bigint not null,
  created_at bigint not null,
  primary key (project_id, sha, position)
);
