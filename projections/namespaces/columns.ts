import type { GroupRow } from "#src/groups/Groups.ts"

/** The columns of a `GroupRow` that are not computed: a missing or a surplus one does not compile. */
const names: Record<Exclude<keyof GroupRow, "full_path" | "full_name">, true> = {
  id: true,
  kind: true,
  path: true,
  name: true,
  parent_id: true,
  owner_id: true,
  visibility: true,
  description: true,
  created_at: true,
  updated_at: true,
  share_with_group_lock: true,
  require_two_factor_authentication: true,
  two_factor_grace_period: true,
  project_creation_level: true,
  auto_devops_enabled: true,
  subgroup_creation_level: true,
  emails_enabled: true,
  mentions_disabled: true,
  lfs_enabled: true,
  math_rendering_limits_enabled: true,
  lock_math_rendering_limits_enabled: true,
  default_branch: true,
  default_branch_protection: true,
  default_branch_protection_defaults: true,
  request_access_enabled: true,
  shared_runners_setting: true,
  prevent_sharing_groups_outside_hierarchy: true
}

/** The columns of a `NamespaceRow` for a select list, of the tables with these aliases; `titles` has `full_path` and `full_name`. */
export const namespaceColumns = (alias: string, titles: string): string =>
  [...Object.keys(names).map((name) => `${alias}.${name}`), `${titles}.full_path`, `${titles}.full_name`].join(", ")
