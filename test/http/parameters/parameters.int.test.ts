import { describe, expect, it } from "vitest"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { type Received, rootToken, type Sent, useService } from "#test/support/service.ts"

const service = useService()

const mebibyte = 1024 * 1024
const nothingGiven =
  "email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, " +
  "name is missing, username is missing"
const malformedJson =
  "\nProblem:\n  message body does not match declared format\nResolution:\n  " +
  "when specifying application/json as content-type, you must pass valid application/json in the request's 'body' "

const fieldOf = ({ body }: Received, name: string): unknown =>
  typeof body === "object" && body !== null && name in body ? Reflect.get(body, name) : body

/** Sends bytes as a body of a type; with `transfer-encoding: chunked` if it comes in `chunks`. */
const sendBody = async (method: string, path: string, type: string | undefined, body: string | Uint8Array<ArrayBuffer>) => {
  const response = await fetch(`${service.url}/api/v4${path}`, {
    method,
    headers: { "private-token": rootToken, ...(type === undefined ? {} : { "content-type": type }) },
    // A text would be given a type.
    body: typeof body === "string" ? new TextEncoder().encode(body) : body
  })
  return [response.status, await response.json()]
}

const streamed = async (chunks: Iterable<Uint8Array<ArrayBuffer>>) => {
  const body = ReadableStream.from(chunks)
  const headers = { "private-token": rootToken, "content-type": "application/json" }
  const request: RequestInit & { readonly duplex: "half" } = { method: "POST", headers, body, duplex: "half" }
  const response = await fetch(`${service.url}/api/v4/users`, request)
  return [response.status, await response.json()]
}

describe("each encoding says the same", () => {
  const account = (username: string) => ({
    username,
    name: "Ünï çødé & <co>",
    email: `${username}@example.com`,
    force_random_password: "yes",
    projects_limit: " 1_0",
    private_profile: "on",
    note: "a+b=c&d"
  })
  const encodings: ReadonlyArray<readonly [string, Sent]> = [
    ["json", { json: account("json") }],
    ["form", { form: account("form") }],
    ["multipart", { multipart: account("multipart") }],
    ["query", { query: account("query") }]
  ]
  it.each(encodings)("%s", async (username, sent) => {
    const { body, status } = await service.request("POST", "/users", sent)
    const expected = { username, name: "Ünï çødé & <co>", projects_limit: 10, private_profile: true, note: "a+b=c&d" }
    expect([status, body]).toEqual([201, expect.objectContaining(expected)])
  })

  const scoped = { name: "lists", scopes: ["api", "read_user"] }
  const lists: ReadonlyArray<readonly [string, Sent]> = [
    ["a JSON array", { json: scoped }],
    [
      "name[] in a form",
      {
        form: [
          ["name", "lists"],
          ["scopes[]", "api"],
          ["scopes[]", "read_user"]
        ]
      }
    ],
    [
      "name[] in a query",
      {
        query: [
          ["name", "lists"],
          ["scopes[]", "api"],
          ["scopes[]", "read_user"]
        ]
      }
    ],
    ["name[0] in a form", { form: { name: "lists", "scopes[0]": "api", "scopes[1]": "read_user" } }],
    ["a text with commas", { form: { name: "lists", scopes: "api, read_user" } }]
  ]
  it.each(lists)("%s", async (_, sent) => {
    const received = await service.request("POST", "/users/1/personal_access_tokens", sent)
    expect([received.status, fieldOf(received, "scopes")]).toEqual([201, ["api", "read_user"]])
  })

  const kubernetes = { "platform_kubernetes_attributes[api_url]": "", "platform_kubernetes_attributes[ca_cert]": "x" }
  const nested: ReadonlyArray<readonly [string, Sent]> = [
    ["nested JSON", { json: { name: "c", platform_kubernetes_attributes: { api_url: "", ca_cert: "x" } } }],
    ["outer[inner] in a form", { form: { name: "c", ...kubernetes } }],
    ["outer[inner] in multipart", { multipart: { name: "c", ...kubernetes } }],
    ["outer[inner] in a query", { query: { name: "c", ...kubernetes } }]
  ]
  it.each(nested)("%s", async (_, sent) => {
    const { body, status } = await service.request("POST", "/admin/clusters/add", sent)
    const inner = "platform_kubernetes_attributes"
    expect([status, body]).toEqual([400, { error: `${inner}[api_url] is empty, ${inner}[token] is missing` }])
  })
})

describe("the same name in several places", () => {
  it("the body wins over the query, the path over both", async () => {
    const received = await service.request("PUT", "/users/1", {
      query: { note: "query", id: "2" },
      json: { note: "body", id: 3 }
    })
    expect([received.status, fieldOf(received, "id"), fieldOf(received, "note")]).toEqual([200, 1, "body"])
  })

  it("within one place the last wins", async () => {
    const received = await service.request("PUT", "/users/1", {
      form: [
        ["note", "first"],
        ["note", "last"]
      ]
    })
    expect([received.status, fieldOf(received, "note")]).toEqual([200, "last"])
  })

  it("unknown names are ignored, whatever they are called", async () => {
    const text = '{"__proto__":{"admin":true},"constructor":{"prototype":{}},"toString":1,"unknown":[{}],"note":"kept"}'
    const [status, body] = await sendBody("PUT", "/users/1", "application/json", text)
    expect([status, body]).toEqual([200, expect.objectContaining({ note: "kept" })])
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false)
  })
})

describe("messages", () => {
  const rows: ReadonlyArray<readonly [given: string, method: string, path: string, sent: Sent, error: string]> = [
    ["nothing where much is required", "POST", "/users", {}, nothingGiven],
    ["numbers that are none", "GET", "/users", { query: { page: "x", per_page: "1.5" } }, "page is invalid, per_page is invalid"],
    ["a boolean that is none", "GET", "/users", { query: { active: "tRUE" } }, "active is invalid"],
    ["a time that is none", "GET", "/users", { query: { created_after: "2024-02-30" } }, "created_after is invalid"],
    ["an unknown value", "GET", "/users", { query: { sort: "up" } }, "sort does not have a valid value"],
    ["a forbidden value", "GET", "/users", { query: { per_page: "0" } }, "per_page has a value not allowed"],
    ["half of a pair", "GET", "/users", { query: { provider: "x" } }, "extern_uid, provider provide all or none of parameters"],
    [
      "a text for an object",
      "POST",
      "/admin/clusters/add",
      { json: { name: "x", platform_kubernetes_attributes: "y" } },
      expect.stringMatching(/^platform_kubernetes_attributes is invalid/)
    ],
    ["an object for a text", "PUT", "/users/1", { json: { note: { a: 1 } } }, "note is invalid"],
    ["a NUL", "PUT", "/users/1", { json: { note: "a\0b" } }, "note is invalid"],
    ["an encoded NUL", "GET", "/users?username=%00", {}, "username is invalid"],
    ["a lone surrogate", "PUT", "/users/1", { json: { note: "\ud800" } }, "note is invalid"]
  ]
  it.each(rows)("%s", async (_, method, path, sent, error) => {
    const { body, status } = await service.request(method, path, sent)
    expect([status, body]).toEqual([400, { error }])
  })
})

describe("bodies", () => {
  const nothing = [400, { error: nothingGiven }]
  const unsupported = (type: string) => [415, { error: `The provided content-type '${type}' is not supported.` }]
  const json = "application/json"
  const form = "application/x-www-form-urlencoded"
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
  type Row = readonly [given: string, type: string | undefined, body: string | Uint8Array<ArrayBuffer>, expected: unknown]
  const rows: ReadonlyArray<Row> = [
    ["JSON with a charset", "application/json; charset=utf-8", "{}", nothing],
    ["JSON in capitals", "Application/JSON", "{}", nothing],
    ["JSON without a type", undefined, "{}", nothing],
    ["an empty one", json, "", nothing],
    ["an empty one of an unknown type", "text/plain", "", nothing],
    ["a JSON array", json, "[1]", nothing],
    ["a JSON text", json, '"x"', nothing],
    ["a JSON null", json, "null", nothing],
    ["malformed JSON", json, "{", [400, { error: malformedJson }]],
    ["JSON that is not UTF-8", json, new Uint8Array([0x22, 0xff, 0x22]), [400, { error: malformedJson }]],
    ["plain text", "text/plain", "x", unsupported("text/plain")],
    ["XML with a charset", "application/xml; charset=utf-8", "<x/>", unsupported("application/xml")],
    ["a form that is not UTF-8", form, "a=%ff", [400, { error: "the request body is not valid percent-encoded UTF-8 text" }]],
    [
      "a form with a stray percent sign",
      form,
      "a=%",
      [400, { error: "the request body is not valid percent-encoded UTF-8 text" }]
    ],
    ["multipart without a boundary", "multipart/form-data", "x", [400, { error: "the multipart body is malformed" }]],
    ["nesting of 101 levels", json, deep(101), [400, { error: "the request body is nested deeper than 100 levels" }]],
    ["nesting of 100,000 levels", json, deep(100_000), [400, { error: "the request body is nested deeper than 100 levels" }]],
    ["10,001 values", json, `[${"1,".repeat(10_000)}1]`, [400, { error: "the request body has more than 10000 parameters" }]],
    ["10,001 fields", form, "a=1&".repeat(10_001), [400, { error: "the request body has more than 10000 parameters" }]]
  ]
  it.each(rows)("%s", async (_, type, body, expected) => {
    expect(await sendBody("POST", "/users", type, body)).toEqual(expected)
  })

  it("a compressed one is refused", async () => {
    const headers = { "content-encoding": "gzip", "content-type": json }
    const { body, status } = await service.request("POST", "/users", { json: {}, headers })
    expect([status, body]).toEqual([415, { error: "The provided content-encoding 'gzip' is not supported." }])
  })

  it("that of a read is not looked at", async () => {
    const head = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\nConnection: close\r\n`
    const answer = await rawRequest(service.url, `${head}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{`)
    expect(answer.status).toBe(200)
  })
})

describe("limits", () => {
  const tooLarge = [413, { message: "413 Request Entity Too Large" }]
  const document = (bytes: number) => `{"unknown":"${"a".repeat(bytes - 14)}"}`

  it("a body of 1 MiB is read, of one byte more not", async () => {
    expect(await sendBody("POST", "/users", "application/json", document(mebibyte))).toEqual([400, { error: nothingGiven }])
    expect(await sendBody("POST", "/users", "application/json", document(mebibyte + 1))).toEqual(tooLarge)
  })

  it("so is one that comes in chunks", async () => {
    const chunk = new Uint8Array(mebibyte / 4).fill(0x20)
    expect(await streamed(Array.from({ length: 4 }, () => chunk))).toEqual([400, { error: nothingGiven }])
    expect(await streamed(Array.from({ length: 5 }, () => chunk))).toEqual(tooLarge)
  })

  it("a form of 1 MiB is read too", async () => {
    const body = `unknown=${"a".repeat(mebibyte - 8)}`
    const answer = await sendBody("POST", "/users", "application/x-www-form-urlencoded", body)
    expect(answer).toEqual([400, { error: nothingGiven }])
  })

  it("a value of 4 KiB in a query is read, headers of 32 KiB are 431", async () => {
    const ask = (length: number) => service.request("GET", "/users", { query: { search: "ü".repeat(length / 6) } })
    expect((await ask(4096)).status).toBe(200)
    const { body, headers, status } = await ask(40_000)
    expect([status, headers.get("content-type"), body]).toEqual([
      431,
      "application/json",
      { error: "431 Request Header Fields Too Large" }
    ])
  })

  it("a path of 4 KiB is read", async () => {
    const answer = await service.request("GET", `/users/${"1".repeat(4096)}`)
    expect([answer.status, answer.body]).toEqual([404, { message: "404 User Not Found" }])
  })
})
