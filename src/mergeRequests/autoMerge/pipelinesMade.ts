import { Effect, Schedule } from "effect"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { Projections } from "../../platform/Projections.ts"
import type { MergeRequestKey } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"

/** Whether the last commit has all the pipelines that its push and its version make. Then read models show them. */
export const pipelinesMade = Effect.fnUntraced(function* (key: MergeRequestKey) {
  if (yield* MergeRequestQueries.use(({ awaitsPipeline }) => awaitsPipeline(key))) return false
  const head = yield* EventStore.use((store) => store.head)
  return yield* Projections.use(({ awaitPosition }) => Effect.isSuccess(awaitPosition(head)))
})

/** How long a request waits for pipelines that are about to be made. */
const waiting = Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "2 seconds" }))

/** The same, after a moment where they are not there yet. */
export const pipelinesMadeSoon = (key: MergeRequestKey) =>
  Effect.repeat(pipelinesMade(key), { schedule: waiting, until: (made) => made })
