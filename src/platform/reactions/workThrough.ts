import { type Cause, Clock, Effect, FiberSet, Queue } from "effect"
import { OnAppended } from "../Origin.ts"
import { Projections } from "../Projections.ts"
import { CurrentWork } from "../work/CurrentWork.ts"
import { FairQueue, type Turn } from "../work/FairQueue.ts"

/**
 * So many are done at the same time, of one caller or subject few of them, so that several who are slow keep nobody else. Most of them wait for the
 * places of what they do, which have shares of their own. Nobody waits for an answer, so each waits as long as it has to.
 */
const defaultTurns = {
  concurrency: 12,
  perCaller: 2,
  perSubject: 3,
  maxQueued: Number.POSITIVE_INFINITY,
  timeoutMillis: 2 ** 31 - 1
}
/** So many are taken at a time. */
const batch = 100
/** How long it rests, at least, and at most when nothing is to be done: what becomes due because of time alone is told by nobody. */
const [minRestMillis, maxRestMillis] = [200, 1_000]
/** So many times as long as it looks it rests, up to the most: to look through much that is due takes a tenth of the time, as long as it takes a tenth of a second. */
const restsPerLook = 9
/** What was done is not taken again for so long: what it depends on may change many times a second. */
const doneMillis = 500
const [minRetryMillis, maxRetryMillis] = [1_000, 300_000]

/** What is known of those that are due already, and how many more are wanted. */
export interface DueQuery {
  /** The ids of those that are being done, which count as some of their owner's. */
  readonly running: ReadonlyArray<number>
  /** The ids of those that wait for their next try. */
  readonly waiting: ReadonlyArray<number>
  readonly limit: number
}

/** What is known of one that was done, or has failed. */
interface Rest {
  /** Until when, in milliseconds since 1970, it is not looked at. */
  readonly until: number
  /** How often it has failed since it was done last. */
  readonly tries: number
}

interface Work<Item extends { readonly id: number }, R> {
  /** How many are done at the same time, and of one caller. The default is twelve and two. */
  readonly turns?: { readonly concurrency: number; readonly perCaller: number }
  /** Some of those that are due: of all owners in turn. */
  readonly due: (query: DueQuery) => Effect.Effect<ReadonlyArray<Item>>
  /** On whose behalf it is done, such as `user:7`, and on what. */
  readonly turnOf: (item: Item) => Turn
  /** Is called at least once for each: a second time after a crash, or by two processes at once. */
  readonly perform: (item: Item) => Effect.Effect<void, unknown, R>
  /** Is told how often it has failed, this time included, before it is tried again. */
  readonly onFailure: (item: Item, tries: number, cause: Cause.Cause<unknown>) => Effect.Effect<void, never, R>
}

/**
 * Does what is due, for ever. One that fails keeps no other one waiting, and is tried again after a longer time each time, until it is
 * not due any more.
 */
export const workThrough = <Item extends { readonly id: number }, R>({ due, onFailure, perform, turnOf, turns }: Work<Item, R>) =>
  Effect.gen(function* () {
    const places = new FairQueue({ ...defaultTurns, ...turns })
    const fibers = yield* FiberSet.make<void>()
    const running = new Set<number>()
    const rests = new Map<number, Rest>()
    /** Is told when read models show what became of one, as far as somebody waits for them. */
    const shown = yield* Queue.sliding<void>(1)
    const { awaitBeyond, awaitPosition, position } = yield* Projections

    const rest = (id: number, tries: number, millis: number) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        rests.set(id, { tries, until: now + millis })
        running.delete(id)
      })
    const fail = Effect.fnUntraced(function* (item: Item, cause: Cause.Cause<unknown>) {
      const tries = (rests.get(item.id)?.tries ?? 0) + 1
      const next = rest(item.id, tries, Math.min(maxRetryMillis, minRetryMillis * 2 ** (tries - 1)))
      yield* Effect.ensuring(onFailure(item, tries, cause), next)
    })
    /** The position of the last event that came of it; 0 for none. */
    const performed = Effect.fnUntraced(function* (item: Item, { caller }: Turn) {
      let last = 0
      yield* perform(item).pipe(
        Effect.provideService(CurrentWork, { class: "background", caller }),
        Effect.provideService(OnAppended, (appended) => {
          last = Math.max(last, appended)
        })
      )
      return last
    })
    /** It is not taken again before read models show what it has changed, or have not come to that for ten seconds. */
    const one = (item: Item) => {
      const turn = turnOf(item)
      return places.run(turn, performed(item, turn)).pipe(
        Effect.flatMap((last) => Effect.ignore(awaitPosition(last))),
        Effect.andThen(rest(item.id, 0, doneMillis)),
        Effect.catchCause((cause) => fail(item, cause)),
        Effect.andThen(Queue.offer(shown, undefined))
      )
    }
    /** Those that wait for their next try. What has not come back long after that is not due any more, and forgotten. */
    const waitingAt = (now: number): ReadonlyArray<number> => {
      for (const [id, { tries, until }] of rests)
        if (!running.has(id) && until + (tries === 0 ? 0 : maxRetryMillis) <= now) rests.delete(id)
      return [...rests].flatMap(([id, { until }]) => (until > now ? [id] : []))
    }

    /** When it looks again where nothing new becomes due: as soon as one of those that rested at the last look may be taken. */
    const nextLook = (last: number): number => {
      let next = last + maxRestMillis
      for (const [id, { until }] of rests) if (until > last && !running.has(id)) next = Math.min(next, until)
      return next
    }

    for (;;) {
      yield* Queue.clear(shown)
      const seen = yield* position
      const start = yield* Clock.currentTimeMillis
      const waiting = waitingAt(start)
      const found = yield* due({ running: [...running], waiting, limit: batch })
      for (const item of found) {
        running.add(item.id)
        yield* FiberSet.run(fibers, one(item))
      }
      const end = yield* Clock.currentTimeMillis
      yield* Effect.sleep(Math.max(minRestMillis, Math.min(maxRestMillis, restsPerLook * (end - start))))
      if (found.length === batch) continue
      const news = Effect.raceFirst(awaitBeyond(seen), Queue.take(shown))
      const millis = nextLook(start) - (yield* Clock.currentTimeMillis)
      if (millis > 0) yield* Effect.timeoutOption(news, millis)
    }
  }).pipe(Effect.scoped)
