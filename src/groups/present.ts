import { isoMillis } from "../http/jsonTimes.ts"
import type { GroupDetails, GroupShape, Namespace, PublicGroup } from "./contract.ts"
import type { Fault } from "./errors.ts"
import type { GroupRow, NamespaceRow } from "./Groups.ts"

const asLevels = (levels: ReadonlyArray<number>) => levels.map((access_level) => ({ access_level }))

/** There is one organization. */
const organizationId = 1

const groupUrl = (externalUrl: string, { full_path }: NamespaceRow): string => `${externalUrl}/groups/${full_path}`

export const presentGroup = (row: GroupRow, externalUrl: string): typeof GroupShape.Type => {
  const defaults = row.default_branch_protection_defaults
  return {
    id: row.id,
    web_url: groupUrl(externalUrl, row),
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
    lfs_enabled: row.lfs_enabled,
    math_rendering_limits_enabled: row.math_rendering_limits_enabled,
    lock_math_rendering_limits_enabled: row.lock_math_rendering_limits_enabled,
    default_branch: row.default_branch,
    default_branch_protection: row.default_branch_protection,
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

export const presentPublic = (row: GroupRow, externalUrl: string): typeof PublicGroup.Type => ({
  id: row.id,
  web_url: groupUrl(externalUrl, row),
  name: row.name,
  avatar_url: null,
  full_name: row.full_name,
  full_path: row.full_path
})

interface Details {
  /** Owners see more. */
  readonly isOwner: boolean
  readonly sharedWith: (typeof GroupDetails.Type)["shared_with_groups"]
  /** Absent when they were not asked for. */
  readonly contents?: { readonly projects: ReadonlyArray<unknown>; readonly sharedProjects: ReadonlyArray<unknown> }
}

export const presentDetails = (
  row: GroupRow,
  { isOwner, contents, sharedWith }: Details,
  externalUrl: string
): typeof GroupDetails.Type => ({
  ...presentGroup(row, externalUrl),
  shared_with_groups: sharedWith,
  ...(isOwner ? { runners_token: null } : {}),
  prevent_sharing_groups_outside_hierarchy: row.prevent_sharing_groups_outside_hierarchy,
  ...(contents === undefined ? {} : { projects: contents.projects, shared_projects: contents.sharedProjects })
})

/** `members` is the number to show; undefined for who may not see it. */
export const presentNamespace = (row: NamespaceRow, members: number | undefined, externalUrl: string): typeof Namespace.Type => ({
  id: row.id,
  name: row.name,
  path: row.path,
  kind: row.kind,
  full_path: row.full_path,
  parent_id: row.parent_id,
  avatar_url: null,
  web_url: row.kind === "group" ? groupUrl(externalUrl, row) : `${externalUrl}/${row.full_path}`,
  ...(members === undefined ? {} : { members_count_with_descendants: members })
})

/** Texts by attribute: `{"path":["has already been taken"]}`. */
export const presentFaults = (faults: ReadonlyArray<Fault>): Readonly<Record<string, ReadonlyArray<string>>> => {
  const byAttribute = Map.groupBy(faults, ({ attribute }) => attribute)
  return Object.fromEntries([...byAttribute].map(([attribute, group]) => [attribute, group.map(({ text }) => text)]))
}

/** As Ruby writes a text: `"a \"b\" \#{c}"`. */
const inspected = (text: string): string => `"${text.replace(/["\\]|#(?=[{$@])/g, "\\$&")}"`

/** The faults as the reference writes them in the failure of a creation: `{:path=>["has already been taken"]}`. */
export const inspectedFaults = (faults: ReadonlyArray<Fault>): string => {
  const entries = Object.entries(presentFaults(faults))
  return `{${entries.map(([attribute, texts]) => `:${attribute}=>[${texts.map(inspected).join(", ")}]`).join(", ")}}`
}
