import { Schema } from "effect"
import { Accepted } from "../http/answer/accepted.ts"
import { integer } from "../http/answer/fields.ts"
import { GroupReference, groupId, NamespaceReference } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import type { ParameterTable } from "../http/parameters/parameters.ts"
import { visibilities } from "../kernel/visibility.ts"
import { groupLevels, protectedBranchLevels } from "../members/levels.ts"
import { protectionLevels } from "./attributes.ts"
import { ProjectCreationLevel, SharedRunnersSetting, SubgroupCreationLevel } from "./events.ts"
import { invitations } from "./Groups.ts"
import { GroupDetails, GroupShape } from "./shapes.ts"

const area = "groups"

const visibility = {
  kind: "string",
  values: visibilities,
  description: "Who may see the group. Default of a new one: `private`."
} as const
const path = {
  kind: "string",
  description: "Last segment of the path: unique, without regard to case, in the group around it."
} as const
const missing = { 404: "No such group, or it is hidden." }

const level = {
  kind: "integer",
  required: true,
  values: protectedBranchLevels,
  description: "Least role: 0 for nobody, 30 for Developers, 40 for Maintainers, 60 for administrators."
} as const
const levels = (action: string) =>
  ({ kind: "hashList", description: `Levels of who may ${action}.`, fields: { access_level: level } }) as const

const settings = {
  description: { kind: "string", description: "What the group is for, at most 500 characters." },
  visibility,
  share_with_group_lock: {
    kind: "boolean",
    description: "Whether projects of the group cannot be shared with other groups. Default: false."
  },
  require_two_factor_authentication: {
    kind: "boolean",
    description: "Recorded: members would need two-factor authentication, which there is none of. Default: false."
  },
  two_factor_grace_period: {
    kind: "integer",
    description: "Hours until members need two-factor authentication; recorded only. Default: 48."
  },
  project_creation_level: {
    kind: "string",
    values: ProjectCreationLevel.literals,
    description: "Least role of who may create projects in the group. Default: `developer`."
  },
  auto_devops_enabled: {
    kind: "boolean",
    description: "Whether projects have pipelines without a configuration; recorded only."
  },
  subgroup_creation_level: {
    kind: "string",
    values: SubgroupCreationLevel.literals,
    description: "Least role of who may create groups in the group. Default: `maintainer`."
  },
  emails_disabled: { kind: "boolean", deprecated: true, description: "The opposite of `emails_enabled`." },
  emails_enabled: { kind: "boolean", description: "Whether mail is sent; recorded only. Default: true." },
  mentions_disabled: { kind: "boolean", description: "Whether mentions of the group tell nobody; recorded only." },
  lfs_enabled: {
    kind: "boolean",
    description: "Kept, but without effect: LFS is not served."
  },
  math_rendering_limits_enabled: {
    kind: "boolean",
    description: "Whether formulas are limited in size; recorded only. Default: true."
  },
  lock_math_rendering_limits_enabled: {
    kind: "boolean",
    description: "Whether groups below cannot change that limit; recorded only. Default: false."
  },
  default_branch: { kind: "string", description: "Name of the default branch of new projects." },
  default_branch_protection: {
    kind: "integer",
    values: protectionLevels,
    description:
      "A usual combination of `default_branch_protection_defaults`: 0 for none, 1 for partial, 2 for full, 3 against pushes, 4 for full after the first push. Default: the setting of the instance."
  },
  default_branch_protection_defaults: {
    kind: "hash",
    description: "How the default branch of new projects is protected.",
    fields: {
      allowed_to_push: levels("push"),
      allow_force_push: { kind: "boolean", description: "Whether those who may push may also replace commits." },
      allowed_to_merge: levels("merge"),
      developer_can_initial_push: { kind: "boolean", description: "Whether Developers may push to a repository that is empty." }
    }
  },
  request_access_enabled: { kind: "boolean", description: "Whether users may ask for access; recorded only. Default: true." },
  shared_runners_setting: {
    kind: "string",
    values: SharedRunnersSetting.literals,
    description:
      "Whether projects use runners of the instance, and whether groups below may change that; recorded only. Default: `enabled`."
  },
  prevent_sharing_groups_outside_hierarchy: {
    kind: "boolean",
    description: "Whether the group and those below it are shared only with each other. Default: false."
  }
} as const satisfies ParameterTable

const filters = {
  statistics: {
    kind: "boolean",
    default: false,
    description: "With the bytes that projects directly in each group take; for administrators."
  },
  skip_groups: { kind: "integerList", description: "Not these groups." },
  all_available: { kind: "boolean", description: "With `false` only groups in or below which the user has a role." },
  visibility: { ...visibility, description: "Only groups of this visibility." },
  search: { kind: "string", description: "Part of name or path." },
  owned: { kind: "boolean", default: false, description: "Only groups that the user owns." },
  order_by: {
    kind: "string",
    values: ["name", "path", "id", "similarity"],
    default: "name",
    description: "What the list is ordered by. `similarity` without `search` is `name`."
  },
  sort: { kind: "string", values: ["asc", "desc"], default: "asc", description: "Direction of the order." },
  min_access_level: {
    kind: "integer",
    values: groupLevels,
    description: "Only groups in which the user has this level, or a higher one."
  }
} as const satisfies ParameterTable

export const listGroups = endpoint({
  name: "groups.list",
  area,
  method: "GET",
  path: "/groups",
  summary: "List groups",
  description: "Public ones without a token; besides internal ones and those of the user with one.",
  access: "anyone",
  parameters: {
    ...filters,
    search: { kind: "string", description: "Part of the full path or of the full name." },
    top_level_only: { kind: "boolean", description: "Only groups that are in no other." },
    pagination: {
      kind: "string",
      values: ["legacy", "keyset"],
      description:
        "How pages are found: `legacy` by number, `keyset` by `cursor`, in every order but `similarity`. Default: `legacy`."
    },
    cursor: { kind: "string", description: "Where a page with `pagination=keyset` begins, as a link to it tells." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupShape) },
  refusals: { 405: "Keyset pagination by similarity, or an offset above 50000 without a token." }
})

const listBelow = (name: "Subgroups" | "Descendants", path: `/${string}`, summary: string) =>
  endpoint({
    name: `groups.list${name}`,
    area,
    method: "GET",
    path,
    summary,
    access: "anyone",
    parameters: {
      id: groupId,
      ...filters,
      all_available: {
        kind: "boolean",
        description:
          "With `true` all that the user may see, with `false` those in or below which the user has a role. Default: all for administrators."
      }
    },
    paginated: true,
    success: { status: 200, body: Schema.Array(GroupShape) },
    refusals: missing
  })

export const listSubgroups = listBelow("Subgroups", "/groups/:id/subgroups", "List the groups in a group")
export const listDescendants = listBelow("Descendants", "/groups/:id/descendant_groups", "List all groups below a group")

const { all_available: _, owned: __, ...sharedFilters } = filters

export const listSharedGroups = endpoint({
  name: "groups.listShared",
  area,
  method: "GET",
  path: "/groups/:id/groups/shared",
  summary: "List the groups to which a group is invited",
  access: "anyone",
  parameters: { id: groupId, ...sharedFilters },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupShape) },
  refusals: missing
})

export const listInvitedGroups = endpoint({
  name: "groups.listInvited",
  area,
  method: "GET",
  path: "/groups/:id/invited_groups",
  summary: "List the groups that are invited to a group",
  access: "anyone",
  parameters: {
    id: groupId,
    search: filters.search,
    min_access_level: filters.min_access_level,
    relation: {
      kind: "stringList",
      values: invitations,
      description: "Only groups that are invited to the group itself, or to what is above it. Default: both."
    }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupReference) },
  refusals: missing
})

export const readGroup = endpoint({
  name: "groups.read",
  area,
  method: "GET",
  path: "/groups/:id",
  summary: "Read a group",
  access: "anyone",
  parameters: { id: groupId, with_projects: { kind: "boolean", default: true, description: "With at most 100 projects." } },
  success: { status: 200, body: GroupDetails },
  refusals: missing
})

export const createGroup = endpoint({
  name: "groups.create",
  area,
  method: "POST",
  path: "/groups",
  summary: "Create a group",
  access: "user",
  parameters: {
    name: { kind: "string", required: true, description: "Name of the group.", example: "Example group" },
    path: { ...path, required: true, example: "example-group" },
    parent_id: { kind: "integer", description: "The group in which it is created." },
    ...settings
  },
  success: { status: 201, body: GroupDetails },
  refusals: { 400: "Invalid attributes.", 403: "No right to create groups there.", 404: "No such parent." }
})

export const updateGroup = endpoint({
  name: "groups.update",
  area,
  method: "PUT",
  path: "/groups/:id",
  summary: "Change a group",
  description: "Former paths lead to the group until something else takes them.",
  access: "user",
  parameters: {
    id: groupId,
    name: { kind: "string", description: "Name of the group." },
    path,
    ...settings,
    description: { ...settings.description, example: "What this group is for." }
  },
  success: { status: 200, body: GroupDetails },
  refusals: { ...missing, 400: "Invalid attributes.", 403: "Not an owner." }
})

export const deleteGroup = endpoint({
  name: "groups.delete",
  area,
  method: "DELETE",
  path: "/groups/:id",
  summary: "Delete a group with all groups and projects below it",
  access: "user",
  parameters: { id: groupId },
  success: { status: 202, body: Accepted },
  refusals: { ...missing, 403: "Not an owner.", 412: "The group was changed after `If-Unmodified-Since`." }
})

/** A group, or what a user has instead of one. */
export const Namespace = Schema.Struct({
  ...NamespaceReference.fields,
  members_count_with_descendants: Schema.optionalKey(integer("Number of members of the group and all groups below it."))
}).annotate({ identifier: "Namespace" })

export const listNamespaces = endpoint({
  name: "namespaces.list",
  area,
  method: "GET",
  path: "/namespaces",
  summary: "List the namespaces of the user, or all for administrators",
  access: "user",
  parameters: {
    search: { kind: "string", description: "Part of name or path." },
    owned_only: { kind: "boolean", description: "Only namespaces that the user owns." },
    top_level_only: { kind: "boolean", description: "Only namespaces that are in no other." },
    full_path_search: { kind: "boolean", description: "Whether `search` looks at full paths. Default: false." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Namespace) }
})

export const readNamespace = endpoint({
  name: "namespaces.read",
  area,
  method: "GET",
  path: "/namespaces/:id",
  summary: "Read a namespace",
  access: "user",
  parameters: { id: { ...groupId, description: "ID or full path of the namespace." } },
  success: { status: 200, body: Namespace },
  refusals: { 404: "No such namespace, or the user is not in it." }
})
