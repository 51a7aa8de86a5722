import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { RawParameters } from "#src/http/parameters/rawParameters.ts"
import { type BodyParts, mergeParameters, parseBody } from "#src/http/request/mergeParameters.ts"
import { parseQuery } from "#src/http/request/queryString.ts"

const json = "application/json"
const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=xx"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const part = (name: string, value: string, more = ""): string =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

interface Sent {
  readonly path?: RawParameters
  readonly query?: string
  readonly contentType?: string | undefined
  readonly contentEncoding?: string
  readonly body?: string | Uint8Array
}

const parsedBody = ({ body = "", contentEncoding, contentType }: Sent) => {
  const parts: BodyParts = { contentType, contentEncoding, body: typeof body === "string" ? bytes(body) : body.slice() }
  const work = parseBody(parts)
  let pauses = 0
  for (let step = work.next(); ; step = work.next(), pauses++) if (step.done) return { parsed: step.value, pauses }
}

const fold = (sent: Sent) =>
  Result.flatMap(parseQuery(sent.query ?? ""), (query) =>
    Result.map(parsedBody(sent).parsed, (body) => mergeParameters({ path: sent.path ?? {}, query, body }))
  )

/** Parameters as plain objects, or the answer of the refusal. */
const outcome = (parts: Parameters<typeof fold>[0]): unknown =>
  Result.match(fold(parts), {
    onSuccess: (raw) => JSON.parse(JSON.stringify(raw)),
    onFailure: ({ status, body }) => ({ status, body })
  })

const malformedJson =
  "\nProblem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' "
const refused = (status: number, error: string) => ({ status, body: { error } })

describe("query", () => {
  const own = (name: string, value: unknown) => Object.fromEntries([[name, value]])
  test.each([
    ["", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1&a=2", { a: "2" }],
    ["a", { a: null }],
    ["a=", { a: "" }],
    ["a=b=c", { a: "b=c" }],
    ["&&a=1&", { a: "1" }],
    ["a=x+y%2Bz%20%26", { a: "x y+z &" }],
    ["a=%E2%82%AC", { a: "€" }],
    ["a=\u00e2\u0082\u00ac", { a: "€" }],
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a%5B%5D=1&a%5B%5D=2", { a: ["1", "2"] }],
    ["a[b]=1&a[c]=2", { a: { b: "1", c: "2" } }],
    ["a[b][c]=1", { a: { b: { c: "1" } } }],
    ["a[b][]=1&a[b][]=2", { a: { b: ["1", "2"] } }],
    ["a[0][b]=1&a[1][b]=2&a[0][c]=3", { a: { 0: { b: "1", c: "3" }, 1: { b: "2" } } }],
    ["v[][key]=a&v[][value]=b&v[][key]=c", { v: [{ key: "a", value: "b" }, { key: "c" }] }],
    ["v[][a][b]=1&v[][a][c]=2&v[][a][b]=3", { v: [{ a: { b: "1", c: "2" } }, { a: { b: "3" } }] }],
    ["v[][]=1&v[][]=2", { v: [["1"], ["2"]] }],
    ["a=1&a[b]=2", { a: { b: "2" } }],
    ["a[b]=2&a=1", { a: "1" }],
    ["a[]=1&a[b]=2", { a: { b: "2" } }],
    ["a[b=1&[c]=2&d]=3&e[f]g=4", { "a[b": "1", "[c]": "2", "d]": "3", "e[f]g": "4" }],
    ["__proto__=1", own("__proto__", "1")],
    ["__proto__[x]=1&constructor[prototype][y]=2", { ...own("__proto__", { x: "1" }), constructor: { prototype: { y: "2" } } }],
    [`a${"[b]".repeat(99)}=1`, expect.objectContaining({ a: expect.anything() })],
    [`a${"[b]".repeat(100)}=1`, refused(400, "the query string is nested deeper than 100 levels")],
    ["a=1&".repeat(10_000), refused(400, "the query string has more than 10000 parameters")],
    ["a=%zz", refused(400, "the query string is not valid percent-encoded UTF-8 text")],
    ["a=%", refused(400, "the query string is not valid percent-encoded UTF-8 text")],
    ["%C3=1", refused(400, "the query string is not valid percent-encoded UTF-8 text")],
    ["a=\u00c3", refused(400, "the query string is not valid percent-encoded UTF-8 text")]
  ])("%s", (query, expected) => expect(outcome({ query })).toEqual(expected))

  test("names of prototypes change no object", () => {
    fold({ query: "__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1" })
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})

describe("body", () => {
  test.each([
    [json, '{"a":1,"b":{"c":[true,null]}}', { a: 1, b: { c: [true, null] } }],
    ["application/json; charset=utf-8", '{"a":"ü"}', { a: "ü" }],
    ["Application/JSON ;charset=UTF-8", '{"a":1}', { a: 1 }],
    [undefined, '{"a":1}', { a: 1 }],
    [json, "\ufeff{}", {}],
    [json, "", {}],
    [json, " \n", {}],
    [json, "[1]", {}],
    [json, '"text"', {}],
    [json, "null", {}],
    [json, "5", {}],
    [json, '{"a":"\\"[[[,,,\\\\"}', { a: '"[[[,,,\\' }],
    [json, `{"a":"\\"${"[".repeat(200)}"}`, { a: `"${"[".repeat(200)}` }],
    [json, "{", refused(400, malformedJson)],
    [json, "a=1", refused(400, malformedJson)],
    [json, '{"a":"x', refused(400, malformedJson)],
    [undefined, "a=1", refused(400, malformedJson)],
    [json, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), refused(400, malformedJson)],
    [json, `{"a":${"[".repeat(99)}${"]".repeat(99)}}`, { a: expect.anything() }],
    [json, `{"a":${"[".repeat(100)}${"]".repeat(100)}}`, refused(400, "the request body is nested deeper than 100 levels")],
    [json, "[".repeat(8_000_000), refused(400, "the request body is nested deeper than 100 levels")],
    [json, `{"a":[${"1,".repeat(10_000)}1]}`, refused(400, "the request body has more than 10000 parameters")],
    [form, "a=1&b[c]=2", { a: "1", b: { c: "2" } }],
    [`${form}; charset=utf-8`, "a=%C3%BC", { a: "ü" }],
    [form, "a=ü", { a: "ü" }],
    [form, `a${"[]".repeat(8_000_000)}=1`, refused(400, "the request body is nested deeper than 100 levels")],
    [form, `${"[]".repeat(8_000_000)}=1&b=2`, expect.objectContaining({ b: "2" })],
    [form, Uint8Array.of(0x61, 0x3d, 0xff), refused(400, "the request body is not valid percent-encoded UTF-8 text")],
    [form, "a=%", refused(400, "the request body is not valid percent-encoded UTF-8 text")],
    [multipart, `${part("a", "1")}${part("b[c]", "ü\r\n")}${part("d[]", "x")}--xx--`, { a: "1", b: { c: "ü\r\n" }, d: ["x"] }],
    [multipart, `${part("a", "1")}${part("f", "data", '; filename="f.txt"')}--xx--`, { a: "1" }],
    [multipart, "--xx--", {}],
    [multipart, `${part(`a${"[b]".repeat(100)}`, "1")}--xx--`, refused(400, "the request body is nested deeper than 100 levels")],
    [multipart, `${part("a", "").repeat(10_001)}--xx--`, refused(400, "the request body has more than 10000 parameters")],
    [multipart, part("a", "1"), refused(400, "the multipart body is malformed")],
    [multipart, "nothing", refused(400, "the multipart body is malformed")],
    [multipart, "--xx--\r\n--xx\r\n", refused(400, "the multipart body is malformed")],
    [multipart, "--xx\r\nContent-Disposition: form-data\r\n\r\n1\r\n--xx--", refused(400, "the multipart body is malformed")],
    ["multipart/form-data", `${part("a", "1")}--xx--`, refused(400, "the multipart body is malformed")],
    ["text/plain", "a=1", refused(415, "The provided content-type 'text/plain' is not supported.")],
    ["text/plain; charset=utf-8", "{}", refused(415, "The provided content-type 'text/plain' is not supported.")],
    ["", "{}", refused(415, "The provided content-type '' is not supported.")],
    ["text/plain", "", {}]
  ])("%s %.60s", (contentType, body, expected) => expect(outcome({ contentType, body })).toEqual(expected))

  test("a part that is not UTF-8", () => {
    const [before, after] = part("a", "|").split("|").map(bytes)
    const body = Buffer.concat(
      [before ?? "", Uint8Array.of(0xff), after ?? "", bytes("--xx--")].map((piece) => Buffer.from(piece))
    )
    expect(outcome({ contentType: multipart, body })).toEqual(
      refused(400, "the multipart body is not valid percent-encoded UTF-8 text")
    )
  })

  test.each([
    ["gzip", refused(415, "The provided content-encoding 'gzip' is not supported.")],
    ["identity", { a: 1 }]
  ])("encoded: %s", (contentEncoding, expected) =>
    expect(outcome({ contentType: json, contentEncoding, body: '{"a":1}' })).toEqual(expected)
  )
})

describe("a large body", () => {
  const mebibyte = 1024 * 1024
  const many = (text: string) => text.repeat(Math.floor((15 * mebibyte) / text.length))
  test.each([
    ["pluses", form, `a=${many("+")}`, many(" ")],
    ["letters", form, `a=${many("x")}`, many("x")],
    ["escapes", form, `a=${many("%41")}`, "A".repeat(5 * mebibyte)],
    ["escapes of one character each", form, `a=${many("%E2%82%AC")}`, "€".repeat((15 * mebibyte) / 9)],
    ["escapes within text", form, `a=${many("xyz%20")}`, "xyz ".repeat((15 * mebibyte) / 6)],
    ["a text", json, `{"a":"${many("x")}"}`, many("x")],
    ["escapes in a text", json, `{"a":"${many("\\n")}"}`, "\n".repeat((15 * mebibyte) / 2)],
    ["spaces", json, `{"a":${many(" ")}"x"}`, "x"]
  ])("of %s is read in pieces, none of which takes long", (_, contentType, body, expected) => {
    const { parsed, pauses } = parsedBody({ contentType, body })
    expect(Result.getOrThrow(parsed).a === expected).toBe(true)
    expect(pauses).toBeGreaterThan(10)
  })

  test("of broken escapes is refused wherever it is cut", () => {
    for (const broken of ["%", "%4", "%E2%82", "%E2%82%", "%80", "%E2x", "%G0"])
      for (let before = mebibyte - 9; before <= mebibyte + 1; before++)
        expect(outcome({ contentType: form, body: `a=${"x".repeat(before)}${broken}` })).toEqual(
          refused(400, "the request body is not valid percent-encoded UTF-8 text")
        )
  })

  test("is the same wherever it is cut", () => {
    for (let before = mebibyte - 13; before <= mebibyte + 1; before++)
      expect(outcome({ contentType: form, body: `a=${"x".repeat(before)}%C3%BC%E2%82%AC%F0%9F%98%80%2B+y` })).toEqual({
        a: `${"x".repeat(before)}ü€😀+ y`
      })
  })
})

test("the body wins over the query, the path over both", () => {
  const parts = { path: { id: "1" }, query: "id=2&a=2&b=2&h[x]=2", contentType: json, body: '{"id":3,"a":3,"h":{"y":3}}' }
  expect(outcome(parts)).toEqual({ id: "1", a: 3, b: "2", h: { y: 3 } })
})

describe("laws", () => {
  const name = fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), fc.constantFrom("__proto__", "constructor", "toString", "ü ö&=+%"))
  const nested = fc.letrec<{ value: Nested }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "grapheme" }),
      fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 4 }),
      fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 })
    )
  })).value
  const object = fc.dictionary(name, nested, { maxKeys: 5 })

  test("what is written with brackets is read back", () => {
    fc.assert(
      fc.property(object, (fields) => {
        const text = encoded(fields)
        expect(outcome({ query: text })).toEqual(JSON.parse(JSON.stringify(fields)))
        expect(outcome({ contentType: form, body: text })).toEqual(JSON.parse(JSON.stringify(fields)))
      })
    )
  })

  const types = fc.constantFrom(json, form, multipart, "multipart/form-data; boundary=", undefined)
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("--xx", "--xx--", "a[", "]=%", 'name="x"', "\r\n\r\n", ": ")
  )
  const text = fc.array(line).map((lines) => lines.join("\r\n"))

  test("no bytes make it throw", () => {
    fc.assert(
      fc.property(types, fc.oneof(text, fc.uint8Array()), text, (contentType, body, query) => {
        const result = fold({ contentType, body, query })
        return Result.isSuccess(result) || result.failure.status === 400 || result.failure.status === 415
      })
    )
  })
})

type Nested = string | ReadonlyArray<string> | { readonly [name: string]: Nested }

const encoded = (fields: { readonly [name: string]: Nested }): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => pairs(encodeURIComponent(name), value))
    .join("&")

const pairs = (name: string, value: Nested): ReadonlyArray<string> => {
  if (typeof value === "string") return [`${name}=${encodeURIComponent(value)}`]
  if (isList(value)) return value.map((element) => `${name}[]=${encodeURIComponent(element)}`)
  return Object.entries(value).flatMap(([field, inner]) => pairs(`${name}[${encodeURIComponent(field)}]`, inner))
}

const isList = (value: Nested): value is ReadonlyArray<string> => Array.isArray(value)

describe("a large multipart body", () => {
  const piece = 256 * 1024

  test("is taken apart in pieces, and is whole wherever a piece ends", () => {
    // The end of the first piece moves over the boundary and the header behind the first value.
    for (let shift = 0; shift < 100; shift += 3) {
      const [first, second] = ["x".repeat(piece - 150 + shift), "\u20ac".repeat(100)]
      const body = `${part("a", first)}${part("b", second)}--xx--\r\n`
      const { parsed, pauses } = parsedBody({ contentType: multipart, body })
      const fields = Result.getOrThrow(parsed)
      expect([fields.a === first, fields.b === second, pauses]).toEqual([true, true, 1])
    }
  })

  test("that is full of what looks like boundaries pauses as often as a plain one", () => {
    const body = `${part("a", "\r\n--".repeat(piece))}--xx--\r\n`
    expect(parsedBody({ contentType: multipart, body }).pauses).toBe(4)
  })
})
