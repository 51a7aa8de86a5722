import { Effect } from "effect"
import { mergeRequestCodec } from "../../mergeRequests/events.ts"
import { mergeRequestStream } from "../../mergeRequests/ids.ts"
import { reservePair } from "../../mergeRequests/pairs.ts"
import { nextId, nextIds } from "../../platform/Ids.ts"
import { recordPast } from "../../platform/recordPast.ts"
import type { ExportFolder } from "./files.ts"
import { bringAll, type Import } from "./Import.ts"
import { withKnownCommits } from "./knownCommits.ts"
import { eventsOf, sourceOf, versionOf } from "./mergeRequestEvents.ts"
import { eventCounts } from "./mergeRequestLabeling.ts"
import { importAwards, importNotes } from "./notes.ts"
import { ensurePlanned } from "./planning.ts"
import { MergeRequest } from "./shapes/issuables.ts"

/** The notes come first: each of them changes what it is about, which is told as it was changed last. */
const importMergeRequest = Effect.fnUntraced(function* (to: Import, id: number, exported: MergeRequest) {
  const record = yield* withKnownCommits(to.projectId, exported)
  const key = { projectId: to.projectId, iid: record.iid }
  const counts = eventCounts(record)
  const versionId = yield* nextId("merge_request_version")
  const labelEventIds = yield* nextIds("merge_request_label_event", counts.labels)
  const milestoneEventIds = yield* nextIds("merge_request_milestone_event", counts.milestones)
  yield* importNotes(to, { type: "mergeRequest", ...key }, record.notes)
  yield* importAwards(to, { type: "MergeRequest", id }, record.award_emoji)
  const isOpen = record.state === "opened" || record.state === "locked"
  const pair = { source: sourceOf(to, record), projectId: to.projectId, targetBranch: record.target_branch }
  // Two that are open for the same branches elsewhere are so here.
  const fences = isOpen ? yield* Effect.orElseSucceed(reservePair(pair, key), () => []) : []
  const events = eventsOf(to, { id, versionId, labelEventIds, milestoneEventIds }, record)
  yield* recordPast(mergeRequestCodec, mergeRequestStream(key), events, { fences })
  const { projectId: sourceProjectId } = sourceOf(to, record)
  const version = versionOf(record)
  const lacksCommits = version === undefined && versionOf(exported) !== undefined
  if (isOpen && (record.merge_user_id !== null || record.merge_when_pipeline_succeeds)) to.lost.autoMerges += 1
  to.mergeRequests.set(record.iid, { id, versionId, baseSha: version?.baseSha ?? "", sourceProjectId, isOpen, lacksCommits })
  to.onRecord()
})

/** Brings the merge requests, with their notes. */
export const importMergeRequests = Effect.fn("cli.importMergeRequests")((to: Import, from: ExportFolder) =>
  bringAll(from.records("merge_requests", MergeRequest), {
    kind: "merge_request",
    prepare: (records) =>
      ensurePlanned(
        to,
        records.flatMap(({ label_links, resource_label_events }) => [...label_links, ...resource_label_events]),
        records.flatMap((record) => [record, ...record.resource_milestone_events])
      ),
    bring: (id, record) => importMergeRequest(to, id, record)
  })
)
