import { HttpServerResponse } from "effect/http"
import { noneMatchNames, weakEtag } from "./conditional.ts"
import type { WireError } from "./errors.ts"

/** An answer before the headers that all answers have. The body is the text as sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const json = "application/json"

export const jsonAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body: body === undefined || status === 204 ? "" : JSON.stringify(body)
})

export const errorAnswer = ({ body, headers = {}, status }: WireError): Answer => ({
  status,
  headers: { "cache-control": "no-cache", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** Makes a successful read conditional: an entity tag, and 304 without a body for a client that has it already. */
export const conditional = (answer: Answer, ifNoneMatch: string | undefined): Answer => {
  if (answer.status !== 200) return answer
  const etag = weakEtag(answer.body)
  const headers = { ...answer.headers, etag, "cache-control": "max-age=0, private, must-revalidate" }
  return noneMatchNames(ifNoneMatch, etag) ? { status: 304, headers, body: "" } : { ...answer, headers }
}

/** What every answer carries: names in lower case. */
export interface StandardHeaders {
  readonly requestId: string
  readonly startedAt: number
  readonly position: number | undefined
  readonly cors: Readonly<Record<string, string>>
}

export const toResponse = (
  { body, headers, status }: Answer,
  standard: StandardHeaders
): HttpServerResponse.HttpServerResponse => {
  const all = {
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
    "x-request-id": standard.requestId,
    "x-runtime": ((performance.now() - standard.startedAt) / 1000).toFixed(6),
    "x-gitlab-meta": `{"correlation_id":"${standard.requestId}","version":"1"}`,
    vary: "Origin",
    ...standard.cors,
    ...(standard.position === undefined ? {} : { "x-chronoforge-position": String(standard.position) }),
    ...headers
  }
  if (body === "") return HttpServerResponse.empty({ status, headers: all })
  return HttpServerResponse.text(body, { status, headers: all, contentType: headers["content-type"] ?? json })
}
