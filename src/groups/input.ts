import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import { accessLevel } from "../members/levels.ts"
import { defaultAttributes, withDetails } from "./attributes.ts"
import type { createGroup, listSubgroups, updateGroup } from "./contract.ts"
import type { AttributeChanges, BranchProtectionDefaults, GroupAttributes } from "./events.ts"
import type { GroupConditions, Viewer } from "./Groups.ts"
import type { GroupFilter, Relation } from "./Queries.ts"

type CreateParameters = Decoded<(typeof createGroup)["parameters"]>
type UpdateParameters = Decoded<(typeof updateGroup)["parameters"]>
type Given = Omit<CreateParameters | UpdateParameters, "id" | "name" | "path">
export type ListParameters = Omit<Decoded<(typeof listSubgroups)["parameters"]>, "id"> & {
  readonly top_level_only?: boolean | null
}

const levelsOf = (given: ReadonlyArray<{ readonly access_level: number | null }>): ReadonlyArray<number> =>
  given.flatMap(({ access_level }) => access_level ?? [])

/** The details of the protection with the given ones in place of those of before. */
const protectionOf = (
  { default_branch_protection_defaults: given }: Given,
  before: BranchProtectionDefaults
): BranchProtectionDefaults | undefined => {
  if (given === undefined || given === null) return undefined
  const { allowed_to_push: push, allowed_to_merge: merge, allow_force_push: force, developer_can_initial_push: initial } = given
  return {
    allowedToPush: push ? levelsOf(push) : before.allowedToPush,
    allowForcePush: force ?? before.allowForcePush,
    allowedToMerge: merge ? levelsOf(merge) : before.allowedToMerge,
    developerCanInitialPush: initial ?? before.developerCanInitialPush
  }
}

/** Null clears a text; elsewhere it counts as not given, but for the settings that may be unset. */
const changesOf = (given: Given, before: BranchProtectionDefaults): AttributeChanges => {
  const emails = given.emails_enabled ?? (typeof given.emails_disabled === "boolean" ? !given.emails_disabled : undefined)
  return withDetails(
    defined({
      description: nullAs(given.description, ""),
      visibility: given.visibility ?? undefined,
      shareWithGroupLock: given.share_with_group_lock ?? undefined,
      requireTwoFactorAuthentication: given.require_two_factor_authentication ?? undefined,
      twoFactorGracePeriod: given.two_factor_grace_period ?? undefined,
      projectCreationLevel: given.project_creation_level ?? undefined,
      autoDevopsEnabled: given.auto_devops_enabled,
      subgroupCreationLevel: given.subgroup_creation_level ?? undefined,
      emailsEnabled: emails,
      mentionsDisabled: given.mentions_disabled,
      lfsEnabled: given.lfs_enabled ?? undefined,
      mathRenderingLimitsEnabled: given.math_rendering_limits_enabled ?? undefined,
      lockMathRenderingLimitsEnabled: given.lock_math_rendering_limits_enabled ?? undefined,
      defaultBranch: given.default_branch === undefined ? undefined : given.default_branch || null,
      defaultBranchProtection: given.default_branch_protection ?? undefined,
      defaultBranchProtectionDefaults: protectionOf(given, before),
      requestAccessEnabled: given.request_access_enabled ?? undefined,
      sharedRunnersSetting: given.shared_runners_setting ?? undefined,
      preventSharingGroupsOutsideHierarchy: given.prevent_sharing_groups_outside_hierarchy ?? undefined
    })
  )
}

/** What a request to create a group wishes. `before`: how its default branches are protected where nothing is wished. */
export const creationOf = (
  given: CreateParameters,
  before: BranchProtectionDefaults
): { readonly path: string; readonly attributes: GroupAttributes } => ({
  path: given.path ?? "",
  attributes: { ...defaultAttributes(given.name ?? ""), ...changesOf(given, before) }
})

/** What a request to change a group wishes. `before`: how its default branches are protected now. */
export const changeOf = (given: UpdateParameters, before: BranchProtectionDefaults) => ({
  ...defined({ path: nullAs(given.path, "") }),
  changes: { ...changesOf(given, before), ...defined({ name: nullAs(given.name, "") }) }
})

/** The conditions that all lists of groups know. */
export const conditionsOf = (asked: {
  readonly search?: string | null
  readonly min_access_level?: number | null
}): GroupConditions => defined({ search: asked.search || undefined, minAccessLevel: asked.min_access_level || undefined })

/** What a list asks for. Levels that the viewer must have win over `all_available`. */
export const filterOf = (asked: ListParameters, viewer: Viewer, among?: Relation): GroupFilter => {
  const minAccessLevel = Math.max(asked.owned ? accessLevel.owner : accessLevel.none, asked.min_access_level ?? 0)
  return defined({
    viewer,
    among,
    search: asked.search || undefined,
    skip: asked.skip_groups ?? undefined,
    visibility: asked.visibility ?? undefined,
    minAccessLevel: minAccessLevel || undefined,
    onlyAuthorized: asked.all_available === false && viewer.userId !== null,
    topLevelOnly: asked.top_level_only === true,
    order: { by: asked.order_by, descending: asked.sort === "desc" }
  })
}
