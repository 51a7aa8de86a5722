import { Effect, Result } from "effect"
import { closeByMerge } from "../../issues/Issues.ts"
import { history } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import { Projects } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { type MergeRequestEvent, mergeRequestCodec } from "../events.ts"
import { type MergeRequestKey, mergeRequestKeyOf } from "../ids.ts"
import { findIssuesToClose, noteIssuesToClose } from "./noteIssuesToClose.ts"

/** The merge request as it was when it was merged: what was written to it later has nothing to say. */
const mergedAt = Effect.fnUntraced(function* (key: MergeRequestKey, { revision }: RecordedEvent) {
  const { events, recorded } = yield* history(mergeRequestAggregate, key)
  const until = events.filter((_, index) => (recorded[index]?.revision ?? 0) <= revision)
  const state = until.reduce(mergeRequestAggregate.evolve, mergeRequestAggregate.initial)
  return state._tag === "Merged" ? state.request : undefined
}, Effect.orDie)

/** A merge into the default branch closes the issues that it says it closes. */
const closeIssues = Effect.fnUntraced(function* (event: RecordedEvent, key: MergeRequestKey, by: number, externalUrl: string) {
  const request = yield* mergedAt(key, event)
  const found = yield* Projects.use((projects) => projects.find(String(key.projectId), undefined))
  if (request === undefined || found?.project.default_branch !== request.attributes.targetBranch) return
  const issues = request.issuesToClose ?? (yield* findIssuesToClose(key, request, { externalUrl, home: found.project }))
  yield* closeByMerge({ issues, by, mergeRequestId: request.id, id: event.id })
})

/** What may change which issues are closed, and the merge that closes them. */
const types = new Set<MergeRequestEvent["_tag"]>([
  "MergeRequestOpened",
  "MergeRequestChanged",
  "MergeRequestReopened",
  "VersionAdded",
  "AutoMergeCanceled",
  "AutoMergeAborted",
  "MergeRequestMerged"
])

/** Finds out which issues merge requests close, and closes them after merges, for ever, in one process at a time. */
export const keepUpIssues = (externalUrl: string) =>
  react({
    name: "closing-issues",
    types,
    onEvent: Effect.fnUntraced(function* (event) {
      const [decoded, key] = [mergeRequestCodec.decode(event), mergeRequestKeyOf(event.stream)]
      if (Result.isFailure(decoded) || key === undefined) return
      yield* awaitVisible(event)
      const { success } = decoded
      if (success._tag === "MergeRequestMerged") yield* closeIssues(event, key, success.by, externalUrl)
      else yield* noteIssuesToClose(key, { externalUrl })
    })
  })
