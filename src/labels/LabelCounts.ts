import { Context, Effect, Layer } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { Parent } from "../parents/Parent.ts"

/** How many have a label, of those that the caller may see. */
export interface LabelCount {
  readonly openIssues: number
  readonly closedIssues: number
  readonly openMergeRequests: number
}

/** What labels ask of issues and merge requests. */
export class LabelCounts extends Context.Service<
  LabelCounts,
  {
    /** The counts in a project, or in the projects of a group, by id of the label; a label that nothing has may be left out. */
    readonly of: (
      labelIds: ReadonlyArray<number>,
      parent: Parent,
      caller: Caller | undefined
    ) => Effect.Effect<ReadonlyMap<number, LabelCount>>
  }
>()("chronoforge/labels/LabelCounts") {
  /** The layer for an installation in which nothing has labels. */
  static readonly layerNone: Layer.Layer<LabelCounts> = Layer.succeed(LabelCounts)({ of: () => Effect.succeed(new Map()) })
}
