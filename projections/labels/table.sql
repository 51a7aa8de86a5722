-- Labels of projects and of groups.
create table labels (
  id bigint primary key,
  -- One of both is null.
  project_id bigint,
  group_id bigint,
  title text not null,
  description text,
  color text not null,
  priority bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index on labels (project_id, title, id) where project_id is not null;
create index on labels (title);
create index on labels (group_id, title, id) where group_id is not null;
