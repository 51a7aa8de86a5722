import { defined } from "../../kernel/defined.ts"
import { areas } from "../areas.ts"
import type { Endpoint } from "../Endpoint.ts"
import { errorSchemas, headers, type JsonObject, parameters, securitySchemes } from "./components.ts"
import { groupText, operationParameters, requestBody } from "./parameters.ts"
import { operationResponses } from "./responses.ts"
import { type BodySchemas, bodySchemas } from "./schemas.ts"

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0"
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string; readonly url: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  /** Operations by path template and method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
  readonly components: Readonly<Record<string, JsonObject>>
}

export interface OpenApiOptions {
  /** The version of the service. */
  readonly version: string
  /** The URL `https://host`, without a trailing slash. */
  readonly externalUrl: string
}

const description = `Every change is an event: what is written here can be replayed, audited and projected again.

Parameters of writes may be sent as JSON, as form fields (\`outer[inner]\`, \`name[]\`) or in the query. Lists in a query are
separated by commas. Times are in UTC. Each answer carries \`X-Request-Id\`.`

/** Turns `/admin/clusters/:cluster_id` into `/admin/clusters/{cluster_id}`. */
const template = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

const accessTexts: Readonly<Record<Endpoint["access"], string>> = {
  anyone: "anyone; a token is optional",
  user: "users",
  administrator: "administrators",
  administratorLast: "administrators",
  validatedAdministrator: "administrators"
}

const scopes = ({ anyScope, method, readScopes = [] }: Endpoint): ReadonlyArray<string> => {
  if (anyScope === true) return ["any"]
  return method === "GET" ? ["api", "read_api", ...readScopes] : ["api"]
}

const operationDescription = (endpoint: Endpoint): string =>
  [
    ...(endpoint.description === undefined ? [] : [endpoint.description]),
    `Access: ${accessTexts[endpoint.access]}. Token scope: ${scopes(endpoint)
      .map((scope) => `\`${scope}\``)
      .join(" or ")}.`,
    ...(endpoint.groups ?? []).map(groupText)
  ].join("\n\n")

const tokens = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

const operation = (endpoint: Endpoint, schemaOf: BodySchemas["of"]): JsonObject => {
  return {
    operationId: endpoint.name,
    tags: [endpoint.area],
    summary: endpoint.summary,
    description: operationDescription(endpoint),
    ...(endpoint.deprecated && { deprecated: true }),
    security: endpoint.access === "anyone" ? [{}, ...tokens] : tokens,
    parameters: operationParameters(endpoint),
    ...defined({ requestBody: requestBody(endpoint) }),
    responses: operationResponses(endpoint, schemaOf)
  }
}

/**
 * The document that describes `endpoints`, in their order. Names in the path that are not declared count as strings. It takes half a second
 * for all endpoints, and pauses between them.
 */
export const openApi = function* (
  endpoints: ReadonlyArray<Endpoint>,
  options: OpenApiOptions
): Generator<void, OpenApiDocument, void> {
  const bodies = yield* bodySchemas(endpoints)
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const endpoint of endpoints) {
    const path = template(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, bodies.of) }
    yield
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Chronoforge",
      version: options.version,
      description,
      contact: { name: "Who runs this installation", url: options.externalUrl },
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: `${options.externalUrl}/api/v4` }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({ name, description: areas[name] })),
    paths,
    components: { schemas: { ...bodies.definitions, ...errorSchemas }, headers, parameters, securitySchemes }
  }
}
