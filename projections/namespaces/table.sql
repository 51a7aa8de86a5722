-- Groups and the personal namespaces of users. Paths and names are those below the parent: full ones are computed from parents.
create table namespaces (
  -- 'group' or 'user'
  kind text not null,
  -- The id of the group or of the user.
  subject_id bigint not null,
  -- Null for a user of an old log who has no namespace yet.
  id bigint,
  path text not null,
  name text not null,
  -- Null for a top-level namespace.
  parent_id bigint,
  -- The user of a personal namespace; null for a group.
  owner_id bigint,
  -- 'private', 'internal' or 'public'; personal namespaces are public.
  visibility text not null,
  description text not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- Settings of a group; null for a user, but for auto_devops_enabled, mentions_disabled and default_branch.
  share_with_group_lock boolean,
  require_two_factor_authentication boolean,
  two_factor_grace_period integer,
  project_creation_level text,
  auto_devops_enabled boolean,
  subgroup_creation_level text,
  emails_enabled boolean,
  mentions_disabled boolean,
  lfs_enabled boolean,
  math_rendering_limits_enabled boolean,
  lock_math_rendering_limits_enabled boolean,
  default_branch text,
  default_branch_protection integer,
  default_branch_protection_defaults jsonb,
  request_access_enabled boolean,
  shared_runners_setting text,
  prevent_sharing_groups_outside_hierarchy boolean,
  primary key (kind, subject_id)
);
create index on namespaces (id);
create index on namespaces (coalesce(parent_id, 0), lower(path));
create index on namespaces (parent_id);
create index on namespaces (owner_id);

create table group_members (
  group_id bigint not null,
  user_id bigint not null,
  access_level integer not null,
  -- `YYYY-MM-DD`; the membership ends when this day begins, UTC.
  expires_at text,
  created_at bigint not null,
  updated_at bigint not null,
  created_by bigint,
  primary key (group_id, user_id)
);
create index on group_members (user_id, group_id);

-- Former paths, until another namespace takes them.
create table redirects (
  -- 0 for the top level.
  parent_id bigint not null,
  -- In lower case.
  path text not null,
  kind text not null,
  subject_id bigint not null,
  primary key (parent_id, path)
);
create index on redirects (kind, subject_id);

-- Groups whose members are members of another one too, up to a level.
create table group_shares (
  -- What is shared.
  group_id bigint not null,
  -- With whom.
  invited_group_id bigint not null,
  id bigint not null,
  access_level integer not null,
  -- `YYYY-MM-DD`; the share ends when this day begins, UTC.
  expires_at text,
  created_at bigint not null,
  primary key (group_id, invited_group_id)
);
create index on group_shares (invited_group_id);
