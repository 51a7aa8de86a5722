import { Clock, Effect, Result } from "effect"
import { load } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { Projects } from "../../projects/Projects.ts"
import { uploadAggregate } from "../aggregate.ts"
import { uploadCodec } from "../events.ts"
import { type Stale, UploadStorage } from "./UploadStorage.ts"

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]

const onUpload = Effect.fnUntraced(function* (event: RecordedEvent) {
  const [decoded, files] = [uploadCodec.decode(event), yield* UploadStorage]
  if (Result.isFailure(decoded)) return
  const { _tag, projectId } = decoded.success
  yield* awaitVisible(event)
  if (_tag === "UploadRemoved") return yield* files.remove(decoded.success)
  // The project may have been deleted while the file was on its way.
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found === undefined) yield* files.removeAll(projectId)
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const deleted = projectIdOf(event.stream)
  if (deleted === undefined) return yield* onUpload(event)
  yield* UploadStorage.use((files) => files.removeAll(deleted))
})

/** Removes the files of uploads that are removed, or whose project is deleted, for ever: in one process at a time. */
export const removeUploads = react({ name: "uploads", types: new Set([deletion, ...uploadCodec.types]), onEvent })

const removeStale = Effect.fnUntraced(function* (stale: Stale) {
  const [files, { owner }] = [yield* UploadStorage, stale]
  if (owner !== undefined) {
    const { state } = yield* load(uploadAggregate, owner.id)
    const isTold = state._tag !== "Absent" && state.secret === owner.secret
    if (!isTold) yield* files.remove(owner)
  }
  yield* files.forget(stale)
})

/** Removes what processes that were killed have left: drafts, and files of which the log does not tell. It looks at nothing else. */
export const removeStaleUploads = Effect.gen(function* () {
  const stale = yield* (yield* UploadStorage).stale(yield* Clock.currentTimeMillis)
  yield* Effect.forEach(stale, removeStale, { discard: true })
}).pipe(Effect.catchCause((cause) => Effect.logWarning("What was left of uploads could not be removed", cause)))
