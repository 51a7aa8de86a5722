-- The last export of each project.
create table exports (
  project_id bigint primary key,
  number bigint not null,
  -- On whose behalf, as the log says it: they take turns.
  requested_by text not null,
  requested_at bigint not null,
  -- Null while anything of it is under way.
  finished_at bigint
);
create index on exports (requested_by, requested_at, project_id) where finished_at is null;
create index on exports (finished_at, project_id) where finished_at is not null;

-- Its relations.
create table relations (
  project_id bigint not null,
  relation text not null,
  -- Their order.
  place bigint not null,
  -- 0 is under way, 1 is there, -1 has failed.
  status bigint not null,
  error text,
  is_batched boolean not null,
  -- How many records it has, once they are taken.
  objects bigint not null,
  -- Of its file; null where there is none.
  sha256 text,
  updated_at bigint not null,
  primary key (project_id, relation)
);

-- The batches of relations that are over.
create table batches (
  project_id bigint not null,
  relation text not null,
  batch_number bigint not null,
  status bigint not null,
  objects bigint not null,
  error text,
  sha256 text,
  updated_at bigint not null,
  primary key (project_id, relation, batch_number)
);
