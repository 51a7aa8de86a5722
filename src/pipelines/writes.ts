import { Effect } from "effect"
import { tagRef } from "../git/refs/refNames.ts"
import { guardOf, handle, load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import { nextId, nextNumber } from "../platform/Ids.ts"
import { type Name, release, requireOwned, reserve } from "../platform/Reservations.ts"
import { outsideRun } from "../platform/repeats.ts"
import { pipelineAggregate } from "./aggregate.ts"
import type { PostStatus } from "./commands.ts"
import type { NewPipeline } from "./events.ts"
import { pipelineIdOf, pipelineStream } from "./ids.ts"
import { maxJobs } from "./PipelineLimits.ts"
import { PipelineQueries } from "./Queries.ts"

/** A pipeline that stands for what services outside do with a commit. */
export type ExternalPipeline = Omit<NewPipeline, "iid" | "source">

/**
 * There is one for a commit of a branch or tag, also when several services begin at the same time. A branch and a tag of the same name
 * have one each: who may touch the one need not be allowed to touch the other.
 */
const externalName = ({ isTag, projectId, ref, sha }: Pick<ExternalPipeline, "isTag" | "projectId" | "ref" | "sha">): Name => ({
  kind: "external-pipeline",
  text: `${projectId}/${sha}/${isTag ? tagRef(ref) : ref}`
})

const isThere = (owner: string): Effect.Effect<boolean, never, EventStore> => {
  const id = pipelineIdOf(owner)
  if (id === undefined) return Effect.succeed(true)
  return Effect.map(load(pipelineAggregate, id), ({ state }) => state._tag === "Present")
}

/** The id of such a pipeline: of one that is there or about to be, or a new one. The first status makes it. */
export const reserveExternal = Effect.fn("pipelines.reserveExternal")(function* (pipeline: ExternalPipeline) {
  // A repeated request finds what its first run reserved by the name.
  const id = yield* outsideRun(nextId("pipeline"))
  return yield* reserve(externalName(pipeline), pipelineStream(id), isThere).pipe(
    Effect.as(id),
    Effect.catchTag("NameTaken", ({ owner }) => Effect.succeed(pipelineIdOf(owner) ?? id))
  )
})

const numbered = Effect.fnUntraced(function* (pipeline: ExternalPipeline) {
  const { highestNumber } = yield* PipelineQueries
  const iid = yield* nextNumber("pipeline", pipeline.projectId, highestNumber)
  const made: NewPipeline = { ...pipeline, iid, source: "external" }
  return made
})

type NewStatus = Omit<PostStatus, "_tag" | "id" | "maxJobs" | "pipeline">

/** Fails with `NameLost` where the pipeline is not there and another one was made for the commit meanwhile. */
const postTo = Effect.fnUntraced(function* (pipelineId: number, status: NewStatus, pipeline: ExternalPipeline) {
  const id = yield* nextId("job")
  const { state } = yield* load(pipelineAggregate, pipelineId)
  const command = { _tag: "PostStatus", id, ...status, maxJobs: yield* maxJobs } as const
  if (state._tag !== "Absent") return yield* handle(pipelineAggregate, pipelineId, command)
  const guard = yield* guardOf(requireOwned(externalName(pipeline), pipelineStream(pipelineId)))
  return yield* handle(pipelineAggregate, pipelineId, { ...command, pipeline: yield* numbered(pipeline) }, { guard })
})

/** How often a status is posted to another pipeline where the one that was to be made lost its name. */
const maxAttempts = 5

/** Sets a status in a pipeline, which is made if it is not there. */
export const postStatus = Effect.fn("pipelines.postStatus")(
  (pipelineId: number, status: NewStatus, pipeline: ExternalPipeline) => {
    const again = Effect.flatMap(reserveExternal(pipeline), (id) => postTo(id, status, pipeline))
    return Effect.catchTag(postTo(pipelineId, status, pipeline), "NameLost", () =>
      Effect.retry(again, { while: ({ _tag }) => _tag === "NameLost", times: maxAttempts }).pipe(
        Effect.catchTag("NameLost", Effect.die)
      )
    )
  }
)

/** Deletes a pipeline. The next status of its commit makes a new one. */
export const deletePipeline = Effect.fn("pipelines.delete")(function* (id: number) {
  const { state } = yield* load(pipelineAggregate, id)
  const handled = yield* handle(pipelineAggregate, id, { _tag: "Delete" })
  if (state._tag === "Present")
    yield* release(externalName(state.pipeline.origin), pipelineStream(id), isThere(pipelineStream(id)))
  return handled
})
