import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { Action } from "./events.ts"
import type { Target } from "./ids.ts"

/** A to-do of the read model. Times are milliseconds since 1970. */
export interface TodoRow {
  readonly id: number
  readonly action: Action
  readonly target_type: Target["type"]
  readonly iid: number
  readonly state: "pending" | "done"
  readonly created_at: number
  readonly updated_at: number
  /** It is null when that user is deleted. */
  readonly author: UserReferenceRow | null
  readonly project: {
    readonly id: number
    readonly description: string | null
    readonly name: string
    readonly name_with_namespace: string
    readonly path: string
    readonly path_with_namespace: string
    readonly created_at: number
  }
}

/** Selects to-dos of a user. Absent conditions hold for all. */
export interface TodoFilter {
  readonly userId: number
  readonly state: TodoRow["state"]
  readonly action?: string
  readonly authorId?: number
  readonly projectId?: number
  /** Those of the projects of a group and of groups below it. */
  readonly groupId?: number
  readonly type?: string
}

/** A merge request, and who opened it. */
export interface Proposed {
  readonly target: Target
  readonly authorId: number
}

/** What handlers and reactions ask about to-dos. */
export class TodoQueries extends Context.Service<
  TodoQueries,
  {
    /** The newest first. */
    readonly list: (filter: TodoFilter, slice: Slice) => Effect.Effect<Listed<TodoRow>>
    readonly find: (userId: number, id: number) => Effect.Effect<TodoRow | undefined>
    /** Those that are pending of a user behind an id, in the order of their ids. */
    readonly pending: (
      userId: number,
      part: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<{ readonly id: number; readonly target: Target }>>
    /** What is pending of a user of open merge requests from branches. */
    readonly pendingFrom: (
      userId: number,
      source: { readonly projectId: number; readonly branches: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<Target>>
    /** Open merge requests whose last commit a pipeline is for, which is theirs or that of their branch. */
    readonly proposedWith: (pipelineId: number) => Effect.Effect<ReadonlyArray<Proposed>>
    /** Who opened a merge request; undefined where it is gone. */
    readonly authorOf: (target: Target) => Effect.Effect<number | undefined>
  }
>()("chronoforge/todos/TodoQueries") {}
