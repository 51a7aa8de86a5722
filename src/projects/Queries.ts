import { Context, type Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { Slice } from "../http/answer/pagination.ts"
import type { GroupReferenceRow, NamespaceReferenceRow } from "../http/answer/references.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { Visibility } from "../kernel/visibility.ts"
import type { MemberQuestions, ShareRow } from "../members/questions.ts"
import type { Guarded } from "./abilities.ts"
import type { ImportRow } from "./ProjectImports.ts"
import type { FoundProject, ProjectRow } from "./Projects.ts"

/** A project with what its simple form shows, as somebody sees it. Times are milliseconds since 1970. */
export interface SimpleProjectRow
  extends Guarded,
    Pick<ProjectRow, "id" | "name" | "path" | "path_with_namespace" | "description" | "topics" | "default_branch" | "readme">,
    Pick<ProjectRow, "created_at" | "last_activity_at"> {
  readonly name_with_namespace: string
  readonly namespace: NamespaceReferenceRow
  readonly forks_count: number
  /** Stars of active users. */
  readonly star_count: number
  /** The highest access level of the viewer; 0 for none. */
  readonly role: number
}

/** A project with all that its full form shows, as somebody sees it. */
export interface ProjectDetails extends ProjectRow, Omit<SimpleProjectRow, keyof ProjectRow> {
  /** The owner of a personal project. */
  readonly owner: UserReferenceRow | null
  /** Access level as a member of the project itself; null for none. */
  readonly own_level: number | null
  /** Access level by the project's group; 0 for none, and for personal projects. */
  readonly group_level: number
  /** Whether there are shares with groups, even if they have ended. */
  readonly is_shared: boolean
  /** The status of the import into the project; null for none. */
  readonly import_status: ImportRow["status"] | null
  /** The URL of the import, without credentials. */
  readonly import_url: string | null
  readonly import_error: string | null
  /** Open issues that are not confidential. */
  readonly open_issues: number
  readonly open_confidential_issues: number
}

export interface FoundDetails extends FoundProject {
  readonly project: ProjectDetails
}

export type ProjectOrder = "id" | "name" | "path" | "created_at" | "updated_at" | "last_activity_at" | "star_count"

/** The order of a list. With `similarity`, equal names and paths come first. */
export interface ListOrder {
  readonly by: ProjectOrder | "similarity"
  readonly descending: boolean
  /** The direction of ids where the rest is equal; absent: that of the order. */
  readonly descendingIds?: boolean
}

/** The viewer of lists for a caller. */
export const viewerOf = (caller: Caller | undefined) => ({
  userId: caller?.user.id,
  isAdministrator: caller?.user.admin === true,
  isExternal: caller?.user.external === true
})

/** Selects projects; absent conditions hold for all. Times are milliseconds since 1970, bounds included. */
export interface ProjectFilter {
  readonly viewer: ReturnType<typeof viewerOf>
  /** Only projects of this namespace match, or optionally those below it, or shared with the group. */
  readonly namespace?: { readonly id: number; readonly withDescendants: boolean; readonly withShared?: boolean }
  /** Only projects that are shared with this group match. */
  readonly sharedWith?: number
  readonly search?: { readonly text: string; readonly inNamespaces: boolean }
  readonly visibility?: Visibility
  readonly archived?: boolean
  /** The lowest access level that the viewer must have. */
  readonly minRole?: number
  /** A project must have all topics, without regard to case. */
  readonly topics?: ReadonlyArray<string>
  readonly idAfter?: number
  readonly idBefore?: number
  readonly activeAfter?: number
  readonly activeBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  /** Only direct forks of this project match. */
  readonly forkOf?: number
  readonly withIssues?: true
  readonly withMergeRequests?: true
  /** Only projects that all of these users starred match. */
  readonly starrers?: ReadonlyArray<number>
  readonly order: ListOrder
}

/** A user who starred a project. */
export interface StarrerRow extends UserReferenceRow {
  /** The time is in milliseconds since 1970. */
  readonly starred_at: number
}

export interface TransferLocationFilter {
  readonly user: { readonly id: number; readonly isAdministrator: boolean }
  /** The namespace that is left out. */
  readonly except: number
  readonly search?: string
}

/** Questions about projects that only this area asks. */
export class ProjectQueries extends Context.Service<
  ProjectQueries,
  {
    /** The details of the projects that exist, and of their fork sources, as a user sees them, in any order. */
    readonly details: (ids: ReadonlyArray<number>, userId: number | undefined) => Effect.Effect<ReadonlyArray<ProjectDetails>>
    /** The details of the projects that exist, as a user sees them, in any order. */
    readonly simple: (ids: ReadonlyArray<number>, userId: number | undefined) => Effect.Effect<ReadonlyArray<SimpleProjectRow>>
    /** Finds a project like `Projects.find`. */
    readonly find: (idOrPath: string, userId: number | undefined) => Effect.Effect<FoundDetails | undefined>
    /** The ids of the projects that the viewer may read. */
    readonly list: (filter: ProjectFilter, slice: Slice) => Effect.Effect<ReadonlyArray<number>>
    /** Whether a group has projects, and whether it is invited to any, whoever may see them: what most lists of one group need to know. */
    readonly aroundGroup: (groupId: number) => Effect.Effect<{ readonly isFilled: boolean; readonly isInvited: boolean }>
    /** The number of these projects, which is above `maxShownTotal` for longer lists. */
    readonly count: (filter: ProjectFilter) => Effect.Effect<number>
    /** Which of these names another project, or for the path a group, has in the namespace. */
    readonly taken: (
      names: { readonly namespaceId: number; readonly name: string; readonly path: string },
      except: number | null
    ) => Effect.Effect<ReadonlyArray<"name" | "path">>
    /** The full ids of the commits of default branches by project, as the log has them, without empty repositories. */
    readonly tips: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyMap<number, string>>
    /** Groups to which a user may transfer projects, by name. */
    readonly transferLocations: (
      filter: TransferLocationFilter,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<GroupReferenceRow>; readonly total: number }>
    /** The ids that no project has. */
    readonly absentOf: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>>
    readonly countIn: (namespaceId: number) => Effect.Effect<number>
    /** The ids of the projects directly in these namespaces, of all or of those that show more than a visibility. */
    readonly idsIn: (namespaceIds: ReadonlyArray<number>, showingMoreThan?: Visibility) => Effect.Effect<ReadonlyArray<number>>
    /** The highest visibility of the projects directly in a namespace; undefined for none. */
    readonly highestVisibility: (namespaceId: number) => Effect.Effect<Visibility | undefined>
    /** The users who have any role in the project, inherited ones included, newest first. */
    readonly users: (
      projectId: number,
      filter: { readonly search?: string; readonly except?: ReadonlyArray<number> },
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<UserReferenceRow>; readonly total: number }>
    /** Active users who starred the project, the first one first. Private profiles are shown as `viewer` says. */
    readonly starrers: (
      projectId: number,
      filter: {
        readonly search?: string
        readonly viewer: ReturnType<typeof viewerOf>
      },
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<StarrerRow>; readonly total: number }>
    readonly members: MemberQuestions
    /** The shares of these projects with groups, by the time of that, as the viewer finds the groups. */
    readonly shares: (ids: ReadonlyArray<number>, viewer: ReturnType<typeof viewerOf>) => Effect.Effect<ReadonlyArray<ShareRow>>
    /** The projects in which the user is a direct member. */
    readonly membershipsIn: (projectIds: ReadonlyArray<number>, userId: number) => Effect.Effect<ReadonlyArray<number>>
  }
>()("chronoforge/projects/ProjectQueries") {}
