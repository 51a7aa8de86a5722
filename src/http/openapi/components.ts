/** A JSON object of the document. */
export type JsonObject = Readonly<Record<string, unknown>>

export const reference = (kind: "schemas" | "headers" | "parameters", name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`
})

const text = (description: string): JsonObject => ({ type: "string", description })
const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema })

const object = (description: string, properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  description,
  properties,
  required
})

/** The families of error bodies. */
export const errorSchemas: Readonly<Record<string, JsonObject>> = {
  MessageError: object("A refusal.", { message: text("Status and reason, or the reason alone.") }),
  AttributeErrors: object("Values that the record does not accept.", {
    message: {
      type: "object",
      description: "Texts by attribute.",
      additionalProperties: { type: "array", items: { type: "string" } }
    }
  }),
  ParameterError: object("Parameters that are missing or cannot be read.", {
    error: text("All that is wrong, in the order of the parameters, joined by commas.")
  }),
  DownloadLimitError: object("Something costly was asked for too often.", {
    message: object("The reason.", { error: text("The reason in words.") })
  }),
  TokenError: object(
    "A token that is not accepted: expired, revoked, or without the scope.",
    {
      error: text("A code such as `invalid_token`."),
      error_description: text("The reason."),
      scope: text("Scopes that would do.")
    },
    ["error", "error_description"]
  )
}

const integer = { type: "integer" }
const emptyOrInteger = { type: "string", pattern: "^[0-9]*$" }

export const headers: Readonly<Record<string, JsonObject>> = {
  "X-Request-Id": header("Identifies the request in logs, traces and events.", { type: "string" }),
  ETag: header("Weak validator of the body, for `If-None-Match`.", { type: "string" }),
  "X-Chronoforge-Position": header(
    "Position of the last event that the request wrote, for `If-Consistent-With`; absent when it wrote none.",
    integer
  ),
  Location: header("The present address.", { type: "string", format: "uri" }),
  Link: header('URLs of the neighbouring pages, as in `<https://…>; rel="next"`. Follow them as they are.', { type: "string" }),
  "X-Page": header("This page.", integer),
  "X-Per-Page": header("Entries per page.", integer),
  "X-Next-Page": header("The next page; empty on the last one.", emptyOrInteger),
  "X-Prev-Page": header("The page before; empty on the first one.", emptyOrInteger),
  "X-Total": header("Number of entries; absent above 10,000.", integer),
  "X-Total-Pages": header("Number of pages, at least 1; absent above 10,000 entries.", integer),
  "Retry-After": header("Seconds to wait.", integer),
  "WWW-Authenticate": header("Names the fault of the token.", { type: "string" })
}

export const pagingHeaders = ["Link", "X-Page", "X-Per-Page", "X-Next-Page", "X-Prev-Page", "X-Total", "X-Total-Pages"]

const headerParameter = (name: string, description: string, schema: JsonObject = { type: "string" }): JsonObject => ({
  name,
  in: "header",
  description,
  schema
})

export const parameters: Readonly<Record<string, JsonObject>> = {
  Page: { name: "page", in: "query", description: "Page, counted from 1.", schema: { type: "integer", default: 1 } },
  PerPage: {
    name: "per_page",
    in: "query",
    description: "Entries per page; more than 100 count as 100, 0 is refused.",
    schema: { type: "integer", default: 20 }
  },
  Sudo: headerParameter("Sudo", "Id or username to act as. For administrators whose token has the scope `sudo`."),
  IfNoneMatch: headerParameter("If-None-Match", "`ETag` of an earlier answer: 304 while the body is the same."),
  IfUnmodifiedSince: headerParameter("If-Unmodified-Since", "HTTP date: 412 if the record was changed after it."),
  IdempotencyKey: headerParameter(
    "Idempotency-Key",
    "Text of the caller's choice. A repeat with the same key within 24 hours is answered like the first request and changes nothing.",
    { type: "string", minLength: 1, maxLength: 255 }
  ),
  IfConsistentWith: headerParameter(
    "If-Consistent-With",
    "`X-Chronoforge-Position` of an earlier answer, of any node: the request waits until what was written there shows, 503 after ten seconds.",
    { type: "integer", minimum: 0 }
  )
}

/** The ways to send a token. One suffices. */
export const securitySchemes: Readonly<Record<string, JsonObject>> = {
  privateToken: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN", description: "Personal access token." },
  bearer: { type: "http", scheme: "bearer", description: "Personal access token." },
  privateTokenParameter: {
    type: "apiKey",
    in: "query",
    name: "private_token",
    description: "Personal access token. URLs end up in histories and logs of others: prefer a header."
  }
}
