import { isoMillis } from "../../http/answer/jsonTimes.ts"
import type { Presented } from "../../http/answer/Presented.ts"
import { groupUrl, namespaceReference } from "../../http/answer/references.ts"
import { defined } from "../../kernel/defined.ts"
import { protectionOf } from "../attributes.ts"
import type { Namespace } from "../contract.ts"
import type { ShownProjects } from "../GroupProjects.ts"
import type { GroupRow, NamespaceRow } from "../Groups.ts"
import type { GroupDetails, GroupShape } from "../shapes.ts"

const asLevels = (levels: ReadonlyArray<number>) => levels.map((access_level) => ({ access_level }))

/** There is one organization. */
const organizationId = 1

/** What answers say of groups besides what is theirs. */
export interface Instance {
  readonly externalUrl: string
  /** How default branches are protected in groups that say nothing of it. */
  readonly branchProtection: number
}

export const presentGroup = (row: GroupRow, { branchProtection, externalUrl }: Instance): typeof GroupShape.Type => {
  const defaults = row.default_branch_protection_defaults ?? protectionOf(branchProtection)
  return {
    id: row.id,
    web_url: groupUrl(row.full_path, externalUrl),
    name: row.name,
    path: row.path,
    description: row.description,
    visibility: row.visibility,
    share_with_group_lock: row.share_with_group_lock,
    require_two_factor_authentication: row.require_two_factor_authentication,
    two_factor_grace_period: row.two_factor_grace_period,
    project_creation_level: row.project_creation_level,
    auto_devops_enabled: row.auto_devops_enabled,
    subgroup_creation_level: row.subgroup_creation_level,
    emails_disabled: !row.emails_enabled,
    emails_enabled: row.emails_enabled,
    mentions_disabled: row.mentions_disabled,
    lfs_enabled: false,
    math_rendering_limits_enabled: row.math_rendering_limits_enabled,
    lock_math_rendering_limits_enabled: row.lock_math_rendering_limits_enabled,
    default_branch: row.default_branch,
    default_branch_protection: row.default_branch_protection ?? branchProtection,
    default_branch_protection_defaults: {
      allowed_to_push: asLevels(defaults.allowedToPush),
      allow_force_push: defaults.allowForcePush,
      allowed_to_merge: asLevels(defaults.allowedToMerge),
      developer_can_initial_push: defaults.developerCanInitialPush
    },
    avatar_url: null,
    request_access_enabled: row.request_access_enabled,
    full_name: row.full_name,
    full_path: row.full_path,
    created_at: isoMillis(row.created_at),
    parent_id: row.parent_id,
    organization_id: organizationId,
    shared_runners_setting: row.shared_runners_setting
  }
}

interface Details {
  /** Owners see more. */
  readonly isOwner: boolean
  readonly sharedWith: (typeof GroupDetails.Type)["shared_with_groups"]
  /** Absent when they were not asked for. */
  readonly contents?: ShownProjects
}

export const presentDetails = (
  row: GroupRow,
  { isOwner, contents, sharedWith }: Details,
  instance: Instance
): Presented<typeof GroupDetails.Type> => ({
  ...presentGroup(row, instance),
  shared_with_groups: sharedWith,
  runners_token: isOwner ? null : undefined,
  prevent_sharing_groups_outside_hierarchy: row.parent_id === null ? row.prevent_sharing_groups_outside_hierarchy : undefined,
  projects: contents?.projects,
  shared_projects: contents?.sharedProjects
})

/** `members` is the number to show; undefined for callers who may not see it. */
export const presentNamespace = (row: NamespaceRow, members: number | undefined, externalUrl: string): typeof Namespace.Type => ({
  ...namespaceReference(row, externalUrl),
  ...defined({ members_count_with_descendants: members })
})
