import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { areas } from "#src/http/areas.ts"
import { documentOf } from "./documentOf.ts"
import { deleteCluster, findKey, sampleEndpoints } from "./sampleEndpoints.ts"

const document = documentOf(sampleEndpoints, { version: "1.2.3", externalUrl: "https://forge.example" })

const references = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === "$ref" ? [String(inner)] : references(inner)))
}

const schemas = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === "schema" ? [inner] : schemas(inner)))
}

const resolve = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), document)

const inBody = (type: string) => ({
  schema: expect.objectContaining({ $ref: `#/components/schemas/${type}` })
})

describe("the document as a whole", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate({ ...structuredClone(document) })
    expect(result).toMatchObject({ valid: true })
  })

  it("holds what its references name", () => {
    const names = [...new Set(references(document))]
    expect(names).not.toEqual([])
    expect(names.filter((name) => resolve(name) === undefined)).toEqual([])
  })

  it("has no schema that JSON Schema would not accept", () => {
    const ajv = new Ajv2020({ strict: false })
    const all = [...schemas(document), ...Object.values(document.components.schemas ?? {})]
    expect(all.filter((schema) => typeof schema !== "object" || schema === null || !ajv.validateSchema(schema))).toEqual([])
  })

  it("names the service, its address and its areas", () => {
    expect([document.openapi, document.info, document.servers, document.tags]).toEqual([
      "3.1.0",
      {
        title: "Chronoforge",
        version: "1.2.3",
        description: expect.stringContaining("Every change is an event"),
        contact: { name: "Who runs this installation", url: "https://forge.example" },
        license: { name: "MIT", identifier: "MIT" }
      },
      [{ url: "https://forge.example/api/v4" }],
      [
        { name: "clusters", description: areas.clusters },
        { name: "keys", description: areas.keys }
      ]
    ])
  })

  it("is empty, and still valid, without endpoints", async () => {
    const empty = documentOf([], { version: "1", externalUrl: "http://x" })
    expect(empty.paths).toEqual({})
    expect(await new Validator().validate({ ...structuredClone(empty) })).toMatchObject({ valid: true })
  })
})

describe("a read", () => {
  const operation = document.paths["/admin/clusters"]?.get

  it("lists its query parameters, paging and headers", () => {
    expect(operation?.parameters).toEqual([
      { name: "labels", in: "query", style: "form", explode: false, schema: { type: "array", items: { type: "string" } } },
      {
        name: "state",
        in: "query",
        description: "Which clusters.",
        schema: { type: "string", enum: ["enabled", "disabled"], default: "enabled" }
      },
      { name: "since", in: "query", deprecated: true, schema: { type: "string", format: "date-time" } },
      { $ref: "#/components/parameters/Page" },
      { $ref: "#/components/parameters/PerPage" },
      { $ref: "#/components/parameters/IfNoneMatch" },
      { $ref: "#/components/parameters/IfConsistentWith" },
      { $ref: "#/components/parameters/Sudo" }
    ])
  })

  it("shows the body, the paging headers and 304", () => {
    expect(operation).toMatchObject({
      operationId: "clusters.list",
      responses: {
        200: {
          headers: { ETag: {}, Link: {}, "X-Total": {} },
          content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Cluster" } } } }
        },
        304: { headers: { ETag: { $ref: "#/components/headers/ETag" } } }
      }
    })
    expect(resolve("#/components/schemas/Cluster")).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        name: { type: "string" },
        created_at: { type: "string" },
        domain: { anyOf: [{ type: "string" }, { type: "null" }] }
      },
      required: ["id", "name", "created_at", "domain"]
    })
  })

  it("tells the scopes and that a token is optional", () => {
    expect(document.paths["/keys/{id}"]?.get).toMatchObject({
      description: "Access: anyone; a token is optional. Token scope: `api` or `read_api` or `read_user`.",
      security: [{}, { privateToken: [] }, { bearer: [] }, { privateTokenParameter: [] }],
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, {}, {}, {}]
    })
  })
})

describe("successes", () => {
  const requestId = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } }
  const written = { ...requestId, "X-Chronoforge-Position": { $ref: "#/components/headers/X-Chronoforge-Position" } }

  it("with bytes have their types", () => {
    const responses = new Map(Object.entries(document.paths["/keys/{id}/raw"]?.get?.responses ?? {}))
    expect(responses.get("200")).toEqual({
      description: "The bytes.",
      headers: { ...requestId, ETag: { $ref: "#/components/headers/ETag" } },
      content: {
        "text/plain": { schema: { type: "string", format: "binary" } },
        "application/*": { schema: { type: "string", format: "binary" } }
      }
    })
  })

  it("are all told, with the body of each", () => {
    const responses = new Map(Object.entries(document.paths["/keys/{id}/enable"]?.post?.responses ?? {}))
    expect([200, 201, 304].map((status) => responses.get(String(status)))).toEqual([
      {
        description: "It may be enabled.",
        headers: written,
        content: {
          "application/json": { schema: { type: "object", properties: { tried: { type: "boolean" } }, required: ["tried"] } }
        }
      },
      {
        description: "Created.",
        headers: written,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Cluster" } } }
      },
      { description: "Nothing changed; no body.", headers: written }
    ])
  })
})

describe("refusals", () => {
  const responsesOf = (method: "GET" | "DELETE", refusals = {}) => {
    const endpoint = { ...findKey, method, path: "/projects/:id/keys", refusals } as const
    const { paths } = documentOf([endpoint], { version: "1", externalUrl: "http://x" })
    return new Map(Object.entries(paths["/projects/{id}/keys"]?.[method.toLowerCase()]?.responses ?? {}))
  }

  it("tell of former paths", () => {
    expect(responsesOf("GET").get("301")).toEqual({
      description: "The project or group has another path by now.",
      headers: {
        "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
        Location: { $ref: "#/components/headers/Location" }
      },
      content: { "text/plain": { schema: { type: "string", description: "A sentence with the present address." } } }
    })
    expect(responsesOf("DELETE").has("301")).toBe(false)
    expect(responsesOf("DELETE").get("405")).toMatchObject({ description: "The project or group has another path by now." })
    expect(document.paths["/keys/{id}"]?.get?.responses).not.toHaveProperty("301")
  })

  it("with 429 are text, and JSON where the endpoint has a limit of its own", () => {
    const headers = { "Retry-After": { $ref: "#/components/headers/Retry-After" } }
    const text = { "text/plain": { schema: { type: "string", const: "Retry later\n" } } }
    const ofEndpoint = { "application/json": { schema: { $ref: "#/components/schemas/DownloadLimitError" } } }
    expect(responsesOf("GET").get("429")).toEqual({ description: "Too many requests.", headers, content: text })
    expect(responsesOf("GET", { 429: "Too many keys." }).get("429")).toEqual({
      description: "Too many keys. Too many requests.",
      headers,
      content: { ...text, ...ofEndpoint }
    })
  })
})

describe("a write", () => {
  const operation = document.paths["/admin/clusters/add"]?.post

  it("takes nested JSON", () => {
    expect(operation).toMatchObject({
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: {
                name: { type: "string", description: "Name of the cluster." },
                enabled: { type: "boolean", default: true },
                management_project_id: { type: "integer" },
                scopes: { type: "array", items: { type: "string" } },
                nodes: {
                  type: "array",
                  items: { type: "object", properties: { size: { type: "integer" }, zone: { type: "string" } } }
                },
                platform_kubernetes_attributes: {
                  type: "object",
                  properties: { api_url: { type: "string", pattern: "^https?:", minLength: 1 }, namespace: { type: "string" } },
                  required: ["api_url"]
                }
              },
              required: ["name", "platform_kubernetes_attributes"]
            },
            example: {
              name: "production",
              scopes: ["a", "b"],
              nodes: [{ size: 3 }],
              platform_kubernetes_attributes: { api_url: "https://k8s" }
            }
          }
        }
      }
    })
  })

  it.each(["application/x-www-form-urlencoded", "multipart/form-data"])("takes bracket names as %s", (type) => {
    expect(operation).toMatchObject({
      requestBody: {
        content: {
          [type]: {
            schema: {
              type: "object",
              properties: {
                name: { type: "string", description: "Name of the cluster." },
                enabled: { type: "boolean", default: true },
                management_project_id: { type: "integer" },
                "scopes[]": { type: "array", items: { type: "string" } },
                "nodes[][size]": { type: "integer" },
                "nodes[][zone]": { type: "string" },
                "platform_kubernetes_attributes[api_url]": { type: "string", pattern: "^https?:", minLength: 1 },
                "platform_kubernetes_attributes[namespace]": { type: "string" }
              },
              required: ["name", "platform_kubernetes_attributes[api_url]"]
            },
            example: {
              name: "production",
              "scopes[]": ["a", "b"],
              "nodes[][size]": 3,
              "platform_kubernetes_attributes[api_url]": "https://k8s"
            }
          }
        }
      }
    })
  })

  it("knows that 304 has no body, for writes too", () => {
    const path = "/admin/clusters/{cluster_id}"
    const unchanged = { ...deleteCluster, refusals: { 304: "It is gone already." } }
    const { paths } = documentOf([unchanged], { version: "1", externalUrl: "http://x" })
    expect(new Map(Object.entries(paths[path]?.delete?.responses ?? {})).get("304")).toEqual({
      description: "It is gone already.",
      headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } }
    })
  })

  it("describes the success and every family of refusals", () => {
    const { responses } = { responses: {}, ...operation }
    expect(Object.keys(responses)).toEqual(["201", "400", "401", "403", "409", "413", "415", "422", "429", "500", "503"])
    expect(responses).toMatchObject({
      201: { description: "Created.", content: { "application/json": inBody("Cluster") } },
      400: {
        description:
          "Another cluster has the same scope. Parameters are missing or cannot be read, or the record does not accept them.",
        content: {
          "application/json": {
            schema: {
              anyOf: [
                { $ref: "#/components/schemas/ParameterError" },
                { $ref: "#/components/schemas/AttributeErrors" },
                { $ref: "#/components/schemas/MessageError" }
              ]
            }
          }
        }
      },
      503: { headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } } }
    })
  })

  it("says in words what a rule over several parameters demands", () => {
    expect(operation?.description).toBe(
      "Access: administrators. Token scope: `api`.\n\n`management_project_id`, `scopes`: they exclude each other."
    )
  })

  it("marks deprecations, and has no body where there is nothing to send", () => {
    const deletion = document.paths["/admin/clusters/{cluster_id}"]?.delete
    expect(deletion).toMatchObject({
      deprecated: true,
      parameters: [
        { name: "cluster_id", in: "path", required: true, schema: { type: "integer" }, example: 7 },
        { $ref: "#/components/parameters/IdempotencyKey" },
        { $ref: "#/components/parameters/IfUnmodifiedSince" },
        { $ref: "#/components/parameters/IfConsistentWith" },
        { $ref: "#/components/parameters/Sudo" }
      ],
      responses: { 204: { description: "Done; no body." }, 412: {} }
    })
    expect(deletion).not.toHaveProperty("requestBody")
  })
})
