import type { ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import { Effect } from "effect"
import { inSlices } from "../../kernel/inSlices.ts"
import { jsonTexts } from "../../kernel/json/jsonTexts.ts"
import { noneMatchNames, weakEtag, weakEtagOf } from "./conditional.ts"
import type { WireError } from "./errors.ts"
import { jsonBytes } from "./jsonBytes.ts"
import { revalidate } from "./Reply.ts"

/** An answer before the headers that all answers have. The body is the text or the bytes as sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable
  /** The entity tag of the body, where it is known. */
  readonly etag?: string
}

/** An answer that can be remembered. */
export interface TextAnswer extends Answer {
  readonly body: string
}

export const isText = (answer: Answer): answer is TextAnswer => typeof answer.body === "string"

export const jsonAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): TextAnswer => ({
  status,
  headers,
  body: body === undefined || status === 204 ? "" : JSON.stringify(body)
})

/** The same for a long body, which is encoded in slices. */
export const longJsonAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>>): Effect.Effect<Answer> =>
  Effect.map(inSlices(jsonBytes(body)), ({ bytes, sha256 }) => ({ status, headers, body: bytes, etag: weakEtagOf(sha256) }))

function* joined(texts: Iterable<string>): Generator<void, string, void> {
  let all = ""
  for (const text of texts) {
    all += text
    yield
  }
  return all
}

/** The same as a text, which can be remembered. */
export const longTextAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>
): Effect.Effect<TextAnswer> => Effect.map(inSlices(joined(jsonTexts(body))), (text) => ({ status, headers, body: text }))

export const errorAnswer = ({ body, headers = {}, status }: WireError): TextAnswer => ({
  status,
  headers: { "cache-control": "no-cache", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** Makes a successful read conditional: an entity tag, and 304 without a body for a client that has it already. */
export const conditional = (answer: Answer, ifNoneMatch: string | undefined): Answer => {
  if (answer.status !== 200 || answer.body instanceof Readable) return answer
  const etag = answer.etag ?? weakEtag(answer.body)
  const headers = { ...revalidate, ...answer.headers, etag }
  return noneMatchNames(ifNoneMatch, etag) ? { status: 304, headers, body: "" } : { ...answer, headers }
}

/** What every answer carries: names in lower case. */
export interface StandardHeaders {
  readonly requestId: string
  readonly startedAt: number
  readonly position: number | undefined
  readonly cors: Readonly<Record<string, string>>
}

/** Sends an answer in one message. A header of the answer wins over a standard one. */
export const writeAnswer = (response: ServerResponse, { body, headers, status }: Answer, standard: StandardHeaders): void => {
  const all: Array<string> = []
  const add = (name: string, value: string) => {
    if (headers[name] === undefined) all.push(name, value)
  }
  add("x-frame-options", "SAMEORIGIN")
  add("x-content-type-options", "nosniff")
  add("x-request-id", standard.requestId)
  add("x-runtime", ((performance.now() - standard.startedAt) / 1000).toFixed(6))
  add("x-gitlab-meta", `{"correlation_id":"${standard.requestId}","version":"1"}`)
  add("vary", "Origin")
  for (const name in standard.cors) add(name, standard.cors[name] ?? "")
  if (standard.position !== undefined) add("x-chronoforge-position", String(standard.position))
  const length = body instanceof Readable ? undefined : Buffer.byteLength(body)
  if (length !== 0) add("content-type", "application/json")
  // An answer that has no body by its status has no length either.
  if (length !== undefined && (length > 0 || (status !== 204 && status !== 304))) add("content-length", String(length))
  for (const name in headers) all.push(name, headers[name] ?? "")
  response.writeHead(status, all)
  if (!(body instanceof Readable)) response.end(body)
  else if (response.req.method === "HEAD") {
    body.destroy()
    response.end()
  } else {
    // A stream that breaks breaks the connection: the client must not take what it has for the whole.
    pipeline(body, response, () => {})
  }
}
