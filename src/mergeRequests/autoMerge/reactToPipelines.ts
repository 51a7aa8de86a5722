import { Effect, Result } from "effect"
import { type PipelineEvent, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineIdOf } from "../../pipelines/ids.ts"
import { handle } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { react, shown } from "../../platform/reactions/react.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import { MergeRequestQueries } from "../Queries.ts"

/** What waits for a pipeline is due when it has succeeded, or was skipped, which some projects take for the same. */
const onMoved = Effect.fnUntraced(function* (event: RecordedEvent) {
  const [decoded, id] = [pipelineCodec.decode(event), pipelineIdOf(event.stream)]
  if (Result.isFailure(decoded) || decoded.success._tag !== "PipelineMoved" || id === undefined) return
  const { status } = decoded.success
  if (status !== "success" && status !== "skipped") return
  yield* shown(event)
  const keys = yield* MergeRequestQueries.use(({ autoMergesOf }) => autoMergesOf(id))
  const wake = (key: (typeof keys)[number]) => Effect.orDie(handle(mergeRequestAggregate, key, { _tag: "WakeAutoMerge" }))
  yield* Effect.forEach(keys, wake, { discard: true })
})

const moved = "PipelineMoved" satisfies PipelineEvent["_tag"]

/** Tells which merge requests are due to be merged because of a pipeline, for ever, in one process at a time. */
export const reactToPipelines = react({ name: "merge-request-auto-merges", types: new Set([moved]), onEvent: onMoved })
