import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { makeStreamCache } from "#src/platform/eventStore/eventStoreDb/streamCache.ts"
import { emptyStream } from "#src/platform/eventStore/hashChain.ts"
import { recordedEvent } from "#test/support/recordedEvent.ts"

/** A log of one stream, of which each event has the letter as its id and hash. */
const logOf = (letters: string): ReadonlyArray<RecordedEvent> =>
  [...letters].map((letter, revision) => ({
    ...recordedEvent({ type: "Happened", schemaVersion: 1, data: {} }, "s"),
    id: letter,
    hash: letter.repeat(64),
    revision,
    position: revision + 1
  }))

describe("what is known of streams", () => {
  let log = logOf("")
  const known = makeStreamCache((_, from) => Effect.sync(() => log.slice(from)))
  const state = () => {
    const stream = known.peek("s")
    if (stream === undefined) return undefined
    const { appended, end } = stream
    return [end.revision, Buffer.from(end.hash).toString("hex").charAt(0), [...appended.keys()].join("")]
  }
  const refresh = () => Effect.runSync(known.refresh("s"))

  it("is nothing before the first read", () => {
    expect(state()).toBeUndefined()
    known.add("s", log, 1)
    expect(state()).toBeUndefined()
  })

  it("grows with what is read", () => {
    log = logOf("ab")
    refresh()
    expect(state()).toEqual([1, "b", "ab"])
    log = logOf("abcd")
    refresh()
    known.add("s", log.slice(1), 1)
    expect(state()).toEqual([3, "d", "abcd"])
  })

  it("takes in nothing behind a gap", () => {
    known.add("s", logOf("abcdef").slice(5), 5)
    expect(state()).toEqual([3, "d", "abcd"])
  })

  it("is what a whole read shows, also of a server that was restored", () => {
    known.add("s", logOf("ae"), 0)
    expect(state()).toEqual([1, "e", "ae"])
    known.add("s", [], 0)
    expect(state()).toEqual([-1, "0", ""])
    expect(known.peek("s")).toEqual({ appended: new Map(), end: emptyStream, position: 0 })
  })

  it("is read from its start when it was forgotten while what is new was read", () => {
    const froms: Array<number> = []
    const forgetful = makeStreamCache((_, from) =>
      Effect.sync(() => {
        froms.push(from)
        if (from > 0) forgetful.forget()
        return logOf("abc").slice(from)
      })
    )
    forgetful.add("s", logOf("ab"), 0)
    expect(Effect.runSync(forgetful.refresh("s")).end.revision).toBe(2)
    expect(froms).toEqual([2, 0])
  })
})
