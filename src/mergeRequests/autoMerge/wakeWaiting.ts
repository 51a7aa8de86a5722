import { Effect, Result } from "effect"
import { type PipelineEvent, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineIdOf, pipelineStream } from "../../pipelines/ids.ts"
import { EventStore, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { UserEvent } from "../../users/events.ts"
import { userIdOf } from "../../users/ids.ts"
import { abortOf } from "../writes/abortAutoMerge.ts"
import { eachAutoMerge } from "../writes/eachAutoMerge.ts"
import { waitedFor, waitingFor } from "./waitingFor.ts"
import { wakeAutoMerge } from "./wakeAutoMerge.ts"

/** Those of whose last commit a pipeline was that is deleted: an older one counts now, or none. */
const behindDeleted = Effect.fnUntraced(function* (pipelineId: number) {
  const [first] = yield* EventStore.use((store) => store.read(pipelineStream(pipelineId), { limit: 1 }))
  const created = first === undefined ? undefined : Result.getOrUndefined(pipelineCodec.decode(first))
  return created?._tag === "PipelineCreated" ? { sha: created.sha } : undefined
})

const pipelineDeletion: PipelineEvent["_tag"] = "PipelineDeleted"
const userDeletion: UserEvent["_tag"] = "UserDeleted"

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const [pipelineId, userId] = [pipelineIdOf(event.stream), userIdOf(event.stream)]
  if (event.type === userDeletion && userId !== undefined) {
    yield* awaitVisible(event)
    return yield* abortOf(userId)
  }
  const isDeleted = event.type === pipelineDeletion && pipelineId !== undefined
  const waiting = isDeleted ? yield* behindDeleted(pipelineId) : waitingFor(event)
  if (waiting === undefined) return
  yield* awaitVisible(event)
  yield* eachAutoMerge(waiting, wakeAutoMerge)
})

const types = new Set([...waitedFor, pipelineDeletion, userDeletion])

const concerns = (event: RecordedEvent): boolean =>
  event.type === pipelineDeletion || event.type === userDeletion || waitingFor(event) !== undefined

/** Lets what is to be merged of itself be looked at when what it may wait for has come, for ever, in one process at a time. */
export const wakeWaiting = react({ name: "merge-request-auto-merges", types, concerns, onEvent })
