import { Context, type Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { WireError } from "../http/answer/errors.ts"
import type { Presented } from "../http/answer/Presented.ts"
import type { JsonObject } from "../http/answer/success.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { Visibility } from "../kernel/visibility.ts"
import type { Handled } from "../platform/Commands.ts"

/** The projects that a single group shows, as lists of projects show them to the caller. */
export interface ShownProjects {
  readonly projects: ReadonlyArray<Presented<JsonObject>>
  readonly sharedProjects: ReadonlyArray<Presented<JsonObject>>
}

/** What groups need of projects. */
export class GroupProjects extends Context.Service<
  GroupProjects,
  {
    /** What a single group shows of its projects, at most 100 each: those in it, and those shared with it. */
    readonly shown: (input: {
      readonly groupId: number
      readonly caller: Caller | undefined
      readonly request: RequestInfo
    }) => Effect.Effect<ShownProjects>
    /** The number of bytes that the repositories of the projects directly in a namespace take. */
    readonly bytes: (namespaceId: number) => Effect.Effect<number>
    /** The highest visibility of the projects directly in a namespace; undefined for none. */
    readonly highestVisibility: (namespaceId: number) => Effect.Effect<Visibility | undefined>
    /** Transfers a project, by its id or full path, into a group; answers what a repeat of the request answers too. */
    readonly transferIn: (input: {
      readonly project: string
      readonly groupId: number
      readonly caller: Caller
      readonly request: RequestInfo
    }) => Effect.Effect<Pick<Handled<unknown, unknown>, "position" | "stream">, WireError>
    /** Lets the projects directly in these namespaces show no more than this; answers as `removeAll`. */
    readonly limitVisibility: (namespaceIds: ReadonlyArray<number>, highest: Visibility) => Effect.Effect<number, WireError>
    /** Deletes the projects directly in a namespace; answers where the log stands then, 0 for nothing. */
    readonly removeAll: (namespaceId: number) => Effect.Effect<number, WireError>
    /** Takes a user's memberships in the projects directly in these namespaces away; answers as `removeAll`. */
    readonly removeMember: (namespaceIds: ReadonlyArray<number>, userId: number) => Effect.Effect<number, WireError>
  }
>()("chronoforge/groups/GroupProjects") {}
