import { readFileSync } from "node:fs"
import type { Resource } from "#src/issuables/stateEvents/Queries.ts"
import { type IssueEvent, issueCodec } from "#src/issues/events.ts"
import { issueKeyOf } from "#src/issues/ids.ts"
import { type MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestKeyOf } from "#src/mergeRequests/ids.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { type Change, on, put, type ReadModel, type Row, removeWhere } from "../ReadModel.ts"

const stateEvents = "state_events"

const of = ({ iid, projectId, type }: Resource): Row => ({ type, project_id: projectId, iid })

const changed = (resource: Resource, { at, position }: RecordedEvent, columns: Row): ReadonlyArray<Change> => [
  put(stateEvents, {
    ...of(resource),
    id: position,
    created_at: at,
    merged_as: null,
    source_commit: null,
    source_merge_request_id: null,
    ...columns
  })
]

/** What was planned was asked for; anything else came into the target branch by some commit. */
const merged = ({
  by,
  mergeSha,
  removesSourceBranch,
  targetSha
}: Extract<MergeRequestEvent, { _tag: "MergeRequestMerged" }>): Row =>
  removesSourceBranch === undefined
    ? { state: "merged", user_id: by, merged_as: mergeSha, source_commit: targetSha ?? mergeSha }
    : { state: "merged", user_id: by }

const ofMergeRequest = (event: MergeRequestEvent, recorded: RecordedEvent): ReadonlyArray<Change> => {
  const key = mergeRequestKeyOf(recorded.stream)
  if (key === undefined) return []
  const resource: Resource = { type: "MergeRequest", ...key }
  switch (event._tag) {
    case "MergeRequestClosed":
      return changed(resource, recorded, { state: "closed", user_id: event.by })
    case "MergeRequestReopened":
      return changed(resource, recorded, { state: "reopened", user_id: event.by })
    case "MergeRequestMerged":
      return changed(resource, recorded, merged(event))
    case "MergeRequestDeleted":
      return [removeWhere(stateEvents, of(resource))]
    default:
      return []
  }
}

const ofIssue = (event: IssueEvent, recorded: RecordedEvent): ReadonlyArray<Change> => {
  const key = issueKeyOf(recorded.stream)
  if (key === undefined) return []
  const resource: Resource = { type: "Issue", ...key }
  switch (event._tag) {
    case "IssueClosed": {
      const { by, mergeRequestId = null } = event
      return changed(resource, recorded, { state: "closed", user_id: by, source_merge_request_id: mergeRequestId })
    }
    case "IssueReopened":
      return changed(resource, recorded, { state: "reopened", user_id: event.by })
    case "IssueDeleted":
      return [removeWhere(stateEvents, of(resource))]
    default:
      return []
  }
}

/** What became of issues and merge requests, and when. */
export const stateEventsReadModel: ReadModel = {
  name: "state_events",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [stateEvents]: ["id"] },
  projections: [on(mergeRequestCodec, ofMergeRequest), on(issueCodec, ofIssue)]
}
