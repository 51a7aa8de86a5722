import { Context, type Effect } from "effect"
import type { ImportRow } from "../projects/ProjectImports.ts"

/** An import that is not over, also of a project that was deleted meanwhile. */
export interface PendingImport {
  readonly id: number
  /** On whose behalf: the actor of the request, such as `user:7`. */
  readonly scheduledBy: string
}

/** Questions about imports that only this area asks. */
export class ImportQueries extends Context.Service<
  ImportQueries,
  {
    readonly find: (projectId: number) => Effect.Effect<ImportRow | undefined>
    /** Imports that are not over: the oldest ones of each of the next callers behind this one, in the order of their names. */
    readonly pending: (after: string) => Effect.Effect<ReadonlyArray<PendingImport>>
  }
>()("chronoforge/imports/ImportQueries") {}
