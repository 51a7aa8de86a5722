import { Effect, Result } from "effect"
import { branchOf } from "../../git/refs/refNames.ts"
import { mergeRequestCodec } from "../../mergeRequests/events.ts"
import { mergeRequestKeyOf } from "../../mergeRequests/ids.ts"
import { type PipelineEvent, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineIdOf } from "../../pipelines/ids.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { userOf } from "../../platform/Origin.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import { pushCodec } from "../../pushes/events.ts"
import { repositoryIdOf } from "../../pushes/ids.ts"
import { TodoQueries } from "../Queries.ts"
import { addTodo, causeOf, finishTodo } from "../writes.ts"
import { mergeRequestTypes, onMergeRequest } from "./onMergeRequest.ts"

/** Who pushes to the branch of a merge request has done what was waiting. */
const onPush = Effect.fnUntraced(function* (event: RecordedEvent, projectId: number) {
  const [decoded, userId] = [pushCodec.decode(event), userOf(event.metadata.actor)]
  if (Result.isFailure(decoded) || userId === undefined) return
  const branches = decoded.success.updates.flatMap(({ ref }) => branchOf(ref) ?? [])
  if (branches.length === 0) return
  yield* awaitVisible(event)
  const pending = yield* TodoQueries.use((todos) => todos.pendingFrom(userId, { projectId, branches }))
  yield* Effect.forEach(pending, (target) => finishTodo({ userId, target }, { cause: causeOf(event) }), { discard: true })
})

const hasFailed = (event: RecordedEvent): boolean => {
  const decoded = pipelineCodec.decode(event)
  return Result.isSuccess(decoded) && decoded.success._tag === "PipelineMoved" && decoded.success.status === "failed"
}

/** The author of a merge request is told that the pipeline of its last commit failed. */
const onFailedPipeline = Effect.fnUntraced(function* (event: RecordedEvent, pipelineId: number) {
  yield* awaitVisible(event)
  const proposed = yield* TodoQueries.use((todos) => todos.proposedWith(pipelineId))
  yield* Effect.forEach(
    proposed,
    ({ authorId, target }) =>
      addTodo({ userId: authorId, target, action: "build_failed", authorId, cause: causeOf(event) }, `${event.id}/build_failed`),
    { discard: true }
  )
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const [projectId, pipelineId] = [repositoryIdOf(event.stream), pipelineIdOf(event.stream)]
  if (projectId !== undefined) return yield* onPush(event, projectId)
  if (pipelineId !== undefined) return yield* onFailedPipeline(event, pipelineId)
  const [decoded, key] = [mergeRequestCodec.decode(event), mergeRequestKeyOf(event.stream)]
  if (Result.isFailure(decoded) || key === undefined) return
  yield* onMergeRequest(decoded.success, { recorded: event, target: { type: "MergeRequest", ...key } })
})

const pipelineTypes = ["PipelineMoved"] as const satisfies ReadonlyArray<PipelineEvent["_tag"]>

const concerns = (event: RecordedEvent): boolean => pipelineIdOf(event.stream) === undefined || hasFailed(event)

const types = new Set<string>([...pushCodec.types, ...mergeRequestTypes, ...pipelineTypes])

/** Adds the to-dos that follow from what happens, and marks those as done that are done by it, for ever: in one process at a time. */
export const keepTodos = react({ name: "todos", types, concerns, onEvent })
