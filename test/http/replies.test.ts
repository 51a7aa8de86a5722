import { Readable } from "node:stream"
import { Effect, Schema } from "effect"
import { expect, it } from "vitest"
import { JsonStream, noContent, type OtherReply, ok, page, RawBody, type Reply } from "#src/http/answer/Reply.ts"
import { endpoint, type Route, route, successesOf } from "#src/http/Endpoint.ts"

// What handlers may answer is a matter of types: `tsc` fails where a line below an expected error has none.

const text = Schema.String
const Part = Schema.Struct({ size: Schema.Int, kind: Schema.Literals(["a", "b"]) })
const Thing = Schema.Struct({
  id: Schema.Int,
  name: Schema.NullOr(text),
  part: Part,
  note: Schema.optionalKey(text)
})
const Detailed = Schema.Struct({ ...Thing.fields, details: Schema.Array(Part) })

const common = { area: "clusters", method: "GET", path: "/a", summary: "", access: "anyone", parameters: {} } as const
const one = endpoint({ ...common, name: "one", success: { status: 200, body: Thing } })
const list = endpoint({ ...common, name: "list", success: { status: 200, body: Schema.Array(Schema.Union([Thing, Detailed])) } })
const free = endpoint({ ...common, name: "free", success: { status: 200, body: Schema.Record(text, text) } })
const nothing = endpoint({ ...common, name: "nothing", success: { status: 204 } })
const bytes = endpoint({ ...common, name: "bytes", success: { status: 200, raw: ["text/plain"] } })
const large = endpoint({ ...common, name: "large", success: { status: 200, body: Part, mayStream: true } })
const several = endpoint({
  ...common,
  name: "several",
  success: { status: 201, body: Thing },
  otherSuccesses: [{ status: 200, body: Schema.Struct({ tried: Schema.Literal(true) }) }, { status: 304 }]
})

const part = { size: 1, kind: "a" } as const
const thing = { id: 1, name: null, part }
const detailed = { ...thing, details: [part] }
const answered = Effect.succeed
const joined = ({ run }: Route<unknown>) => expect(run).toBeTypeOf("function")

it("a body has the keys of its contract, of the kinds that it says", () => {
  joined(route(one, () => answered(ok(thing))))
  joined(route(one, () => answered(ok({ ...thing, note: "" }))))
  joined(route(one, () => answered(ok({ id: 1, name: "a", part: { size: 1, kind: "b" } }))))
  joined(route(one, () => Effect.map(answered(thing), ok)))
  // @ts-expect-error: nonsense
  joined(route(one, () => answered(ok({ nonsense: true }))))
  // @ts-expect-error: `part` is missing
  joined(route(one, () => answered(ok({ id: 1, name: null }))))
  // @ts-expect-error: a text for a number
  joined(route(one, () => answered(ok({ ...thing, id: "1" }))))
  // @ts-expect-error: null for what is never null
  joined(route(one, () => answered(ok({ ...thing, id: null }))))
  // @ts-expect-error: a text that is none of the two, further in
  joined(route(one, () => answered(ok({ ...thing, part: { size: 1, kind: "c" } }))))
  // @ts-expect-error: a `Date` is a text only when it is sent
  joined(route(one, () => answered(ok({ ...thing, name: new Date(0) }))))
  // @ts-expect-error: a list for a single one
  joined(route(one, () => answered(page([thing], 1))))
  // @ts-expect-error: a body of which nobody says anything
  joined(route(one, () => answered(ok(JSON.parse("{}")))))
})

it("the same holds in handlers that are generators", () => {
  joined(
    route(
      free,
      Effect.fnUntraced(function* () {
        return ok({ a: yield* answered("") })
      })
    )
  )
  joined(
    route(
      free,
      // @ts-expect-error: a number for a text
      Effect.fnUntraced(function* () {
        return ok({ a: yield* answered(1) })
      })
    )
  )
})

it("a body has no keys besides, wherever it comes from", () => {
  // @ts-expect-error: as a literal
  joined(route(one, () => answered(ok({ id: 1, name: null, part, secret: "" }))))
  // @ts-expect-error: from elsewhere
  joined(route(one, () => answered(ok(detailed))))
  // @ts-expect-error: further in
  joined(route(one, () => answered(ok({ ...thing, part: { ...part, secret: "" } }))))
  const sometimes: typeof Thing.Type & { readonly secret?: string } = thing
  // @ts-expect-error: sometimes
  joined(route(one, () => answered(ok(sometimes))))
})

it("lists are of what the contract lists, each entry of one of its shapes", () => {
  joined(route(list, () => answered(page([thing, detailed], 2))))
  joined(route(list, () => answered(page([], 0))))
  joined(route(list, () => answered({ body: [detailed], next: { id_after: 1 } })))
  // @ts-expect-error: an entry without its keys
  joined(route(list, () => answered(page([{ id: 1 }], 1))))
  // @ts-expect-error: a key that neither shape has
  joined(route(list, () => answered(page([thing, { ...detailed, secret: "" }], 2))))
  // @ts-expect-error: a part of the other shape, further in
  joined(route(list, () => answered(page([{ ...detailed, details: [{ ...part, secret: "" }] }], 1))))
  // @ts-expect-error: a single one for a list
  joined(route(list, () => answered(ok(thing))))
})

it("there is a body where one is declared, and none where none is", () => {
  joined(route(nothing, () => answered(noContent)))
  // @ts-expect-error: a body with 204
  joined(route(nothing, () => answered(ok(thing))))
  // @ts-expect-error: null is a body
  joined(route(nothing, () => answered(ok(null))))
  // @ts-expect-error: none with 200
  joined(route(one, () => answered(noContent)))
  // @ts-expect-error: no body at all
  joined(route(one, () => answered({})))
})

it("bytes are sent where they are declared", () => {
  const raw = new RawBody("text/plain", Buffer.from("a"))
  joined(route(bytes, () => answered(ok(raw))))
  // @ts-expect-error: JSON for bytes
  joined(route(bytes, () => answered(ok(thing))))
  // @ts-expect-error: bytes for JSON
  joined(route(one, () => answered(ok(raw))))
  joined(route(large, () => answered(ok(part))))
  joined(route(large, () => answered(ok(new JsonStream<typeof part>(Readable.from([]))))))
  // @ts-expect-error: the JSON of something else
  joined(route(large, () => answered(ok(new JsonStream<typeof thing>(Readable.from([]))))))
  // @ts-expect-error: JSON with a key besides
  joined(route(large, () => answered(ok(new JsonStream<typeof part & { readonly secret: string }>(Readable.from([]))))))
})

it("another status is declared, and has the body that is declared for it", () => {
  const tried: OtherReply<200, { readonly tried: true }> = { status: 200, body: { tried: true } }
  const unchanged: OtherReply<304, undefined> = { status: 304, body: undefined }
  const made: Reply<typeof thing> = ok(thing)
  joined(route(several, () => answered(ok(thing))))
  joined(route(several, () => answered<typeof made | typeof tried>(made)))
  joined(route(several, () => answered(unchanged)))
  // @ts-expect-error: the body of the other status
  joined(route(several, () => answered(ok({ tried: true }))))
  // @ts-expect-error: the body of the usual one
  joined(route(several, () => answered({ status: 200, body: thing } satisfies OtherReply<200, typeof thing>)))
  // @ts-expect-error: a body with 304
  joined(route(several, () => answered({ status: 304, body: thing } satisfies OtherReply<304, typeof thing>)))
  // @ts-expect-error: a status that is not declared
  joined(route(several, () => answered({ status: 202, body: thing } satisfies OtherReply<202, typeof thing>)))
  // @ts-expect-error: one that declares no other
  joined(route(one, () => answered(unchanged)))
  expect(successesOf(several).map(({ status }) => status)).toEqual([201, 200, 304])
})

it("contracts declare what JSON can hold, with a status that fits", () => {
  const declared = [
    // @ts-expect-error: undefined is no JSON
    endpoint({ ...common, name: "a", success: { status: 200, body: Schema.UndefinedOr(text) } }),
    // @ts-expect-error: the wire would have a text
    endpoint({ ...common, name: "b", success: { status: 200, body: Schema.Struct({ at: Schema.Date }) } }),
    // @ts-expect-error: nothing is known of it
    endpoint({ ...common, name: "c", success: { status: 200, body: Schema.Unknown } }),
    // @ts-expect-error: a body with 204
    endpoint({ ...common, name: "d", success: { status: 204, body: Thing } }),
    // @ts-expect-error: no body with 201
    endpoint({ ...common, name: "e", success: { status: 201 } })
  ]
  expect(declared.length).toBe(5)
})
