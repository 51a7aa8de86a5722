import { Effect, Result, Schedule } from "effect"
import { removeRequestRefs } from "../../git/merge/mergeRequestRefs.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchOf } from "../../git/refs/refNames.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { react, shown } from "../../platform/reactions/react.ts"
import { pushCodec } from "../../pushes/events.ts"
import { repositoryIdOf } from "../../pushes/ids.ts"
import type { MergeRequestEvent } from "../events.ts"
import { mergeRequestCodec } from "../events.ts"
import { type MergeRequestKey, mergeRequestKeyOf, mergeRequestStream } from "../ids.ts"
import { completeMerge } from "../merging/complete.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { outdate, refresh } from "./refresh.ts"
import { removeSourceBranch } from "./removeSourceBranch.ts"

/** The user behind an event; undefined for what the service did itself. */
const actorOf = ({ metadata: { actor } }: RecordedEvent): number | undefined => {
  const [, id] = /^user:(\d+)$/.exec(actor) ?? []
  return id === undefined ? undefined : Number(id)
}

/** What a push has to do with: those from its branches and those into them. */
const onPush = Effect.fnUntraced(function* (event: RecordedEvent, projectId: number) {
  const decoded = pushCodec.decode(event)
  if (Result.isFailure(decoded)) return
  const branches = decoded.success.updates.flatMap(({ ref }) => branchOf(ref) ?? [])
  if (branches.length === 0) return
  const { openAt } = yield* MergeRequestQueries
  const { into, out } = yield* openAt(projectId, branches)
  yield* Effect.forEach(into, outdate, { discard: true })
  // Those behind one that fails are refreshed all the same; then the event comes again, for which those are known.
  const refreshed = Effect.forEach([...out, ...into], (key) => Effect.exit(refresh(key, actorOf(event))))
  yield* Effect.forEach(yield* refreshed, (exit) => exit, { discard: true })
})

const removeRefs = Effect.fnUntraced(function* ({ iid, projectId }: MergeRequestKey) {
  const repositories = yield* Repositories
  if (yield* repositories.exists(projectId)) yield* removeRequestRefs(repositories.of(projectId), iid)
}, Effect.orDie)

/** What is to be done when it is opened, leads to another branch, is merged, or is deleted. */
const onChange = Effect.fnUntraced(function* (event: MergeRequestEvent, key: MergeRequestKey) {
  switch (event._tag) {
    case "MergeRequestOpened":
    case "MergeRequestReopened":
      return yield* refresh(key)
    case "MergeRequestChanged":
      return event.changes.targetBranch === undefined ? undefined : yield* refresh(key)
    case "MergeRequestMerged":
      return yield* removeSourceBranch(key, event.by)
    case "MergeRequestDeleted":
      return yield* removeRefs(key)
    default:
      return undefined
  }
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  yield* shown(event)
  const projectId = repositoryIdOf(event.stream)
  if (projectId !== undefined) return yield* onPush(event, projectId)
  const [decoded, key] = [mergeRequestCodec.decode(event), mergeRequestKeyOf(event.stream)]
  if (Result.isSuccess(decoded) && key !== undefined) yield* onChange(decoded.success, key)
})

const changes = [
  "MergeRequestOpened",
  "MergeRequestReopened",
  "MergeRequestChanged",
  "MergeRequestMerged",
  "MergeRequestDeleted"
] as const satisfies ReadonlyArray<MergeRequestEvent["_tag"]>

const types = new Set([...pushCodec.types, ...changes])

/** Keeps merge requests up with their branches, for ever, in one process at a time. */
export const keepUpMergeRequests = react({ name: "merge-requests", types, onEvent })

/** A merge takes far less. */
const maxMergeMillis = 5_000

const endMerges = Effect.gen(function* () {
  const { lockedFor } = yield* MergeRequestQueries
  // One that cannot be ended keeps none of the others.
  const end = (key: MergeRequestKey) =>
    Effect.catchCause(completeMerge(key), (cause) =>
      Effect.logWarning(`${mergeRequestStream(key)} was cut short and could not be ended`, cause)
    )
  yield* Effect.forEach(yield* lockedFor(maxMergeMillis), end, { discard: true })
})

/** Ends merges that were cut short, for ever: several processes may. */
export const endMergesRegularly = Effect.repeat(
  Effect.catchCause(endMerges, (cause) => Effect.logWarning("Merges that were cut short could not be ended", cause)),
  Schedule.spaced("2 seconds")
)
