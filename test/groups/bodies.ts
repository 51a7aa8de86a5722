import { anyId, anyTime } from "#test/support/exactly.ts"

export const groupNotFound = { message: "404 Group Not Found" }
export const forbidden = { message: "403 Forbidden" }
export const unauthorized = { message: "401 Unauthorized" }

/** A group that was created with nothing but name and path, in the order of the reference. */
export const groupBody = (name: string, fullPath: string, url: string, differences: object = {}) => ({
  id: anyId,
  web_url: `${url}/groups/${fullPath}`,
  name,
  path: fullPath.slice(fullPath.lastIndexOf("/") + 1),
  description: "",
  visibility: "private",
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: "developer",
  auto_devops_enabled: null,
  subgroup_creation_level: "maintainer",
  emails_disabled: false,
  emails_enabled: true,
  mentions_disabled: null,
  lfs_enabled: false,
  math_rendering_limits_enabled: true,
  lock_math_rendering_limits_enabled: false,
  default_branch: null,
  default_branch_protection: 2,
  default_branch_protection_defaults: {
    allowed_to_push: [{ access_level: 40 }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: 40 }],
    developer_can_initial_push: false
  },
  avatar_url: null,
  request_access_enabled: true,
  full_name: name,
  full_path: fullPath,
  created_at: anyTime,
  parent_id: null,
  organization_id: 1,
  shared_runners_setting: "enabled",
  ...differences
})

/** The same as its owner reads it alone. */
export const detailsBody = (
  name: string,
  fullPath: string,
  url: string,
  differences: Readonly<Record<string, unknown>> = {}
) => ({
  ...groupBody(name, fullPath, url, differences),
  shared_with_groups: [],
  runners_token: null,
  ...((differences.parent_id ?? null) === null ? { prevent_sharing_groups_outside_hierarchy: false } : {}),
  projects: [],
  shared_projects: []
})
