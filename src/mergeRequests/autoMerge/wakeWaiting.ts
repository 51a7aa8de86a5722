import { Effect, Result } from "effect"
import { type PipelineEvent, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineIdOf } from "../../pipelines/ids.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { react, shown } from "../../platform/reactions/react.ts"
import { type ProjectEvent, projectCodec } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import type { BlockEvent } from "../blocks/events.ts"
import { blockedKeyOf } from "../blocks/ids.ts"
import type { MergeRequestEvent } from "../events.ts"
import { type MergeRequestKey, mergeRequestKeyOf } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { wakeAutoMerge } from "./wakeAutoMerge.ts"

/** Finds what may have waited for something that happened. */
type Waiting = (queries: MergeRequestQueries["Service"]) => Effect.Effect<ReadonlyArray<MergeRequestKey>>

/** A pipeline succeeded, or was skipped, which some projects take for the same. */
const onPipeline = (event: RecordedEvent): Waiting | undefined => {
  const [decoded, id] = [pipelineCodec.decode(event), pipelineIdOf(event.stream)]
  if (Result.isFailure(decoded) || id === undefined) return undefined
  const happened = decoded.success
  const isOver =
    happened._tag === "PipelineMoved"
      ? happened.status === "success" || happened.status === "skipped"
      : happened._tag === "PipelineCreated" && happened.isSkipped === true
  return isOver ? (queries) => queries.autoMergesWith(id) : undefined
}

/** What had to be merged first was, or is gone. */
const onBlocker = ({ stream }: RecordedEvent): Waiting | undefined => {
  const key = mergeRequestKeyOf(stream)
  return key && ((queries) => queries.autoMergesBehind(key))
}

/** It does not have to wait for another one any more. */
const onBlock = ({ stream }: RecordedEvent): Waiting | undefined => {
  const key = blockedKeyOf(stream)
  return key && (() => Effect.succeed([key]))
}

/** The settings by which a project lets a merge wait, or refuses it. */
const asking = [
  "onlyAllowMergeIfPipelineSucceeds",
  "allowMergeOnSkippedPipeline",
  "onlyAllowMergeIfAllDiscussionsAreResolved",
  "squashOption",
  "mergeMethod"
] as const

/** The project asks for something else, or is gone, and with it what others waited for. */
const onProject = (event: RecordedEvent): Waiting | undefined => {
  const [decoded, id] = [projectCodec.decode(event), projectIdOf(event.stream)]
  if (Result.isFailure(decoded) || id === undefined) return undefined
  const happened = decoded.success
  if (happened._tag === "ProjectDeleted") return (queries) => queries.autoMergesBehind({ projectId: id })
  if (happened._tag !== "ProjectSettingsChanged" || !asking.some((name) => name in happened.changes)) return undefined
  return (queries) => queries.autoMergesIn(id)
}

const pipelineTypes = ["PipelineCreated", "PipelineMoved"] as const satisfies ReadonlyArray<PipelineEvent["_tag"]>
const blockerTypes = ["MergeRequestMerged", "MergeRequestDeleted"] as const satisfies ReadonlyArray<MergeRequestEvent["_tag"]>
const blockType = "MergeRequestUnblocked" satisfies BlockEvent["_tag"]
const projectTypes = ["ProjectSettingsChanged", "ProjectDeleted"] as const satisfies ReadonlyArray<ProjectEvent["_tag"]>

const reactions: ReadonlyMap<string, (event: RecordedEvent) => Waiting | undefined> = new Map([
  ...pipelineTypes.map((type) => [type, onPipeline] as const),
  ...blockerTypes.map((type) => [type, onBlocker] as const),
  [blockType, onBlock],
  ...projectTypes.map((type) => [type, onProject] as const)
])

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const waiting = reactions.get(event.type)?.(event)
  if (waiting === undefined) return
  yield* shown(event)
  const keys = yield* MergeRequestQueries.use(waiting)
  yield* Effect.forEach(keys, wakeAutoMerge, { discard: true })
})

/** Lets what is to be merged of itself be looked at when what it may wait for has come, for ever, in one process at a time. */
export const wakeWaiting = react({ name: "merge-request-auto-merges", types: new Set(reactions.keys()), onEvent })
