import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import { accessLevel } from "../members/levels.ts"
import { defaultAttributes, withDetails } from "./attributes.ts"
import type { createGroup, listSubgroups, updateGroup } from "./contract.ts"
import type { AttributeChanges, BranchProtectionDefaults, GroupAttributes } from "./events.ts"
import type { GroupConditions, Viewer } from "./Groups.ts"
import type { GroupFilter, GroupOrder, Relation } from "./Queries.ts"

type CreateParameters = Decoded<(typeof createGroup)["parameters"]>
type UpdateParameters = Decoded<(typeof updateGroup)["parameters"]>
type GroupParameters = Omit<CreateParameters | UpdateParameters, "id" | "name" | "path">
export type ListParameters = Omit<Decoded<(typeof listSubgroups)["parameters"]>, "id"> & {
  readonly top_level_only?: boolean | null
}

const levelsOf = (levels: ReadonlyArray<{ readonly access_level: number | null }>): ReadonlyArray<number> =>
  levels.flatMap(({ access_level }) => access_level ?? [])

/** The details of the protection with the given ones in place of those of before. */
const protectionOf = (
  { default_branch_protection_defaults: details }: GroupParameters,
  before: BranchProtectionDefaults
): BranchProtectionDefaults | undefined => {
  if (details === undefined || details === null) return undefined
  const { allowed_to_push: push, allowed_to_merge: merge, allow_force_push: force, developer_can_initial_push: initial } = details
  return {
    allowedToPush: push ? levelsOf(push) : before.allowedToPush,
    allowForcePush: force ?? before.allowForcePush,
    allowedToMerge: merge ? levelsOf(merge) : before.allowedToMerge,
    developerCanInitialPush: initial ?? before.developerCanInitialPush
  }
}

/** Null clears a text and the settings that may be unset; elsewhere it counts as absent. */
const changesOf = (parameters: GroupParameters, before: BranchProtectionDefaults): AttributeChanges => {
  const emails =
    parameters.emails_enabled ?? (typeof parameters.emails_disabled === "boolean" ? !parameters.emails_disabled : undefined)
  return withDetails(
    defined({
      description: nullAs(parameters.description, ""),
      visibility: parameters.visibility ?? undefined,
      shareWithGroupLock: parameters.share_with_group_lock ?? undefined,
      requireTwoFactorAuthentication: parameters.require_two_factor_authentication ?? undefined,
      twoFactorGracePeriod: parameters.two_factor_grace_period ?? undefined,
      projectCreationLevel: parameters.project_creation_level ?? undefined,
      autoDevopsEnabled: parameters.auto_devops_enabled,
      subgroupCreationLevel: parameters.subgroup_creation_level ?? undefined,
      emailsEnabled: emails,
      mentionsDisabled: parameters.mentions_disabled,
      lfsEnabled: parameters.lfs_enabled ?? undefined,
      mathRenderingLimitsEnabled: parameters.math_rendering_limits_enabled ?? undefined,
      lockMathRenderingLimitsEnabled: parameters.lock_math_rendering_limits_enabled ?? undefined,
      defaultBranch: parameters.default_branch === undefined ? undefined : parameters.default_branch || null,
      defaultBranchProtection: parameters.default_branch_protection ?? undefined,
      defaultBranchProtectionDefaults: protectionOf(parameters, before),
      requestAccessEnabled: parameters.request_access_enabled ?? undefined,
      sharedRunnersSetting: parameters.shared_runners_setting ?? undefined,
      preventSharingGroupsOutsideHierarchy: parameters.prevent_sharing_groups_outside_hierarchy ?? undefined
    })
  )
}

/**
 * The input of a command that creates a group, from the parameters. `before` is the protection of default branches where the request
 * names none.
 */
export const creationOf = (
  parameters: CreateParameters,
  before: BranchProtectionDefaults
): { readonly path: string; readonly attributes: GroupAttributes } => ({
  path: parameters.path ?? "",
  attributes: { ...defaultAttributes(parameters.name ?? ""), ...changesOf(parameters, before) }
})

/** The input of a command that changes a group, from the parameters. `before` is the present protection of default branches. */
export const changeOf = (parameters: UpdateParameters, before: BranchProtectionDefaults) => ({
  ...defined({ path: nullAs(parameters.path, "") }),
  changes: { ...changesOf(parameters, before), ...defined({ name: nullAs(parameters.name, "") }) }
})

/** The conditions that all lists of groups know. */
export const conditionsOf = (parameters: {
  readonly search?: string | null
  readonly min_access_level?: number | null
}): GroupConditions =>
  defined({ search: parameters.search || undefined, minAccessLevel: parameters.min_access_level || undefined })

/** Nothing is similar to no search, so such a list is ordered by name. */
const orderOf = ({ order_by: by, search }: ListParameters): GroupOrder => (by === "similarity" && !search ? "name" : by)

/** What a list asks for. Levels that the viewer must have win over `all_available`. */
export const filterOf = (parameters: ListParameters, viewer: Viewer, among?: Relation): GroupFilter => {
  const minAccessLevel = Math.max(parameters.owned ? accessLevel.owner : accessLevel.none, parameters.min_access_level ?? 0)
  return defined({
    viewer,
    among,
    search: parameters.search || undefined,
    skip: parameters.skip_groups ?? undefined,
    visibility: parameters.visibility ?? undefined,
    minAccessLevel: minAccessLevel || undefined,
    onlyAuthorized: parameters.all_available === false && viewer.userId !== null,
    topLevelOnly: parameters.top_level_only === true,
    order: { by: orderOf(parameters), descending: parameters.sort === "desc" }
  })
}
