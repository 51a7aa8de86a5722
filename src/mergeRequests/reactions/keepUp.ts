import { Effect, Result, Schedule } from "effect"
import { removeRequestRefs } from "../../git/merge/mergeRequestRefs.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchOf } from "../../git/refs/refNames.ts"
import { handle } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { pushCodec } from "../../pushes/events.ts"
import { repositoryIdOf } from "../../pushes/ids.ts"
import type { UserEvent } from "../../users/events.ts"
import { userIdOf } from "../../users/ids.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { MergeRequestEvent } from "../events.ts"
import { mergeRequestCodec } from "../events.ts"
import { type MergeRequestKey, mergeRequestKeyOf, mergeRequestStream } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { completeMerge } from "../writes/complete.ts"
import { eachKey } from "../writes/eachKey.ts"
import { outdate } from "./check.ts"
import { removeSourceBranch } from "./removeSourceBranch.ts"

/** A branch and where it leads; nothing for other refs. */
const tipIn = (ref: string, tip: string | null): ReadonlyArray<readonly [string, string | null]> => {
  const branch = branchOf(ref)
  return branch === undefined ? [] : [[branch, tip]]
}

const nowhere: ReadonlyMap<string, string | null> = new Map()

/** Those from the branches of a push and into them are outdated: they are refreshed later, once for however many pushes. */
const onPush = Effect.fnUntraced(function* (event: RecordedEvent, projectId: number) {
  const decoded = pushCodec.decode(event)
  if (Result.isFailure(decoded)) return
  const tips = new Map(decoded.success.updates.flatMap(({ after, ref }) => tipIn(ref, after)))
  if (tips.size === 0) return
  const { openAt } = yield* MergeRequestQueries
  const found = yield* openAt(projectId, [...tips.keys()])
  yield* Effect.forEach(found, (key) => outdate(key, { source: tips, target: key.projectId === projectId ? tips : nowhere }), {
    discard: true
  })
})

const removeRefs = Effect.fnUntraced(function* ({ iid, projectId }: MergeRequestKey) {
  const repositories = yield* Repositories
  if (yield* repositories.exists(projectId)) yield* removeRequestRefs(repositories.of(projectId), iid)
}, Effect.orDie)

/** Who is deleted has approved nothing any more. */
const onUserDeleted = Effect.fnUntraced(function* (userId: number) {
  const { approvedBy } = yield* MergeRequestQueries
  // It may be merged by now, or not approved any more.
  const unapprove = (key: MergeRequestKey) => Effect.ignore(handle(mergeRequestAggregate, key, { _tag: "Unapprove", by: userId }))
  yield* eachKey((after, limit) => approvedBy(userId, after, limit), unapprove)
})

/** What came from a fork that is deleted has no source branch any more. */
const onProjectDeleted = Effect.fnUntraced(function* (projectId: number) {
  const { openFrom } = yield* MergeRequestQueries
  yield* eachKey(
    (after, limit) => openFrom(projectId, after, limit),
    (key) => outdate(key)
  )
})

/** What is left to be done for git when it is merged or deleted. */
const onChange = Effect.fnUntraced(function* (event: MergeRequestEvent, key: MergeRequestKey) {
  if (event._tag === "MergeRequestDeleted") return yield* removeRefs(key)
  if (event._tag === "MergeRequestMerged" && event.removesSourceBranch === true) yield* removeSourceBranch(key, event.by)
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  yield* awaitVisible(event)
  const projectId = repositoryIdOf(event.stream)
  if (projectId !== undefined) return yield* onPush(event, projectId)
  const deletedId = projectIdOf(event.stream)
  if (deletedId !== undefined) return yield* onProjectDeleted(deletedId)
  const userId = userIdOf(event.stream)
  if (userId !== undefined) return yield* onUserDeleted(userId)
  const [decoded, key] = [mergeRequestCodec.decode(event), mergeRequestKeyOf(event.stream)]
  if (Result.isSuccess(decoded) && key !== undefined) yield* onChange(decoded.success, key)
})

const changes = ["MergeRequestMerged", "MergeRequestDeleted"] as const satisfies ReadonlyArray<MergeRequestEvent["_tag"]>

const deletions = ["UserDeleted", "ProjectDeleted"] as const satisfies ReadonlyArray<(ProjectEvent | UserEvent)["_tag"]>

const types = new Set([...pushCodec.types, ...changes, ...deletions])

/**
 * Tells which merge requests a push has outdated, and does what merges and deletions, of users and forks too, leave to be done, for ever, in
 * one process at a time.
 */
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
  yield* Effect.forEach(yield* lockedFor(maxMergeMillis), end, { concurrency: 4, discard: true })
})

/** Ends merges that were cut short, for ever: several processes may. */
export const endMergesRegularly = Effect.repeat(
  Effect.catchCause(endMerges, (cause) => Effect.logWarning("Merges that were cut short could not be ended", cause)),
  Schedule.spaced("2 seconds")
).pipe(Effect.provideService(CurrentOrigin, systemOrigin("merge-requests")))
