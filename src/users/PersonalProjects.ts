import { Context, type Effect } from "effect"
import type { WireError } from "../http/answer/errors.ts"

/** What users need of projects. */
export class PersonalProjects extends Context.Service<
  PersonalProjects,
  {
    /** Deletes the projects in the namespace of a user; answers where the log stands then, 0 for nothing. */
    readonly removeAll: (namespaceId: number) => Effect.Effect<number, WireError>
  }
>()("chronoforge/users/PersonalProjects") {}
