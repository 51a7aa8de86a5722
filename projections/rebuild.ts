import { Effect, Schedule } from "effect"
import { EventStore, type Position } from "#src/platform/eventStore/EventStore.ts"
import { attempt, type Client, type SqlError, type Statements, transact, transaction } from "#src/platform/sql/Sql.ts"
import { Applier, applying } from "./Applier.ts"
import { compareGenerations, type Differences } from "./compareGenerations.ts"
import { createGeneration, createIndexes, dropOldGeneration, positionOf, swapGenerations } from "./generations.ts"
import type { ReadModel } from "./ReadModel.ts"

/** A rebuild reads and writes this many events at a time. */
const pageSize = 10_000
/** The first time it is fewer, for there is nothing else to do until they have come. */
const firstPageSize = 1_000

export interface RebuildReport {
  readonly events: number
  readonly position: Position
  readonly head: Position
}

/** Makes the next generation, or finds the one that an interrupted rebuild of the same version left, and opens it for applying. */
const openNext = (client: Client, readModels: ReadonlyArray<ReadModel>) =>
  attempt(async () => {
    const members: Array<readonly [ReadModel, Position]> = []
    for (const readModel of readModels) {
      const known = await positionOf(client, readModel, "next")
      if (known === undefined) await transact(client, (tx) => createGeneration(tx, readModel, "next"))
      members.push([readModel, known ?? 0])
    }
    return new Applier(client, "next", members)
  })

/**
 * Replays the log into the next generation until it ends. Reads the next page while the database takes the last one.
 * `report` may say that the rebuild is cancelled.
 */
const replay = (applier: Applier, report: (progress: RebuildReport) => Effect.Effect<boolean, SqlError>) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    let events = 0
    let batch = yield* store.readAll(applier.position, firstPageSize)
    while (batch.length > 0) {
      const last = batch.at(-1)?.position ?? applier.position
      const [following] = yield* Effect.all([store.readAll(last, pageSize), applying(applier, (it) => it.apply(batch))], {
        concurrency: 2
      })
      events += batch.length
      const head = yield* store.head
      if (yield* report({ events, position: applier.position, head })) return false
      batch = following
    }
    return true
  })

/** The position of the live generation. With `lock`, the projector cannot move it before the transaction ends. */
const livePosition = async (sql: Statements, readModels: ReadonlyArray<ReadModel>, lock = false): Promise<Position> => {
  const names = readModels.map((readModel) => readModel.name)
  const rows = await sql<Array<{ position: number }>>`
    select position from chronoforge.read_models
    where generation = 'live' and name = any(${names}) ${lock ? sql`for update` : sql``}`
  return Math.min(...rows.map((row) => row.position))
}

/** Waits until the live generation is as far as the replay, which reads to the end of the log and may be ahead of it. */
const awaitLive = (client: Client, readModels: ReadonlyArray<ReadModel>, applier: Applier) =>
  attempt(() => livePosition(client, readModels)).pipe(
    Effect.repeat({ until: (live) => live >= applier.position, schedule: Schedule.spaced("10 millis") })
  )

/** Applies what is missing up to the live position, inside the transaction that fixes that position. */
const catchUpIn = (tx: Statements, applier: Applier, to: Position) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    let after = applier.position
    while (after < to) {
      const events = (yield* store.readAll(after, pageSize)).filter((event) => event.position <= to)
      yield* applying(applier, (it) => it.applyIn(tx, events))
      after = events.at(-1)?.position ?? to
    }
  })

/**
 * Compares both generations at one position: a snapshot fixes where the live one stands, the next one is brought to the same
 * place inside that snapshot. The projector is not held up.
 */
const compare = (
  client: Client,
  readModels: ReadonlyArray<ReadModel>,
  applier: Applier
): Effect.Effect<Differences, SqlError, EventStore> =>
  transaction(
    client,
    (tx) =>
      Effect.gen(function* () {
        yield* catchUpIn(tx, applier, yield* attempt(() => livePosition(tx, readModels)))
        const differences = yield* Effect.forEach(readModels, (readModel) => attempt(() => compareGenerations(tx, readModel)))
        return {
          count: differences.reduce((sum, each) => sum + each.count, 0),
          examples: differences.flatMap((each) => each.examples).slice(0, 20)
        }
      }),
    "begin isolation level repeatable read"
  )

/** Brings the next generation to the live position once more, now under the lock of the live checkpoints, and swaps the two. */
const swap = (client: Client, readModels: ReadonlyArray<ReadModel>, applier: Applier) =>
  transaction(client, (tx) =>
    Effect.gen(function* () {
      yield* catchUpIn(tx, applier, yield* attempt(() => livePosition(tx, readModels, true)))
      yield* Effect.forEach(readModels, (readModel) => attempt(() => swapGenerations(tx, readModel)), { discard: true })
    })
  )

/** Requests that began before a swap read the old tables: a lock was not to be had in time, or in another order. */
const isInUse = ({ code }: SqlError): boolean => code === "55P03" || code === "40P01"
const dropRetries = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 minutes" }))

export type RebuildOutcome = { readonly _tag: "Cancelled" } | { readonly _tag: "Swapped"; readonly differences: Differences }

/**
 * Rebuilds read models beside the live ones from the start of the log, compares, swaps. Goes on where a cancelled or
 * interrupted rebuild of the same code version stopped. Needs a client with two connections of its own.
 */
export const rebuild = Effect.fn("rebuild")(function* (
  client: Client,
  readModels: ReadonlyArray<ReadModel>,
  report: (progress: RebuildReport) => Effect.Effect<boolean, SqlError>
) {
  const dropOld = Effect.forEach(
    readModels,
    (readModel) =>
      Effect.retry(
        attempt(() => dropOldGeneration(client, readModel)),
        { while: isInUse, schedule: dropRetries }
      ),
    { discard: true }
  )
  yield* dropOld
  const completed = yield* replay(yield* openNext(client, readModels), report)
  if (!completed) return { _tag: "Cancelled" } satisfies RebuildOutcome
  const applier = yield* openNext(client, readModels)
  yield* Effect.forEach(
    readModels,
    (readModel) => attempt(() => transact(client, (tx) => createIndexes(tx, readModel, "next"))),
    {
      discard: true
    }
  )
  yield* awaitLive(client, readModels, applier)
  const differences = yield* compare(client, readModels, applier)
  yield* swap(client, readModels, applier)
  yield* dropOld
  return { _tag: "Swapped", differences } satisfies RebuildOutcome
})
