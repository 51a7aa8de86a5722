-- Releases.
create table releases (
  project_id bigint not null,
  tag text not null,
  id bigint not null,
  -- Null where it is called as its tag.
  name text,
  description text,
  -- The commit of the tag, as it was when the release was created.
  sha text,
  author_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  released_at bigint not null,
  -- Whether what it contains is to be recorded at its time, and whether it was.
  wants_evidence boolean not null,
  has_evidence boolean not null,
  primary key (project_id, tag)
);
create index on releases (project_id, released_at, id);
create index on releases (project_id, created_at, id);
create index on releases (id);
create index on releases (released_at, id) where wants_evidence and not has_evidence;

-- What belongs to them and lies elsewhere.
create table links (
  id bigint primary key,
  project_id bigint not null,
  tag text not null,
  name text not null,
  url text not null,
  path text,
  type text not null
);
create index on links (project_id, tag, id);

-- Those of milestones that were deleted stay, and count for none.
create table milestones (
  project_id bigint not null,
  tag text not null,
  milestone_id bigint not null,
  primary key (project_id, tag, milestone_id)
);

-- Records of what they contained. The ids are positions in the log.
create table evidences (
  id bigint primary key,
  project_id bigint not null,
  tag text not null,
  sha256 text not null,
  summary text not null,
  collected_at bigint not null
);
create index on evidences (project_id, tag, id);
