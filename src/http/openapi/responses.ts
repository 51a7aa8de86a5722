import { defined } from "../../kernel/defined.ts"
import type { Success } from "../answer/success.ts"
import { type Endpoint, successesOf } from "../Endpoint.ts"
import { type JsonObject, pagingHeaders, reference } from "./components.ts"
import type { BodySchemas } from "./schemas.ts"

const headerReferences = (names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]))

const bytes = (types: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]))
const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } })

const successHeaders = (endpoint: Endpoint, status: number): ReadonlyArray<string> => [
  "X-Request-Id",
  ...(endpoint.method !== "GET" ? ["X-Chronoforge-Position"] : status === 200 ? ["ETag"] : []),
  ...(endpoint.paginated ? pagingHeaders : [])
]

const successTexts: Readonly<Record<number, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted.",
  204: "Done; no body.",
  302: "It is elsewhere.",
  304: "Nothing changed; no body."
}

const successResponse = (
  endpoint: Endpoint,
  { description, raw, status }: Success,
  schema: JsonObject | undefined
): JsonObject => ({
  description: description ?? successTexts[status] ?? "Success.",
  headers: headerReferences(successHeaders(endpoint, status)),
  ...defined({ content: raw === undefined ? schema && json(schema) : bytes(raw) })
})

/** One refusal: when it is given, which bodies it has, which headers. */
interface Refusal {
  readonly when: string
  readonly bodies?: ReadonlyArray<string>
  readonly headers?: ReadonlyArray<string>
}

const maxBodyText = ({ takesContent, takesFile }: Endpoint): string => {
  if (takesFile !== undefined) return "the installation allows"
  return takesContent === true ? "16 MiB" : "1 MiB"
}

const usualRefusals = (endpoint: Endpoint): Readonly<Record<number, Refusal>> => {
  const isWrite = endpoint.method !== "GET"
  const hasParameters = Object.keys(endpoint.parameters).length > 0
  return {
    ...((hasParameters || endpoint.paginated) && {
      400: {
        when: "Parameters are missing or cannot be read, or the record does not accept them.",
        bodies: ["ParameterError", "AttributeErrors", "MessageError"]
      }
    }),
    401: {
      when:
        endpoint.access === "anyone"
          ? "The token is unknown, expired or revoked."
          : "There is no token, or it is unknown, expired or revoked.",
      bodies: ["MessageError", "TokenError"],
      headers: ["WWW-Authenticate"]
    },
    403: {
      when: `The token lacks the scope${endpoint.access === "administrator" ? ", the caller is no administrator," : ""} or the user is blocked.`,
      bodies: ["MessageError", "TokenError"]
    },
    ...(endpoint.path.includes(":") && { 404: { when: "There is no such record, or the caller may not see it." } }),
    ...(isWrite && mayBeMoved(endpoint) && { 405: { when: "The project or group has another path by now." } }),
    ...(isWrite && {
      409: { when: "A request with the same `Idempotency-Key` is still running, or its answer held a secret and was not kept." },
      413: { when: `The body is larger than ${maxBodyText(endpoint)}.` },
      415: { when: "The content type of the body is not supported.", bodies: ["ParameterError"] },
      422: { when: "The `Idempotency-Key` was used for another request." }
    }),
    503: {
      when: `${isWrite ? "The write is accepted, but reads do not show it yet" : "The position of `If-Consistent-With` is not yet shown"}; the database does not answer; or the answer takes more time or space than the service has.`,
      headers: ["Retry-After"]
    },
    ...(endpoint.method === "DELETE" && { 412: { when: "The record was changed after `If-Unmodified-Since`." } }),
    500: { when: "A fault of the service." }
  }
}

const notModifiedStatus = "304"

const refusalResponse = (status: string, { when, bodies = ["MessageError"], headers = [] }: Refusal): JsonObject => {
  if (status === notModifiedStatus) return { description: when, headers: headerReferences(["X-Request-Id", ...headers]) }
  const schemas = bodies.map((name) => reference("schemas", name))
  const [only] = schemas
  return {
    description: when,
    headers: headerReferences(["X-Request-Id", ...headers]),
    content: json(schemas.length === 1 && only !== undefined ? only : { anyOf: schemas })
  }
}

/** The limit of all requests answers with text, a limit of the endpoint as other refusals do. */
const tooManyRequests = (ofEndpoint: string | undefined): JsonObject => ({
  description: `${ofEndpoint === undefined ? "" : `${ofEndpoint} `}Too many requests.`,
  headers: headerReferences(["Retry-After"]),
  content: {
    "text/plain": { schema: { type: "string", const: "Retry later\n" } },
    ...(ofEndpoint !== undefined && json(reference("schemas", "DownloadLimitError")))
  }
})

const moved: JsonObject = {
  description: "The project or group has another path by now.",
  headers: headerReferences(["X-Request-Id", "Location"]),
  content: { "text/plain": { schema: { type: "string", description: "A sentence with the present address." } } }
}

/** Whether an endpoint is below a project or group, whose former paths lead to it. */
const mayBeMoved = ({ path }: Endpoint): boolean => /^\/(?:projects|groups)\/:id(?:\/|$)/.test(path)

const notModified: JsonObject = { description: "The body is that of `If-None-Match`.", headers: headerReferences(["ETag"]) }

/** All answers of an endpoint by status. `schemaOf`: the schema of a success with JSON. */
export const operationResponses = (endpoint: Endpoint, schemaOf: BodySchemas["of"]): Readonly<Record<string, JsonObject>> => {
  const refusals = new Map(Object.entries(usualRefusals(endpoint)))
  const { 301: _, 429: limit, ...refused } = endpoint.refusals ?? {}
  for (const [status, condition] of Object.entries(refused)) {
    const usual = refusals.get(status)
    refusals.set(status, usual === undefined ? { when: condition } : { ...usual, when: `${condition} ${usual.when}` })
  }
  return {
    ...Object.fromEntries(successesOf(endpoint).map((one) => [one.status, successResponse(endpoint, one, schemaOf(one))])),
    ...(endpoint.method === "GET" && { [notModifiedStatus]: notModified }),
    ...(endpoint.method === "GET" && mayBeMoved(endpoint) && { 301: moved }),
    429: tooManyRequests(limit),
    ...Object.fromEntries([...refusals].map(([status, refusal]) => [status, refusalResponse(status, refusal)]))
  }
}
