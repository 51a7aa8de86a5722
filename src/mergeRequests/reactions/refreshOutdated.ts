import { Clock, Effect, FiberSet } from "effect"
import { handle } from "../../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { lead } from "../../platform/sql/leadership.ts"
import { FairQueue } from "../../platform/work/FairQueue.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import { mergeRequestStream } from "../ids.ts"
import { MergeRequestQueries, type Outdated } from "../Queries.ts"
import { refresh } from "./refresh.ts"

/** So many are refreshed at the same time, of one project half of them. Nobody waits, so each waits as long as it has to. */
const turns = { concurrency: 4, perCaller: 2, maxQueued: Number.POSITIVE_INFINITY, timeoutMillis: 2 ** 31 - 1 }
/** So many are taken at a time, of one project some of them, for whoever has thousands is not served before others. */
const batch = { limit: 100, perProject: 10 }
/** How long it rests when nothing is to be done. */
const restMillis = 1_000
/** What was refreshed is not taken again before read models tell so. */
const shownMillis = 500
const [minRetryMillis, maxRetryMillis] = [1_000, 300_000]

const reason = "Whether it can be merged could not be found out, which is tried again."

/** Refreshes what is outdated, for ever. */
const work = Effect.gen(function* () {
  const { outdated } = yield* MergeRequestQueries
  const places = new FairQueue(turns)
  const fibers = yield* FiberSet.make<void>()
  /** Until when, in milliseconds since 1970, one is not looked at; and how often it has failed. */
  const [waiting, failures] = [new Map<number, number>(), new Map<number, number>()]

  const wait = (id: number, millis: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      waiting.set(id, now + millis)
    })
  const fail = Effect.fnUntraced(function* ({ id, ...key }: Outdated, cause: unknown) {
    const tries = failures.get(id) ?? 0
    failures.set(id, tries + 1)
    yield* Effect.logWarning(`${mergeRequestStream(key)} could not be refreshed, which is tried again`, cause)
    yield* Effect.ignore(handle(mergeRequestAggregate, key, { _tag: "FailCheck", error: reason }))
    yield* wait(id, Math.min(maxRetryMillis, minRetryMillis * 2 ** tries))
  })
  const one = (it: Outdated) =>
    places.run({ caller: String(it.projectId) }, refresh(it)).pipe(
      Effect.andThen(Effect.sync(() => failures.delete(it.id))),
      Effect.andThen(wait(it.id, shownMillis)),
      Effect.catchCause((cause) => fail(it, cause))
    )

  for (;;) {
    const now = yield* Clock.currentTimeMillis
    for (const [id, until] of waiting) if (until <= now) waiting.delete(id)
    const found = yield* outdated({ ...batch, except: [...waiting.keys()] })
    for (const it of found) {
      waiting.set(it.id, Number.POSITIVE_INFINITY)
      yield* FiberSet.run(fibers, one(it))
    }
    yield* Effect.sleep(found.length < batch.limit ? restMillis : minRetryMillis / 10)
  }
}).pipe(Effect.scoped)

/**
 * Finds out what nobody knows of merge requests whose branches moved, for ever: in one process at a time. One that cannot be refreshed keeps
 * no other one waiting, and is tried again, after a longer time each time.
 */
export const refreshOutdated = Effect.provideService(
  lead({ name: "merge-request-refreshes", frozenAfter: 5 }, () => work),
  CurrentOrigin,
  systemOrigin("merge-requests")
)
