import { Cause, Data, Deferred, Effect, Schedule, Stream } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { withSpanInEach } from "#src/platform/logging/tracing.ts"
import { dismissFrozenHolder, heartbeat } from "#src/platform/sql/advisoryLocks.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { attempt, type Client, Sql } from "#src/platform/sql/Sql.ts"
import { Applier } from "./Applier.ts"
import { positionOf } from "./generations.ts"
import type { Progress } from "./Progress.ts"
import type { ReadModel } from "./ReadModel.ts"
import { runRebuilds } from "./rebuildRequests.ts"
import { retryParked } from "./retryParked.ts"

/** The connection that holds the leader's lock is gone, and the lock with it. */
class LeadershipLost extends Data.TaggedError("LeadershipLost") {}

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

const lock = "hashtext('chronoforge.projector')"

/** Asks again and again instead of waiting in the statement, whose snapshot would keep vacuum from its work in the whole database. */
const tryLock = async (client: Client): Promise<boolean> => {
  const [row] = await client.unsafe<Array<{ locked: boolean }>>(`select pg_try_advisory_lock(${lock}) as locked`)
  return row?.locked === true
}

/** Takes the lock, from a frozen leader too. */
const contend = async (client: Client): Promise<boolean> => {
  if (await tryLock(client)) return true
  await client.unsafe(dismissFrozenHolder(lock))
  return false
}

/** Waits for the lock that one process has, then projects and rebuilds for as long as its connection lasts. */
const lead = (readModels: ReadonlyArray<ReadModel>, progress: Progress) =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const store = yield* EventStore
    const lost = yield* Deferred.make<never, LeadershipLost>()
    const onClosed = () => Deferred.doneUnsafe(lost, Effect.fail(new LeadershipLost()))
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        makeClient(url, { connections: 1, name: "chronoforge-projector", relaxedCommit: true, usesKeepalive: true, onClosed })
      ),
      (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
    )
    yield* attempt(() => contend(client)).pipe(
      Effect.repeat({ until: (locked) => locked, schedule: Schedule.spaced("300 millis") })
    )
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
    const project = store.subscribe(applier.position).pipe(
      Stream.runForEach((item) =>
        item._tag === "CaughtUp"
          ? Effect.void
          : attempt(() => applier.apply(item.events)).pipe(
              Effect.map((parked) => progress.advance(applier.position, parked)),
              withSpanInEach(
                "project",
                item.events.map((event) => event.metadata.traceparent)
              )
            )
      )
    )
    const showAlive = Effect.repeat(
      attempt(() => client`select 1`),
      Schedule.spaced(heartbeat)
    )
    yield* Effect.raceFirst(
      Deferred.await(lost),
      Effect.all([project, runRebuilds(readModels), showAlive], { concurrency: "unbounded", discard: true })
    )
  }).pipe(Effect.scoped)

/** Leads whenever it can, for ever: on any failure it lets go of the lock and queues again. */
export const contendForLeadership = (readModels: ReadonlyArray<ReadModel>, progress: Progress) =>
  lead(readModels, progress).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning("The projector failed and will restart", cause)
    ),
    Effect.repeat(Schedule.spaced("500 millis"))
  )
