import { Cause, Clock, Effect, FiberSet, Schedule } from "effect"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { nextId, nextIds } from "../../platform/Ids.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { Projections } from "../../platform/Projections.ts"
import { lead } from "../../platform/sql/leadership.ts"
import { FairQueue } from "../../platform/work/FairQueue.ts"
import { type DueSchedule, ScheduleQueries, type StartedSlot } from "../Queries.ts"
import type { MissedPolicy } from "../slots/missed.ts"
import { makeAuthorities } from "./authorities.ts"
import { abandonSlot, type Begun, finishSlot, makePipelines } from "./makePipelines.ts"
import { startDue } from "./startDue.ts"

export interface Firing {
  readonly policy: MissedPolicy
  /** Links begin with it. */
  readonly serverUrl: string
}

/** So many schedules are looked at in one go, so many start at the same time, and of so many pipelines are made. */
const [batch, starts, concurrency] = [1_000, 64, 128]
/** Nobody waits for an answer, so each waits as long as it has to. */
const unboundedQueue = { maxQueued: Number.POSITIVE_INFINITY, timeoutMillis: 2 ** 31 - 1 }
/** So many are finished at a time that a scheduler before has left. */
const finishes = 8
/** The scheduler looks at least this often, so that no clock that is set, and no change, keeps it asleep. */
const maxSleepMillis = 1_000
/** A schedule at which the service failed is tried again after this time. */
const retryMillis = 30_000
/** A slot that fails for so long is given up. */
const maxAgeMillis = 24 * 3_600_000

/** The schedules that are not tried for now, with the time until when. */
export type Delayed = Map<number, number>

const stillDelayed = (delayed: Delayed, now: number): ReadonlyArray<number> => {
  for (const [id, until] of delayed) if (until <= now) delayed.delete(id)
  return [...delayed.keys()]
}

/** Whether read models show anything that is due: where they do not, nobody has to wait until they show more. */
const isAnyDue = Effect.fnUntraced(function* (delayed: Delayed) {
  const now = yield* Clock.currentTimeMillis
  const rows = yield* ScheduleQueries.use(({ due }) => due(now, 1, stillDelayed(delayed, now)))
  return rows.length > 0
})

/** One that fails keeps no other from running. */
const failing = Effect.fnUntraced(function* (what: string, cause: Cause.Cause<unknown>) {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
  yield* Effect.logWarning(`${what} could not run, which is tried again`, cause)
})

/** Makes the pipelines of what was started. */
export const make = (begun: Begun, firing: Firing) =>
  Effect.catchCause(makePipelines(begun, firing.serverUrl), (cause) => failing(`A slot of schedule ${begun.scheduleId}`, cause))

/** Hands out ids of pipelines one by one that were taken in one go, and others behind them. */
const takePipelineIds = Effect.fnUntraced(function* (count: number) {
  const ids = [...(yield* nextIds("pipeline", count))]
  return Effect.suspend(() => {
    const id = ids.shift()
    return id === undefined ? nextId("pipeline") : Effect.succeed(id)
  })
})

/** Waits until read models show what has happened: what has run would be found due again, and be taken for missed. */
const shown = Effect.gen(function* () {
  const projections = yield* Projections
  yield* projections.awaitPosition(yield* EventStore.use((store) => store.head))
})

/** Starts what is due; answers it, and whether there may be more. */
export const startRound = Effect.fnUntraced(function* (firing: Firing, delayed: Delayed) {
  const queries = yield* ScheduleQueries
  yield* shown
  const now = yield* Clock.currentTimeMillis
  const rows = yield* queries.due(now, batch, stillDelayed(delayed, now))
  if (rows.length === 0) return { begun: [], hasMore: false }
  const round = {
    policy: firing.policy,
    authorityOf: yield* makeAuthorities,
    takePipelineId: yield* takePipelineIds(rows.filter((row) => !row.is_stale).length)
  }
  const startOne = (row: DueSchedule) =>
    Effect.catchCause(startDue(row, round), (cause) => {
      delayed.set(row.id, now + retryMillis)
      return Effect.as(failing(`Schedule ${row.id}`, cause), undefined)
    })
  const started = yield* Effect.forEach(rows, startOne, { concurrency: starts })
  return { begun: started.filter((one) => one !== undefined), hasMore: rows.length >= batch }
})

const keyOf = ({ at, scheduleId }: StartedSlot): string => `${scheduleId} ${at}`

/** Ends what was started and left, by this scheduler or one before: not what still has its turn here. */
const finishStarted = Effect.fnUntraced(function* (firing: Firing, waiting: ReadonlySet<string>) {
  const before = yield* Clock.currentTimeMillis
  yield* shown
  const finish = (slot: StartedSlot) =>
    Effect.catchCause(finishSlot(slot, firing.serverUrl), (cause) =>
      Effect.andThen(
        failing(`A slot of schedule ${slot.scheduleId}`, cause),
        before - slot.at > maxAgeMillis ? abandonSlot(slot) : Effect.void
      )
    )
  // A page behind the last one, for slots that fail stay where they are.
  for (let last: StartedSlot | undefined, hasMore = true; hasMore; ) {
    const slots: ReadonlyArray<StartedSlot> = yield* ScheduleQueries.use(({ unfinished }) => unfinished(before, batch, last))
    const left = slots.filter((slot) => !waiting.has(keyOf(slot)))
    yield* Effect.forEach(left, finish, { concurrency: finishes, discard: true })
    last = slots.at(-1)
    hasMore = slots.length === batch
  }
})

/** The time until something is due that was not when it was looked last: what became due since then waits for nothing. */
export const untilNext = Effect.fnUntraced(function* (lookedAt: number) {
  const next = yield* ScheduleQueries.use(({ nextDue }) => nextDue(lookedAt))
  const now = yield* Clock.currentTimeMillis
  return Math.max(0, Math.min(maxSleepMillis, (next ?? Number.POSITIVE_INFINITY) - now))
})

const work = Effect.fnUntraced(function* (firing: Firing) {
  const delayed: Delayed = new Map()
  const fibers = yield* FiberSet.make<void>()
  // Half of the places are for others than any one owner, whose configurations may take long.
  const places = new FairQueue({ ...unboundedQueue, concurrency, perCaller: concurrency / 2 })
  /** The slots whose pipelines have their turn here. */
  const waiting = new Set<string>()
  const makeInTurn = (begun: Begun) => {
    const keys = begun.slots.map(keyOf)
    for (const key of keys) waiting.add(key)
    const done = Effect.sync(() => {
      for (const key of keys) waiting.delete(key)
    })
    const turn = { caller: `user:${begun.authority.owner.id}` }
    return Effect.ensuring(Effect.orDie(places.run(turn, make(begun, firing))), done)
  }
  // Pipelines follow on their own, so that nothing that is due waits for one that takes long.
  const round = Effect.gen(function* () {
    if (!(yield* isAnyDue(delayed))) return false
    const { begun, hasMore } = yield* startRound(firing, delayed)
    for (const each of begun) yield* FiberSet.run(fibers, makeInTurn(each))
    return hasMore
  })
  const finishing = Effect.suspend(() => finishStarted(firing, waiting)).pipe(
    Effect.catchCause((cause) => failing("What was started", cause)),
    Effect.repeat(Schedule.spaced(retryMillis)),
    Effect.asVoid
  )
  yield* FiberSet.run(fibers, finishing)
  for (;;) {
    const lookedAt = yield* Clock.currentTimeMillis
    const hasMore = yield* Effect.catchTag(round, "NotYetVisible", () => Effect.succeed(false))
    if (!hasMore) yield* Effect.sleep(yield* untilNext(lookedAt))
  }
})

/**
 * Lets schedules run when they are due, for ever: in one process at a time, which another replaces within seconds when it stands still.
 * When such a one wakes, each slot that others took in the meantime is theirs, and it plans nothing behind it.
 */
export const runScheduler = (firing: Firing) =>
  Effect.provideService(
    lead({ name: "scheduler", frozenAfter: 3 }, () => work(firing)),
    CurrentOrigin,
    systemOrigin("scheduler")
  )
