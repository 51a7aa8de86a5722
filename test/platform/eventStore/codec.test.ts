import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"

const Event = Schema.TaggedUnion({ Renamed: { first: Schema.String, last: Schema.String }, Closed: {} })

/** Version 1 knew one name, version 2 called the second one `family`. */
const codec = eventCodec(Event, {
  Renamed: [
    (data) => {
      const [first = "", family = ""] = String(Reflect.get(Object(data), "name")).split(" ")
      return { first, family }
    },
    (data) => ({ first: Reflect.get(Object(data), "first"), last: Reflect.get(Object(data), "family") })
  ]
})

const recorded = (type: string, schemaVersion: number, data: unknown): RecordedEvent => ({
  stream: "person-1",
  revision: 3,
  position: 9,
  at: 0,
  hash: "",
  id: "0",
  type,
  schemaVersion,
  data,
  metadata: { actor: "system:test", commandId: "c", correlationId: "c" }
})

const ada = { _tag: "Renamed", first: "Ada", last: "Lovelace" } as const

describe("an event codec", () => {
  it("stores the tag as type, the rest as data, and the current version", () => {
    expect(codec.encode(ada)).toEqual({ type: "Renamed", schemaVersion: 3, data: { first: "Ada", last: "Lovelace" } })
    expect(codec.encode({ _tag: "Closed" })).toEqual({ type: "Closed", schemaVersion: 1, data: {} })
    expect(codec.types).toEqual(new Set(["Renamed", "Closed"]))
  })

  it.each([
    [1, { name: "Ada Lovelace" }],
    [2, { first: "Ada", family: "Lovelace" }],
    [3, { first: "Ada", last: "Lovelace" }]
  ])("reads version %i", (version, data) => {
    expect(codec.decode(recorded("Renamed", version, data))).toEqual(Result.succeed(ada))
  })

  it.each([
    ["Unknown", 1, {}, "person-1 revision 3 (Unknown): unknown type"],
    ["Renamed", 4, {}, "person-1 revision 3 (Renamed): version 4 is newer than this code"],
    ["Closed", 1, null, "person-1 revision 3 (Closed): data is no object"]
  ])("refuses %s of version %i with %j", (type, version, data, message) => {
    expect(codec.decode(recorded(type, version, data))).toMatchObject({ _tag: "Failure", failure: { message } })
  })

  it("refuses data that does not fit the schema, and an upcaster that stumbles over it", () => {
    expect(codec.decode(recorded("Renamed", 3, { first: 1 }))).toMatchObject({ _tag: "Failure" })
    const stumbling = eventCodec(Event, {
      Closed: [
        () => {
          throw new Error("stumbled")
        }
      ]
    })
    expect(stumbling.decode(recorded("Closed", 1, {}))).toMatchObject({
      _tag: "Failure",
      failure: { message: "person-1 revision 3 (Closed): stumbled" }
    })
  })
})
