import { Effect, Stream } from "effect"
import { mergeRequestCodec } from "../../mergeRequests/events.ts"
import { mergeRequestStream } from "../../mergeRequests/ids.ts"
import { reservePair } from "../../mergeRequests/pairs.ts"
import { nextIds } from "../../platform/Ids.ts"
import { recordPast } from "../../platform/recordPast.ts"
import type { ExportFolder } from "./files.ts"
import { chunkSize, each, type Import } from "./Import.ts"
import { eventCounts, eventsOf, sourceOf, versionOf } from "./mergeRequestEvents.ts"
import { importAwards, importNotes } from "./notes.ts"
import { ensureLabels, ensureMilestones } from "./planning.ts"
import { MergeRequest } from "./shapes.ts"

/** The notes come first: each of them changes what it is about, which is told as it was changed last. */
const importMergeRequest = Effect.fnUntraced(function* (to: Import, id: number, versionId: number, record: MergeRequest) {
  const key = { projectId: to.projectId, iid: record.iid }
  const counts = eventCounts(record)
  const labelEventIds = yield* nextIds("merge_request_label_event", counts.labels)
  const milestoneEventIds = yield* nextIds("merge_request_milestone_event", counts.milestones)
  yield* importNotes(to, { type: "mergeRequest", ...key }, record.notes)
  yield* importAwards(to, { type: "MergeRequest", id }, record.award_emoji)
  const isOpen = record.state === "opened" || record.state === "locked"
  if (isOpen) {
    const pair = { source: sourceOf(to, record), projectId: to.projectId, targetBranch: record.target_branch }
    yield* Effect.ignore(reservePair(pair, key))
  }
  const events = eventsOf(to, { id, versionId, labelEventIds, milestoneEventIds }, record)
  yield* recordPast(mergeRequestCodec, mergeRequestStream(key), events)
  const { projectId: sourceProjectId } = sourceOf(to, record)
  to.mergeRequests.set(record.iid, { id, versionId, baseSha: versionOf(record)?.baseSha ?? "", sourceProjectId, isOpen })
  to.onRecord()
})

/** Brings the merge requests, with their notes. */
export const importMergeRequests = Effect.fn("cli.importMergeRequests")((to: Import, from: ExportFolder) =>
  from.records("merge_requests", MergeRequest).pipe(
    Stream.grouped(chunkSize),
    Stream.runForEach(
      Effect.fnUntraced(function* (records) {
        yield* ensureLabels(
          to,
          records.flatMap(({ label_links, resource_label_events }) =>
            [...label_links, ...resource_label_events].map(({ label }) => label)
          )
        )
        yield* ensureMilestones(
          to,
          records.flatMap(({ milestone, resource_milestone_events }) => [
            milestone,
            ...resource_milestone_events.map((event) => event.milestone)
          ])
        )
        const ids = yield* nextIds("merge_request", records.length)
        const versionIds = yield* nextIds("merge_request_version", records.length)
        yield* each(records.entries(), ([index, record]) =>
          importMergeRequest(to, ids[index] ?? 0, versionIds[index] ?? 0, record)
        )
      })
    )
  )
)
