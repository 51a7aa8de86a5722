import { Context, type Effect } from "effect"
import type { Slice } from "../http/answer/pagination.ts"
import type { Visibility } from "../kernel/visibility.ts"
import type { MemberQuestions, ShareRow } from "../members/questions.ts"
import type { Surroundings } from "./commands.ts"
import type { FoundNamespace, GroupConditions, GroupRow, Invitations, NamespaceRow, RelatedToProject, Viewer } from "./Groups.ts"

export type GroupOrder = "name" | "path" | "id" | "similarity"

/** How groups are related to one of them, or to a project. */
export type Relation =
  | RelatedToProject
  /** The groups below a group: `children` are directly below it, `descendants` anywhere below it. */
  | { readonly below: number; readonly depth: "children" | "descendants" }
  /** The groups that are invited to the group. */
  | { readonly groupId: number; readonly invited: Invitations }
  /** The groups that are shared with the group. */
  | { readonly invitedInto: number }
  /** The groups of the viewer below which the group can be put. */
  | { readonly receiving: number }

/** Selects groups that the viewer may see; absent conditions hold for all. */
export interface GroupFilter {
  readonly viewer: Viewer
  readonly among?: Relation
  /** A part of the name or path; of the full name or path where the list is of all groups. */
  readonly search?: string
  readonly skip?: ReadonlyArray<number>
  readonly visibility?: Visibility
  /** Only groups where the viewer has this role, or a higher one, match. */
  readonly minAccessLevel?: number
  /** Only groups that the viewer is a member of, and their ancestors, match. */
  readonly onlyAuthorized: boolean
  readonly topLevelOnly: boolean
  /** `similarity` orders by how well the name fits the search. */
  readonly order: { readonly by: GroupOrder; readonly descending: boolean }
}

/** The filter of the related groups that the viewer may see, by name. */
export const relatedGroups = (among: Relation, viewer: Viewer, conditions: GroupConditions): GroupFilter => ({
  viewer,
  among,
  ...conditions,
  onlyAuthorized: false,
  topLevelOnly: false,
  order: { by: "name", descending: false }
})

/** The group behind which a list goes on: what it is ordered by, and its id. */
export interface GroupKey {
  readonly value: string | number
  readonly id: number
}

export interface NamespaceFilter {
  readonly viewer: { readonly userId: number; readonly isAdministrator: boolean }
  /** A part of the name or path; of the full path where `fullPath` is true. */
  readonly search?: { readonly text: string; readonly fullPath: boolean }
  readonly ownedOnly: boolean
  readonly topLevelOnly: boolean
}

/** A namespace as its list shows it. */
export interface ListedNamespace extends Pick<FoundNamespace, "role"> {
  readonly namespace: NamespaceRow
  /** Members of the group and of the groups below it, each once; 0 for a user's. */
  readonly members: number
}

/** Questions about groups that only this area asks. */
export class GroupQueries extends Context.Service<
  GroupQueries,
  {
    readonly list: (
      filter: GroupFilter,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<GroupRow>; readonly total: number }>
    /** Lists the groups after a group, without a total, for every order but `similarity`. */
    readonly listAfter: (
      filter: GroupFilter,
      after: GroupKey | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<GroupRow>>
    readonly namespaces: (
      filter: NamespaceFilter,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<ListedNamespace>; readonly total: number }>
    /** Members of the group and of the groups below it, each once. */
    readonly countMembers: (groupId: number) => Effect.Effect<number>
    /** Whether another user, group or project than group `except` has this path below the parent. */
    readonly isTaken: (path: string, parentId: number | null, except: number | null) => Effect.Effect<boolean>
    /** The visibilities above and below a group, but for those of its projects. */
    readonly surroundings: (
      parentId: number | null,
      groupId: number | null
    ) => Effect.Effect<Pick<Surroundings, "parentVisibility" | "subgroupVisibility">>
    /** The groups below a group, the deepest first. */
    readonly descendants: (groupId: number) => Effect.Effect<ReadonlyArray<number>>
    /** The groups that show more than a visibility, in the given order. */
    readonly showingMore: (groupIds: ReadonlyArray<number>, than: Visibility) => Effect.Effect<ReadonlyArray<number>>
    /** How many levels of groups are below a group. */
    readonly levelsBelow: (groupId: number) => Effect.Effect<number>
    /** The groups in which the user is a direct member. */
    readonly membershipsIn: (groupIds: ReadonlyArray<number>, userId: number) => Effect.Effect<ReadonlyArray<number>>
    readonly members: MemberQuestions
    /** The groups with which a group is shared, by the time of that, as the viewer finds them. */
    readonly shares: (groupId: number, viewer: Viewer) => Effect.Effect<ReadonlyArray<ShareRow>>
  }
>()("chronoforge/groups/GroupQueries") {}
