-- What waits for users, and what waited. To-dos of deleted projects, and those that came late of a deleted merge request, stay and are found nowhere.
create table todos (
  id bigint primary key,
  user_id bigint not null,
  target_type text not null,
  project_id bigint not null,
  iid bigint not null,
  action text not null,
  author_id bigint not null,
  state text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index on todos (user_id, state, id);
create index on todos (user_id, state, project_id, id);
create index on todos (user_id, state, action, id);
create index on todos (user_id, state, author_id, id);
create index on todos (user_id, state, target_type, id);
create index on todos (target_type, project_id, iid);
