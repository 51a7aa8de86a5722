import { assert, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { type Append, EventStore, EventStoreUnavailable } from "#src/platform/eventStore/EventStore.ts"
import type { LogServer, ServerControl } from "#test/support/eventStoreDbServer/LogServer.ts"
import { newEvents, newStream } from "../eventStoreSamples.ts"
import { assertSameAsLog, listen } from "../eventStoreSubscriptions.ts"
import { silence, storeOf } from "./stores.ts"

const writers = 8
const appendsEach = 150

const isUnavailable = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof EventStoreUnavailable

/** An append that is made again for as long as the store is unavailable, and how often it was. */
const persistent = (append: Append) =>
  Effect.fnUntraced(function* (...args: Parameters<Append>) {
    let failures = 0
    for (;;) {
      const exit = yield* Effect.exit(append(...args))
      if (!isUnavailable(exit)) {
        yield* exit
        return failures
      }
      failures += 1
    }
  })

/** Writes to a stream of its own, one append after the other. `on` is told of each. */
const write = (on: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const append = persistent((yield* EventStore).append)
    const stream = newStream()
    let failures = 0
    for (let index = 0; index < appendsEach; index++) {
      failures += yield* append(stream, index === 0 ? "noStream" : index * 2 - 1, newEvents(2))
      yield* on
    }
    return failures
  })

/** Runs writers and a subscriber, and `disturb` when a third is written; how many appends had to be made again. */
const written = (disturb: () => Promise<void>) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const start = yield* store.head
    const count = writers * appendsEach * 2
    const listening = yield* Effect.forkChild(listen(start, count))
    const isTime = yield* Deferred.make<void>()
    let appends = 0
    const note = Effect.suspend(() => {
      appends += 1
      return appends === (writers * appendsEach) / 3 ? Deferred.done(isTime, Exit.void) : Effect.void
    })
    const writing = Effect.all(
      Array.from({ length: writers }, () => write(note)),
      { concurrency: "unbounded" }
    )
    const disturbing = Effect.andThen(
      Deferred.await(isTime),
      Effect.promise(() => disturb())
    )
    const [failures] = yield* Effect.all([writing, disturbing], { concurrency: "unbounded" })
    yield* assertSameAsLog(yield* Fiber.join(listening), start, count)
    return failures.reduce((sum, each) => sum + each, 0)
  })

export const restartContract = (server: LogServer, control: ServerControl): void => {
  const test = (name: string, body: Effect.Effect<void, unknown, EventStore>) =>
    it.live(name, () =>
      Effect.flatMap(storeOf(server.url), (store) => Effect.provideService(body, EventStore, store)).pipe(Effect.provide(silence))
    )

  test(
    "loses and doubles nothing when the server is killed and started again in the middle of 8 writers",
    written(async () => {
      const start = await control.kill()
      await start()
    })
  )

  if (control.hasFollowers) {
    test(
      "elects another leader in the middle of 8 writers, who notice nothing but the time it takes",
      Effect.gen(function* () {
        let start = async () => {}
        const failures = yield* written(async () => {
          start = await control.kill()
        })
        yield* Effect.promise(() => start())
        assert.strictEqual(failures, 0)
      })
    )
  }
}
