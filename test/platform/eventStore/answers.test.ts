import streams from "@eventstore/db-client/generated/streams_pb.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  checkpointOf,
  positionOf,
  readAnswer,
  recordedEvent,
  recordedTexts,
  truncatedBefore
} from "#src/platform/eventStore/eventStoreDb/answers.ts"
import { caughtUp, checkpoint, confirmation, eventResponse, streamNotFound } from "#test/support/eventStoreDbServer/messages.ts"

const utf8 = new TextEncoder()
const answer = (response: streams.ReadResp) => readAnswer(response.serializeBinary())

const metadata = { actor: "user:1", commandId: "c", correlationId: "d" }
const hash = "ab".repeat(32)
const storedMetadata = JSON.stringify({ metadata, schemaVersion: 3, at: 1_700_000_000_000, hash })

const stored = {
  id: "01a22694-5b65-72b6-a19e-30193f75bf9a",
  stream: "note-1",
  type: "NoteWritten",
  contentType: "application/json",
  revision: 7,
  position: 2 ** 40 + 3,
  data: utf8.encode('{"text":"Grüße, 世界 🌍"}'),
  metadata: utf8.encode(storedMetadata)
}

const event = {
  id: stored.id,
  stream: "note-1",
  type: "NoteWritten",
  schemaVersion: 3,
  revision: 7,
  position: 2 ** 40 + 3,
  at: 1_700_000_000_000,
  hash,
  data: { text: "Grüße, 世界 🌍" },
  metadata
}

describe("an answer of EventStoreDB", () => {
  it("is read as the classes of the protocol write it, whatever the event", () => {
    // A byte order mark in front is left out; no text of this service has one.
    const text = fc.string({ unit: "binary", maxLength: 40 }).map((it) => it.toWellFormed().replace(/^\uFEFF+/, ""))
    const number = fc.oneof(fc.nat(200), fc.maxSafeNat())
    const sent = fc.record({
      id: fc.uuid(),
      stream: text,
      type: text.filter((it) => it !== "$streamDeleted"),
      revision: number,
      position: number,
      data: text,
      metadata: text
    })
    fc.assert(
      fc.property(sent, ({ data, metadata, ...rest }) => {
        const bytes = { data: utf8.encode(data), metadata: utf8.encode(metadata), contentType: "application/json" }
        const read = answer(eventResponse({ ...rest, ...bytes }))
        expect(read).toEqual({ event: { ...rest, data, metadata, bytes: expect.any(Number) } })
        expect(read.event?.bytes).toBeGreaterThanOrEqual(bytes.data.length)
      })
    )
  })

  it("says that a stream is absent, that a subscription has caught up or how far it is, and nothing else", () => {
    expect(answer(streamNotFound("note-1"))).toEqual({ isAbsent: true })
    expect(answer(caughtUp())).toEqual({ isCaughtUp: true })
    expect(answer(confirmation())).toEqual({})
    expect(answer(new streams.ReadResp().setLastStreamPosition("12"))).toEqual({})
    expect(checkpointOf(answer(checkpoint(2 ** 52 + 1)))).toEqual({ commit: 2 ** 52 + 1, prepare: 2 ** 52 + 1 })
  })

  it("names no place before everything", () => {
    expect(checkpointOf(answer(checkpoint(-1)))).toBeUndefined()
  })

  it("has an event of this service, parsed or with its texts", () => {
    const { event: sent } = answer(eventResponse(stored))
    if (sent === undefined) throw new Error("there is no event")
    expect(recordedEvent(sent)).toEqual(event)
    const withTexts = recordedTexts(sent)
    expect(withTexts?.texts).toMatchObject({ data: '{"text":"Grüße, 世界 🌍"}', metadata: JSON.stringify(metadata) })
    const { data, metadata: own, ...rest } = event
    expect(withTexts).toMatchObject(rest)
    expect([withTexts?.data, withTexts?.metadata]).toEqual([data, own])
  })

  it("has the texts as they are stored, also where another writer has put them differently", () => {
    const textsOf = (text: string) => {
      const { event: sent } = answer(eventResponse({ ...stored, metadata: utf8.encode(text) }))
      return sent === undefined ? undefined : recordedTexts(sent)?.texts?.metadata
    }
    expect(textsOf(storedMetadata.replace('"user:1"', '"us\\u0065r:1"'))).toBe(
      '{"actor":"us\\u0065r:1","commandId":"c","correlationId":"d"}'
    )
    expect(textsOf(JSON.stringify(JSON.parse(storedMetadata), undefined, 1))).toBe(JSON.stringify(metadata))
  })

  it.each(["", "no JSON", "null", '{"metadata":{}}'])("has nothing of this service where another program wrote: %j", (text) => {
    const { event: sent } = answer(eventResponse({ ...stored, metadata: utf8.encode(text) }))
    if (sent === undefined) throw new Error("there is no event")
    expect([recordedEvent(sent), recordedTexts(sent), positionOf(sent)]).toEqual([undefined, undefined, stored.position])
  })

  it.each([
    ['{"$tb":5}', 5],
    ['{"$maxCount":5}', 0],
    ["", 0]
  ])("tells by the settings of a stream where it begins: %s", (settings, from) => {
    const { event: sent } = answer(eventResponse({ ...stored, data: utf8.encode(settings) }))
    expect(sent === undefined ? undefined : truncatedBefore(sent)).toBe(from)
  })

  it("is refused where a number is beyond what is exact", () => {
    const { event: sent } = answer(eventResponse({ ...stored, position: 2 ** 54 }))
    if (sent === undefined) throw new Error("there is no event")
    expect(() => recordedEvent(sent)).toThrow("EventStoreDB answered 18014398509481984, beyond 2^53")
  })
})
