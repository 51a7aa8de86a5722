import { Effect, Layer } from "effect"
import { defined } from "../../kernel/defined.ts"
import type { LabelQueries } from "../../labels/Labels.ts"
import { CommitMergeRequests } from "../../repositories/CommitMergeRequests.ts"
import type { MergeRequestQueries } from "../Queries.ts"
import { listed } from "./handlers.ts"

/** The merge requests of commits, from read models. */
export const layerCommitMergeRequests: Layer.Layer<CommitMergeRequests, never, MergeRequestQueries | LabelQueries> = Layer.effect(
  CommitMergeRequests,
  Effect.map(Effect.context<MergeRequestQueries | LabelQueries>(), (context) => ({
    list: ({ commit, paging, request: { externalUrl }, state }) => {
      const order = { by: "created_at", descending: true } as const
      const filter = defined({ projectId: commit.projectId, commit, order, state })
      return Effect.provideContext(listed(filter, paging, { externalUrl }), context)
    }
  }))
)
