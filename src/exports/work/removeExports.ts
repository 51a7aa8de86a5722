import { Clock, Effect, Result, Schedule } from "effect"
import { handle } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { exportAggregate } from "../aggregate.ts"
import { ExportRecords } from "../ExportRecords.ts"
import { type ExportEvent, exportCodec } from "../events.ts"
import { ExportStorage } from "../files/ExportStorage.ts"
import type { ExportKey } from "../ids.ts"
import { projectIdOfExports } from "../ids.ts"
import { ExportQueries } from "../Queries.ts"

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]
const [request, expiry] = ["ExportRequested", "ExportExpired"] as const satisfies ReadonlyArray<ExportEvent["_tag"]>

const removeUpTo = Effect.fnUntraced(function* (of: ExportKey) {
  yield* ExportStorage.use((storage) => storage.removeUpTo(of))
  yield* ExportRecords.use((records) => records.forget(of))
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const deleted = projectIdOf(event.stream)
  if (deleted !== undefined) {
    yield* ExportRecords.use((records) => records.forget({ projectId: deleted, number: Number.MAX_SAFE_INTEGER }))
    return yield* ExportStorage.use((storage) => storage.removeAll(deleted))
  }
  const [projectId, decoded] = [projectIdOfExports(event.stream), exportCodec.decode(event)]
  if (projectId === undefined || Result.isFailure(decoded)) return
  const { _tag, number } = decoded.success
  if (_tag === request) yield* removeUpTo({ projectId, number: number - 1 })
  if (_tag === expiry) yield* removeUpTo({ projectId, number })
})

/** Removes the files of exports that others take the place of, that have expired, or whose project is deleted, for ever: in one process at a time. */
export const removeExports = react({ name: "exports", types: new Set([deletion, request, expiry]), onEvent })

/** So many are let go at a time. */
const batch = 1_000

const expireOld = Effect.fnUntraced(function* (hours: number) {
  const now = yield* Clock.currentTimeMillis
  const old = yield* ExportQueries.use((exports) => exports.finishedBefore(now - hours * 3_600_000, batch))
  const expire = ({ number, projectId }: ExportKey) =>
    Effect.ignore(handle(exportAggregate, projectId, { _tag: "Expire", number, now }))
  yield* Effect.forEach(old, expire, { discard: true })
})

/** Lets go of exports that were finished so many hours ago, for ever; with 0, of none. Several processes may do so. */
export const expireExports = (hours: number) =>
  expireOld(hours).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Old exports could not be removed", cause)),
    Effect.repeat(Schedule.spaced("1 minute")),
    Effect.when(Effect.succeed(hours > 0)),
    Effect.provideService(CurrentOrigin, systemOrigin("exports"))
  )
