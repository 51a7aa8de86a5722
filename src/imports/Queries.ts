import { Context, type Effect } from "effect"
import type { ImportRow } from "../projects/ProjectImports.ts"

/** Questions about imports that only this area asks. */
export class ImportQueries extends Context.Service<
  ImportQueries,
  {
    readonly find: (projectId: number) => Effect.Effect<ImportRow | undefined>
    /** The ids of the projects whose import is not over, oldest first, also of projects that were deleted meanwhile. */
    readonly pending: Effect.Effect<ReadonlyArray<number>>
  }
>()("chronoforge/imports/ImportQueries") {}
