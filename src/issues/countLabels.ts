import { Effect } from "effect"
import { viewerOf } from "../issuables/Viewer.ts"
import type { CountLabels } from "../labels/Labels.ts"
import { IssueQueries } from "./Queries.ts"

/** Counts the issues with labels. */
export const countLabelsOfIssues = Effect.map(
  IssueQueries,
  (issues): CountLabels =>
    (labelIds, { id, kind }, caller) => {
      const place = kind === "project" ? { project: { id } } : { groupId: id }
      return Effect.map(
        issues.labelCounts(labelIds, { viewer: viewerOf(caller), ...place }),
        (rows) => new Map(rows.map((row) => [row.label_id, { openIssues: row.opened, closedIssues: row.closed }]))
      )
    }
)
