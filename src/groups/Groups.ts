import { Context, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { isOpenTo, type Visibility } from "../kernel/visibility.ts"
import { accessLevel } from "../members/levels.ts"
import { load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import type { Name } from "../platform/Reservations.ts"
import { topLevelName } from "../users/Users.ts"
import { groupAggregate } from "./aggregate.ts"
import type { BranchProtectionDefaults, GroupAttributes } from "./events.ts"
import { groupIdOf } from "./ids.ts"

interface Common {
  readonly id: number
  readonly path: string
  readonly name: string
  /** The full path, such as `a/b`. */
  readonly full_path: string
  /** The full name, such as `A / B`. */
  readonly full_name: string
  readonly visibility: Visibility
  /** The time is in milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
}

/** The namespace of a user. */
export interface PersonalRow extends Common {
  readonly kind: "user"
  readonly parent_id: null
  readonly owner_id: number
}

/** A group with its settings, as the read model has it. */
export interface GroupRow extends Common {
  readonly kind: "group"
  readonly parent_id: number | null
  readonly owner_id: null
  readonly description: string
  readonly share_with_group_lock: boolean
  readonly require_two_factor_authentication: boolean
  /** The period is in hours. */
  readonly two_factor_grace_period: number
  readonly project_creation_level: GroupAttributes["projectCreationLevel"]
  readonly auto_devops_enabled: boolean | null
  readonly subgroup_creation_level: GroupAttributes["subgroupCreationLevel"]
  readonly emails_enabled: boolean
  readonly mentions_disabled: boolean | null
  readonly lfs_enabled: boolean
  readonly math_rendering_limits_enabled: boolean
  readonly lock_math_rendering_limits_enabled: boolean
  readonly default_branch: string | null
  /** It is null where the setting of the instance applies. */
  readonly default_branch_protection: number | null
  readonly default_branch_protection_defaults: BranchProtectionDefaults | null
  readonly request_access_enabled: boolean
  readonly shared_runners_setting: GroupAttributes["sharedRunnersSetting"]
  readonly prevent_sharing_groups_outside_hierarchy: boolean
}

export type NamespaceRow = GroupRow | PersonalRow

/** A namespace together with the role that somebody has in it. */
export interface FoundNamespace {
  readonly namespace: NamespaceRow
  /** The highest access level, inherited ones included; 50 for the owner of a personal namespace, 0 for none. */
  readonly role: number
  /** Whether the user is a member of something below it, and so may see that it is there; only told where it is hidden otherwise. */
  readonly leadsToMembership: boolean
  /** Whether the path that was asked for is a former one. */
  readonly isMoved: boolean
}

/** What limits with whom a group, and what is in it, may be shared. */
export interface SharingRules {
  /** The group and those above it, the nearest first; empty for no group. */
  readonly path: ReadonlyArray<number>
  /** Whether only groups below the same top-level group may be invited. */
  readonly isOnlyWithin: boolean
  /** Whether projects may not be shared. */
  readonly areProjectsLocked: boolean
}

/** The user who reads groups, if any. */
export interface Viewer {
  /** It is null without a token. */
  readonly userId: number | null
  readonly isAdministrator: boolean
  /** Whether internal groups are hidden unless the user is a member. */
  readonly isExternal: boolean
}

export const viewerOf = (caller: Caller | undefined): Viewer => ({
  userId: caller?.user.id ?? null,
  isAdministrator: caller?.user.admin === true,
  isExternal: caller?.user.external === true
})

/** How groups are invited: by shares of the thing itself, and by those of what is above it. */
export const invitations = ["direct", "inherited"] as const
export type Invitations = ReadonlyArray<(typeof invitations)[number]>

/** The invitations that a request names; all of them without names. */
export const invitationsOf = (named: ReadonlyArray<string> | null | undefined): Invitations =>
  invitations.filter((way) => named?.includes(way) ?? true)

/** The groups that a project is in, and those that are invited to it. */
export interface RelatedToProject {
  readonly projectId: number
  readonly withAncestors: boolean
  readonly invited: Invitations
  /** Only invitations with this level, or a higher one, count. */
  readonly minInvitation?: number
}

/** Conditions on groups; absent ones hold for all. */
export interface GroupConditions {
  /** A part of the name or path. */
  readonly search?: string
  readonly skip?: ReadonlyArray<number>
  /** Only groups where the viewer has this role, or a higher one, match. */
  readonly minAccessLevel?: number
}

/** What other areas may ask of groups and namespaces. */
export class Groups extends Context.Service<
  Groups,
  {
    /** Digits are an id; anything else a full path, in any case, former ones included. Without user the role is 0. */
    readonly find: (idOrPath: string, userId: number | undefined) => Effect.Effect<FoundNamespace | undefined>
    /** The users who are direct members of one of the groups. */
    readonly directMembersAmong: (
      userIds: ReadonlyArray<number>,
      groupIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<number>>
    /** The related groups that the viewer may see, by name. */
    readonly relatedToProject: (
      relation: RelatedToProject,
      viewer: Viewer,
      conditions: GroupConditions,
      slice: { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<GroupRow>; readonly total: number }>
    readonly sharing: (namespaceId: number) => Effect.Effect<SharingRules>
  }
>()("chronoforge/groups/Groups") {}

/** Whether a group may be invited to what is in a namespace with these rules. */
export const mayInvite = Effect.fnUntraced(function* (rules: SharingRules, invitedId: number) {
  if (!rules.isOnlyWithin) return true
  const { path } = yield* Groups.use((groups) => groups.sharing(invitedId))
  return path.at(-1) === rules.path.at(-1)
})

/** The level that makes a project in a group, by its setting; above all for `noone`. */
const creationLevels: Readonly<Record<GroupAttributes["projectCreationLevel"], number>> = {
  developer: accessLevel.developer,
  maintainer: accessLevel.maintainer,
  noone: Number.POSITIVE_INFINITY
}

/** Whether the caller may create projects in a namespace: in their own, or as the group allows it. */
export const mayCreateProjects = (caller: Pick<Caller, "user">, { namespace, role }: FoundNamespace): boolean => {
  if (caller.user.admin) return true
  return namespace.kind === "user" ? role === accessLevel.owner : role >= creationLevels[namespace.project_creation_level]
}

/** Whether the caller may see a group. External users see internal groups only as members. */
export const maySeeGroup = (
  caller: Caller | undefined,
  {
    leadsToMembership,
    role,
    visibility
  }: Pick<FoundNamespace, "leadsToMembership" | "role"> & { readonly visibility: Visibility }
): boolean => {
  if (caller?.user.admin === true || role > accessLevel.none || leadsToMembership) return true
  return isOpenTo(visibility, { isSignedIn: caller !== undefined, isExternal: caller?.user.external === true })
}

export const mayReadGroup = (caller: Caller | undefined, { namespace, ...found }: FoundNamespace): boolean =>
  maySeeGroup(caller, { ...found, visibility: namespace.visibility })

/**
 * The name to reserve for a path inside a namespace, or at the top level for null. Groups and users share the top level; groups
 * and projects share every namespace.
 */
export const pathName = (parentId: number | null, path: string): Name =>
  parentId === null ? topLevelName(path) : { kind: "path", text: `${parentId}/${path.toLowerCase()}` }

/** The name of the path that the group of this stream has, as the log stands; undefined for none. */
export const groupPathName = Effect.fnUntraced(function* (stream: string): Effect.fn.Return<Name | undefined, never, EventStore> {
  const id = groupIdOf(stream)
  if (id === undefined) return undefined
  const { state } = yield* load(groupAggregate, id)
  return state._tag === "Present" ? pathName(state.group.parentId, state.group.path) : undefined
})

export { protectionOf } from "./attributes.ts"
