import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { AppendTooLarge, type EventStore, type NewEvent, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { maxAppendBytes } from "#src/platform/eventStore/eventStoreDb/append.ts"
import { sealedAppend } from "#src/platform/eventStore/eventStoreDb/protocol.ts"
import { chainEvents, emptyStream } from "#src/platform/eventStore/hashChain.ts"
import type { LogServer } from "#test/support/eventStoreDbServer/LogServer.ts"
import { ids, newEvent, newStream } from "../eventStoreSamples.ts"
import { storeOf } from "./stores.ts"

/** What the server counts of these events, whatever their stream is called. */
const countedBytes = (events: ReadonlyArray<NewEvent>) =>
  sealedAppend("", -1, chainEvents("", emptyStream, Date.now(), events)).bytes

/** Events that take exactly so many bytes together. */
const eventsOf = (bytes: number): ReadonlyArray<NewEvent> => {
  const half = newEvent({ text: "ä".repeat(bytes / 4) }, "Übergroß")
  const rest = newEvent({ text: "" }, "Rest")
  const missing = bytes - countedBytes([half, rest])
  return [half, { ...rest, data: { text: "x".repeat(missing) } }]
}

/** An event that takes exactly so many bytes. */
const singleOf = (bytes: number): NewEvent => {
  const event = newEvent({ text: "" })
  return { ...event, data: { text: "y".repeat(bytes - countedBytes([event])) } }
}

/** The log behind a position, as it is read in pages. */
const pagesBehind = Effect.fnUntraced(function* (store: EventStore["Service"], start: number) {
  const pages: Array<ReadonlyArray<RecordedEvent>> = []
  let after: number | undefined = start
  while (after !== undefined) {
    const page: ReadonlyArray<RecordedEvent> = yield* store.readAll(after, 10)
    if (page.length > 0) pages.push(page)
    after = page.at(-1)?.position
  }
  return pages
})

export const sizeContract = (server: LogServer): void => {
  it.live("takes an append of exactly the limit, gives it back in pages that fit, and refuses one more byte", () =>
    Effect.gen(function* () {
      const store = yield* storeOf(server.url)
      const start = yield* store.head
      const stream = newStream()
      const [largest, larger] = [eventsOf(maxAppendBytes), eventsOf(maxAppendBytes + 1)]
      const refused = yield* Effect.flip(store.append(stream, "noStream", larger))
      assert.deepEqual(refused, new AppendTooLarge({ stream, bytes: maxAppendBytes + 1, limit: maxAppendBytes }))
      assert.deepEqual(yield* store.read(stream), [])
      assert.strictEqual((yield* store.append(stream, "noStream", largest)).revision, 1)
      const singles = Array.from({ length: 3 }, () => singleOf(maxAppendBytes))
      for (const [index, single] of singles.entries()) {
        assert.strictEqual((yield* store.append(stream, index + 1, [single])).revision, index + 2)
      }
      const all = [...largest, ...singles]
      assert.deepEqual(ids(yield* store.read(stream)), ids(all))
      const pages = yield* pagesBehind(store, start)
      assert.deepEqual(ids(pages.flat()), ids(all))
      assert.strictEqual(pages.length, 2)
      // Compared by identity of text: a deep comparison would print them when it fails.
      assert.isTrue(pages.flat().every(({ data }, index) => JSON.stringify(data) === JSON.stringify(all[index]?.data)))
    })
  )
}
