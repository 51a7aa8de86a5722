import { Context, Effect, Layer } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { Parent } from "../parents/Parent.ts"

/** How many have a label, of those that the caller may see. */
export interface LabelCount {
  readonly openIssues: number
  readonly closedIssues: number
  readonly openMergeRequests: number
}

/** Counts some of what has labels, by id of the label, in a project or in the projects of a group. What is not counted is left out. */
export type CountLabels = (
  labelIds: ReadonlyArray<number>,
  parent: Parent,
  caller: Caller | undefined
) => Effect.Effect<ReadonlyMap<number, Partial<LabelCount>>>

const together = (counts: ReadonlyArray<Partial<LabelCount> | undefined>): LabelCount => {
  const sumOf = (name: keyof LabelCount) => counts.reduce((sum, count) => sum + (count?.[name] ?? 0), 0)
  return {
    openIssues: sumOf("openIssues"),
    closedIssues: sumOf("closedIssues"),
    openMergeRequests: sumOf("openMergeRequests")
  }
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
  /** The counts of several areas together, each of which counts what it has. */
  static readonly layer = <R>(parts: Effect.Effect<ReadonlyArray<CountLabels>, never, R>): Layer.Layer<LabelCounts, never, R> =>
    Layer.effect(
      LabelCounts,
      Effect.map(parts, (counting) =>
        LabelCounts.of({
          of: (labelIds, parent, caller) =>
            Effect.map(
              Effect.forEach(counting, (count) => count(labelIds, parent, caller), { concurrency: "unbounded" }),
              (counted) => new Map(labelIds.map((id) => [id, together(counted.map((counts) => counts.get(id)))]))
            )
        })
      )
    )
}
