import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Result, Stream } from "effect"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { newEvents, newStream } from "../eventStoreSamples.ts"
import { silence, storeOf, unavailability } from "./stores.ts"

type Store = EventStore["Service"]

const saysOf = (reason: string) => `The event store is unavailable: ${reason}`

export const unknownUser = saysOf("EventStoreDB does not know the user of EVENTSTORE_URL, or the password is wrong")
export const denied = saysOf(
  "EventStoreDB denies access: the user of EVENTSTORE_URL has to be one of $admins, or to be let read $all and write"
)

/** Whatever is asked of the store, it says this. */
export const assertUnavailable = Effect.fnUntraced(function* (store: Store, isMessage: (message: string) => boolean) {
  const calls = [store.append(newStream(), "noStream", newEvents(1)), store.read(newStream()), store.head, store.readAll(0, 1)]
  const all = [...calls, Stream.runDrain(store.subscribe(0))] as const
  const said = yield* Effect.all(
    all.map((call) => Effect.result(unavailability<unknown, unknown, never>(call))),
    { concurrency: "unbounded" }
  )
  assert.deepEqual(
    said.map(Result.getOrThrow).filter((message) => !isMessage(message)),
    []
  )
})

const withUser = (url: string, user: string) => url.replace(/\/\/(?:[^@/]*@)?/, `//${user}`)

export const hasUsers = (url: string): boolean => /\/\/[^@/]+@/.test(url)

/** Of a server with users and encryption: who is not let in, and who does not trust it. */
export const accessContract = (url: string): void => {
  const refused = [
    ["a wrong password", "admin:wrong@", unknownUser],
    ["a user that is not there", "nobody:wrong@", unknownUser],
    ["no user", "", denied]
  ] as const
  for (const [name, user, message] of refused) {
    it.live(`says that it has ${name}`, () =>
      Effect.flatMap(storeOf(withUser(url, user)), (store) => assertUnavailable(store, (said) => said === message)).pipe(
        Effect.provide(silence)
      )
    )
  }

  // The second user of a new server, who may do what is not for administrators.
  if (url.includes("//admin:changeit@")) {
    it.live("says that its user may not read the log", () =>
      Effect.gen(function* () {
        const store = yield* storeOf(withUser(url, "ops:changeit@"))
        assert.deepEqual(yield* store.read(newStream()), [])
        assert.strictEqual(yield* unavailability(store.head), denied)
        assert.strictEqual(yield* unavailability(store.append(newStream(), "noStream", newEvents(1))), denied)
      }).pipe(Effect.provide(silence))
    )
  }

  it.live("says that it does not trust the server's certificate", () =>
    Effect.gen(function* () {
      const store = yield* storeOf(url.replace(/[?&]tlsCAFile=[^&]*/i, ""))
      const said = yield* unavailability(store.head)
      assert.match(said, /certificate|Failed to discover/)
      const subscribing = yield* Effect.forkChild(Stream.runDrain(store.subscribe(0)))
      assert.match(yield* unavailability(store.read(newStream())), /certificate|Failed to discover/)
      yield* Fiber.interrupt(subscribing)
    }).pipe(Effect.provide(silence))
  )
}
