import fc from "fast-check"
import type { Endpoint, Method } from "#src/http/Endpoint.ts"
import { rootToken } from "#test/support/service.ts"

export interface OddRequest {
  readonly method: Method
  /** Percent-encoded, below `/api/v4`. */
  readonly path: string
  readonly query: string
  readonly type: string | undefined
  readonly body: Buffer
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly token: string
}

/** The bytes of a request after which the connection ends. */
export const bytesOf = ({ body, headers, method, path, query, token, type }: OddRequest): Buffer => {
  const lines = [
    `${method} /api/v4${path}?${query} HTTP/1.1`,
    "Host: x",
    "Connection: close",
    `PRIVATE-TOKEN: ${token}`,
    `Content-Length: ${body.length}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`)
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body])
}

/** These would take away the token that the other requests are sent with. */
const endsToken = new Set(["personalAccessTokens.revokeSelf", "personalAccessTokens.rotateSelf"])

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const anyText = fc.oneof(fc.string(), fc.string({ unit: "binary" }))
const oddText = fc.constantFrom("", "0", "-1", "99999999999999999999", "1e9", "\0", "..", "a/b", "[]", "ü", "true", "2024-02-30")
const oddEncoding = fc.constantFrom("%00", "%ff", "%", "%zz", "%2F", "%2e%2e", "a;b", "%F0%9F%92%A5")

/** Never the id of root, which the requests must not lose. */
const segment = fc
  .oneof(oddEncoding, oddText.map(encoded), anyText.map(encoded))
  .filter((text) => text !== "" && !/^(?:0|%30)*(?:1|%31)$/.test(text))

const value = fc.oneof(oddText, anyText, fc.jsonValue({ maxDepth: 3 }))

/** Values for names that the endpoint knows, and for others. */
const parameters = (endpoint: Endpoint) =>
  fc.dictionary(fc.constantFrom(...Object.keys(endpoint.parameters), "page", "per_page", "__proto__", "x[y]", "x[]"), value)

const textOf = (given: unknown): string => (typeof given === "string" ? given : JSON.stringify(given))
const pairs = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, given]) => `${encoded(name)}=${encoded(textOf(given))}`)
    .join("&")
const part = (name: string, given: string): string => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${given}\r\n`
const parts = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, given]) => part(name, textOf(given)))
    .join("")

type Payload = readonly [type: string | undefined, body: Buffer]

const json = "application/json"
const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=x"

const payload = (endpoint: Endpoint): fc.Arbitrary<Payload> =>
  fc.oneof(
    parameters(endpoint).map((fields): Payload => [json, Buffer.from(JSON.stringify(fields))]),
    parameters(endpoint).map((fields): Payload => [form, Buffer.from(pairs(fields))]),
    parameters(endpoint).map((fields): Payload => [multipart, Buffer.from(`${parts(fields)}--x--\r\n`)]),
    fc
      .tuple(fc.constantFrom(json, form, multipart, "multipart/form-data", "text/plain", undefined), fc.uint8Array())
      .map(([type, bytes]): Payload => [type, Buffer.from(bytes)])
  )

const query = (endpoint: Endpoint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    { weight: 3, arbitrary: parameters(endpoint).map(pairs) },
    {
      weight: 1,
      arbitrary: fc.array(fc.tuple(oddEncoding, oddEncoding)).map((odd) => odd.map((pair) => pair.join("=")).join("&"))
    },
    { weight: 1, arbitrary: fc.string().map((text) => text.replace(/[\s#]/g, "")) }
  )

const headerNames = [
  "Accept",
  "Authorization",
  "Content-Encoding",
  "Idempotency-Key",
  "If-Consistent-With",
  "If-None-Match",
  "If-Unmodified-Since",
  "Origin",
  "Sudo",
  "traceparent",
  "X-Request-Id"
] as const
const headerText = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
const header = fc.tuple(
  fc.constantFrom(...headerNames),
  // A position that is never reached would be waited for.
  headerText.filter((text) => !/^\s*\d+\s*$/.test(text))
)

/** A request to an endpoint in which everything may be odd but its form. */
export const oddRequest = (endpoint: Endpoint): fc.Arbitrary<OddRequest> => {
  const segments = endpoint.path.split("/").map((name) => (name.startsWith(":") ? segment : fc.constant(name)))
  return fc
    .record({
      method: fc.constant(endpoint.method),
      path: fc.tuple(...segments).map((given) => given.join("/")),
      query: query(endpoint),
      payload: payload(endpoint),
      headers: fc.uniqueArray(header, { maxLength: 2, selector: ([name]) => name }),
      token: endsToken.has(endpoint.name) ? fc.constant("unknown") : fc.constantFrom(rootToken, rootToken, "unknown")
    })
    .map(({ payload: [type, body], ...rest }) => ({ ...rest, type, body }))
}
