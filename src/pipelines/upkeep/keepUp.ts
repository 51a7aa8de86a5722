import { Effect, Result } from "effect"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { UserEvent } from "../../users/events.ts"
import { userIdOf } from "../../users/ids.ts"
import { Users } from "../../users/Users.ts"
import { type PipelineEvent, pipelineCodec } from "../events.ts"
import { pipelineIdOf } from "../ids.ts"
import { PipelineQueries } from "../Queries.ts"
import { cancelRedundant } from "./cancelRedundant.ts"
import { dropJobsOf } from "./dropJobs.ts"

const blockingEvents = ["UserBlocked", "UserBanned", "UserDeactivated", "UserDeleted"] as const satisfies ReadonlyArray<
  UserEvent["_tag"]
>

/** A user may be let in again by the time. */
const onUserBlocked = Effect.fnUntraced(function* (userId: number) {
  const user = yield* Users.use((users) => users.find(userId))
  if (user?.state !== "active") yield* dropJobsOf(userId)
})

const onPipelineEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const [decoded, id] = [pipelineCodec.decode(event), pipelineIdOf(event.stream)]
  if (Result.isFailure(decoded) || decoded.success._tag !== "PipelineCreated" || id === undefined) return
  const { _tag, ...pipeline } = decoded.success
  yield* cancelRedundant({ id, pipeline, at: event.at })
})

/** Mostly nothing older is under way. */
const isDue = Effect.fnUntraced(function* (event: RecordedEvent) {
  yield* awaitVisible(event)
  const id = pipelineIdOf(event.stream)
  return id === undefined || (yield* PipelineQueries.use(({ hasOlder }) => hasOlder(id)))
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const userId = userIdOf(event.stream)
  yield* userId === undefined ? onPipelineEvent(event) : onUserBlocked(userId)
})

const creation = "PipelineCreated" satisfies PipelineEvent["_tag"]

/**
 * Fails jobs that run as users who were shut out or deleted, and cancels pipelines that newer ones make needless: for ever, in one process
 * at a time.
 */
export const keepUpPipelines = react({ name: "pipeline-upkeep", types: new Set([...blockingEvents, creation]), isDue, onEvent })
