import { Effect } from "effect"
import { viewerOf } from "../../issuables/Viewer.ts"
import type { CountLabels } from "../../labels/Labels.ts"
import { LabelingQueries } from "./Queries.ts"

/** Counts the merge requests with labels. */
export const countLabelsOfMergeRequests = Effect.map(
  LabelingQueries,
  (queries): CountLabels =>
    (labelIds, { id, kind }, caller) => {
      const place = kind === "project" ? { projectId: id } : { groupId: id }
      return Effect.map(
        queries.openWith(labelIds, { viewer: viewerOf(caller), ...place }),
        (rows) => new Map(rows.map(({ label_id, opened }) => [label_id, { openMergeRequests: opened }]))
      )
    }
)
