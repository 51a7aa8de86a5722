import { Context, type Effect } from "effect"
import type { NamespaceRow } from "../groups/Groups.ts"
import type { UserReferenceRow } from "../http/shapes.ts"
import type { MemberQuestions } from "../members/questions.ts"
import type { ProjectRow } from "./Projects.ts"
import type { Visibility } from "./settings.ts"

/** A project with all that its full form shows, as somebody sees it. */
export interface ProjectDetails extends ProjectRow {
  readonly name_with_namespace: string
  readonly namespace: Pick<NamespaceRow, "id" | "name" | "path" | "kind" | "full_path" | "parent_id">
  readonly forks_count: number
  /** Of a personal project. */
  readonly owner: UserReferenceRow | null
  /** Highest access level of whoever asks; 0 for none. */
  readonly role: number
  /** Access level as a member of the project itself; null for none. */
  readonly own_level: number | null
  /** Access level by the project's group; 0 for none, and for personal projects. */
  readonly group_level: number
}

export type ProjectOrder = "id" | "name" | "path" | "created_at" | "updated_at" | "last_activity_at" | "star_count"

/** Which projects; absent conditions hold for all. Times are milliseconds since 1970, bounds included. */
export interface ProjectFilter {
  readonly asker: { readonly userId: number | undefined; readonly isAdministrator: boolean; readonly isExternal: boolean }
  /** Projects of this namespace, and of those below it if so wished. */
  readonly namespace?: { readonly id: number; readonly withDescendants: boolean }
  readonly search?: { readonly text: string; readonly inNamespaces: boolean }
  readonly visibility?: Visibility
  readonly archived?: boolean
  /** Least access level of whoever asks. */
  readonly leastRole?: number
  /** All of them, without regard to case. */
  readonly topics?: ReadonlyArray<string>
  readonly idAfter?: number
  readonly idBefore?: number
  readonly activeAfter?: number
  readonly activeBefore?: number
  readonly withIssues?: true
  readonly withMergeRequests?: true
  /** `similarity`: equal names and paths first. */
  readonly order: { readonly by: ProjectOrder | "similarity"; readonly descending: boolean }
}

export interface Slice {
  readonly limit: number
  readonly offset: number
}

/** Questions about projects that only this area asks. */
export class ProjectReadModel extends Context.Service<
  ProjectReadModel,
  {
    /** Those of the projects that exist, for a user; in any order. */
    readonly details: (ids: ReadonlyArray<number>, userId: number | undefined) => Effect.Effect<ReadonlyArray<ProjectDetails>>
    /** Only what whoever asks may read. */
    readonly list: (
      filter: ProjectFilter,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<ProjectDetails>; readonly total: number }>
    /** Which of these names another project, or for the path a group, has in the namespace. */
    readonly taken: (
      wished: { readonly namespaceId: number; readonly name: string; readonly path: string },
      except: number | null
    ) => Effect.Effect<ReadonlyArray<"name" | "path">>
    readonly countIn: (namespaceId: number) => Effect.Effect<number>
    /** Ids of the projects directly in these namespaces. */
    readonly idsIn: (namespaceIds: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>>
    /** The highest visibility of the projects directly in a namespace; undefined for none. */
    readonly highestVisibility: (namespaceId: number) => Effect.Effect<Visibility | undefined>
    /** Who has any role in the project, inherited ones included, newest first. */
    readonly users: (
      projectId: number,
      filter: { readonly search?: string; readonly except?: ReadonlyArray<number> },
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<UserReferenceRow>; readonly total: number }>
    readonly members: MemberQuestions
    /** Those of these projects in which the user is a member by themselves. */
    readonly membershipsIn: (projectIds: ReadonlyArray<number>, userId: number) => Effect.Effect<ReadonlyArray<number>>
  }
>()("chronoforge/projects/ProjectReadModel") {}
