import { assert, it } from "@effect/vitest"
import { jsonEvent } from "@eventstore/db-client"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { scopedConnection } from "#src/platform/eventStore/eventStoreDb/connection.ts"
import { makeSubscribe } from "#src/platform/eventStore/eventStoreDb/subscribe.ts"
import { connect } from "#src/platform/eventStore/eventStoreDb/url.ts"
import type { LogServer, Relay } from "#test/support/eventStoreDbServer/LogServer.ts"
import { ids, newEvents, newStream } from "../eventStoreSamples.ts"
import { operatorAt, storeOf } from "./stores.ts"

/** Subscriptions of a connection of their own, and the places in the log at which their calls began. */
const notedSubscribe = Effect.fnUntraced(function* (url: string) {
  const connection = yield* scopedConnection(yield* connect(Redacted.make(url)), () => {})
  const places: Array<number> = []
  const subscribe = makeSubscribe(
    {
      ...connection,
      open: (request, on) => {
        places.push(Number(request.getOptions()?.getAll()?.getPosition()?.getCommitPosition() ?? 0))
        return connection.open(request, on)
      }
    },
    Effect.succeed(0)
  )
  return { places, subscribe }
})

export const checkpointContract = (server: LogServer, relay: Relay): void => {
  it.live("goes on from its checkpoint after connections drop, and does not look through the server's own events again", () =>
    Effect.gen(function* () {
      const store = yield* storeOf(server.url)
      const operator = yield* operatorAt(server.directUrl)
      const start = yield* store.head
      const [past, live] = [newEvents(2), newEvents(1)]
      const { position } = yield* store.append(newStream(), "noStream", past)
      const noise = Array.from({ length: 500 }, (_, index) => jsonEvent({ type: "Noise", data: { index } }))
      for (let batch = 0; batch < 5; batch++) {
        const fresh = noise.map((event) => ({ ...event, id: crypto.randomUUID() }))
        yield* Effect.promise(() => operator.appendToStream(`$noise-${newStream()}`, fresh))
      }
      const { places, subscribe } = yield* notedSubscribe(server.url)
      const heard: Array<string> = []
      const listening = yield* Effect.forkChild(
        subscribe(start).pipe(
          Stream.tap((item) => {
            if (item._tag === "Events") heard.push(...ids(item.events))
            else relay.drop()
            return item._tag === "Events" ? Effect.void : Effect.orDie(store.append(newStream(), "noStream", live))
          }),
          Stream.takeUntil(() => heard.length === 3),
          Stream.runDrain
        )
      )
      yield* Fiber.join(listening)
      assert.deepEqual(heard, ids([...past, ...live]))
      assert.strictEqual(places[0], start)
      assert.isAbove(places.at(-1) ?? 0, position)
    })
  )

  it.live("subscribes from the very start", () =>
    Effect.gen(function* () {
      const store = yield* storeOf(server.url)
      yield* store.append(newStream(), "noStream", newEvents(1))
      const [first] = yield* store.readAll(0, 1)
      const items = yield* Stream.runCollect(Stream.take(store.subscribe(0), 1))
      assert.deepEqual(items.flatMap((item) => (item._tag === "Events" ? item.events : [])).at(0), first)
    })
  )
}
