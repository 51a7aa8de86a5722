import { Data, Effect, Stream } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { withSpanInEach } from "#src/platform/logging/tracing.ts"
import { lead } from "#src/platform/sql/leadership.ts"
import { attempt, type Client } from "#src/platform/sql/Sql.ts"
import { Applier, applying } from "./Applier.ts"
import { positionOf } from "./generations.ts"
import type { Progress } from "./Progress.ts"
import type { ReadModel } from "./ReadModel.ts"
import { runRebuilds } from "./rebuildRequests.ts"
import { retryParked } from "./retryParked.ts"

/** The tables were made by other code: this process must not write them. */
class VersionMismatch extends Data.TaggedError("OtherVersion")<{ readonly readModel: string }> {
  override get message() {
    return `The tables of read model ${this.readModel} were made by another version of Chronoforge; this process does not project`
  }
}

const openLive = (client: Client, readModels: ReadonlyArray<ReadModel>) =>
  Effect.forEach(readModels, (readModel) =>
    Effect.gen(function* () {
      const position = yield* attempt(() => positionOf(client, readModel, "live"))
      return position === undefined ? yield* new VersionMismatch({ readModel: readModel.name }) : ([readModel, position] as const)
    })
  ).pipe(Effect.map((members) => new Applier(client, "live", members)))

/** Projects and rebuilds for as long as its connection lasts. */
const project = (readModels: ReadonlyArray<ReadModel>, progress: Progress, client: Client) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        progress.leader = true
      }),
      () =>
        Effect.sync(() => {
          progress.leader = false
        })
    )
    const applier = yield* openLive(client, readModels)
    yield* Effect.forEach(readModels, (readModel) => retryParked(client, readModel), { discard: true })
    progress.advance(applier.position, progress.parkedStreams)
    const apply = store.subscribe(applier.position).pipe(
      Stream.runForEach((item) =>
        item._tag === "CaughtUp"
          ? Effect.void
          : applying(applier, (it) => it.apply(item.events)).pipe(
              Effect.map((parked) => progress.advance(applier.position, parked)),
              withSpanInEach(
                "project",
                item.events.map((event) => event.metadata.traceparent)
              )
            )
      )
    )
    yield* Effect.all([apply, runRebuilds(readModels)], { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)

/** Leads whenever it can, for ever: one process at a time writes the read models. */
export const contendForLeadership = (readModels: ReadonlyArray<ReadModel>, progress: Progress) =>
  lead({ name: "projector", frozenAfter: 5, relaxedCommit: true }, (client) => project(readModels, progress, client))
