import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { openApi } from "#src/http/openapi/openapi.ts"
import { pathNames } from "#src/http/openapi/parameters.ts"
import { documentOf } from "./documentOf.ts"

const endpoints = routes.map(({ endpoint }) => endpoint)
const options = { version: "1.2.3", externalUrl: "https://forge.example" }
const document = documentOf(endpoints, options)

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** A part of the document with where it stands. */
interface Found {
  readonly at: string
  readonly node: Node
}

const everywhere = (value: unknown, at = "#"): ReadonlyArray<Found> =>
  isNode(value)
    ? [{ at, node: value }, ...Object.entries(value).flatMap(([key, inner]) => everywhere(inner, `${at}/${key}`))]
    : []

it("pauses between endpoints, and between what they answer", () => {
  expect([...openApi(endpoints, options)].length).toBeGreaterThan(endpoints.length + 100)
})

const found = everywhere(document)
const placesOf = (chosen: ReadonlyArray<Found>) => chosen.map(({ at }) => at)
const children = ({ at, node }: Found, key: string): ReadonlyArray<Found> =>
  Object.entries(node[key] ?? {}).map(([name, inner]) => ({ at: `${at}/${key}/${name}`, node: inner }))

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, node]) => ({ at: `${method} ${path}`, node }))
)
const isDescribed = ({ node }: Found): boolean =>
  typeof node.description === "string" && /^[A-Z0-9`].*[.`]$/s.test(node.description)

const parameters = found.filter(({ node }) => typeof node.in === "string" && typeof node.name === "string" && isNode(node.schema))
const headers = Object.entries(document.components.headers ?? {}).map(([at, node]) => ({ at, node: isNode(node) ? node : {} }))
const attributes = found
  .filter(({ at, node }) => node.type === "object" && isNode(node.properties) && !at.endsWith("/properties"))
  .flatMap((object) => children(object, "properties"))
const bodies = operations.flatMap(({ at, node }) =>
  isNode(node.requestBody) ? children({ at, node: node.requestBody }, "content") : []
)

describe("everything in the document of all endpoints", () => {
  it.each([
    ["areas", document.tags.map((node) => ({ at: node.name, node: { ...node } })), 8],
    ["operations", operations, 140],
    ["parameters", parameters, 400],
    ["headers", headers, 10],
    ["attributes", attributes, 1_500]
  ])("%s are described in sentences", (_, parts, atLeast) => {
    expect(parts.length).toBeGreaterThanOrEqual(atLeast)
    expect(placesOf(parts.filter((part) => !isDescribed(part)))).toEqual([])
  })

  it("has the items of each array", () => {
    const arrays = found.filter(({ node }) => node.type === "array")
    expect(arrays.length).toBeGreaterThan(100)
    expect(placesOf(arrays.filter(({ node }) => !isNode(node.items)))).toEqual([])
  })

  it("has a name for each operation, and an area that is described", () => {
    const names = operations.map(({ node }) => String(node.operationId))
    expect(names.toSorted()).toEqual([...new Set(endpoints.map(({ name }) => name))].toSorted())
    const areas = document.tags.map(({ name }) => name)
    expect(operations.filter(({ node }) => ![node.tags].flat(2).every((tag) => areas.includes(String(tag))))).toEqual([])
  })

  it("declares what stands in paths", () => {
    const undeclared = endpoints.flatMap(({ name, parameters: table, path }) =>
      pathNames(path).flatMap((parameter) => (table[parameter]?.required === true ? [] : [`${name}: ${parameter}`]))
    )
    expect(undeclared).toEqual([])
  })

  it("has an example of each required parameter, and of each body", () => {
    const required = parameters.filter(({ node }) => node.required === true)
    expect(placesOf(required.filter(({ node }) => node.example === undefined))).toEqual([])
    expect(bodies.length).toBeGreaterThan(100)
    const isFile = ({ schema }: Node) => isNode(schema) && schema.format === "binary"
    expect(placesOf(bodies.filter(({ node }) => !isNode(node.example) && !isFile(node)))).toEqual([])
  })

  it("has examples that its schemas accept", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const examples = [...parameters, ...bodies].filter(({ node }) => node.example !== undefined)
    expect(examples.length).toBeGreaterThan(200)
    expect(placesOf(examples.filter(({ node }) => isNode(node.schema) && !ajv.validate(node.schema, node.example)))).toEqual([])
  })

  it("leaves out of samples what need not be sent", () => {
    const optional = parameters.filter(({ node }) => node.required !== true && node.example !== undefined)
    expect(placesOf(optional)).toEqual([])
  })

  it("tells the types of bytes", () => {
    const typesOf = (path: string) => {
      const responses: unknown = document.paths[path]?.get?.responses
      const success = isNode(responses) ? responses[200] : undefined
      return isNode(success) && isNode(success.content) ? Object.keys(success.content) : []
    }
    const project = "/projects/{id}/repository"
    expect(typesOf(`${project}/archive`)).toEqual(["application/octet-stream", "application/zip"])
    expect(typesOf(`${project}/archive.{format}`)).toEqual(["application/octet-stream", "application/zip"])
    expect(typesOf(`${project}/files/{file_path}/raw`)).toEqual(["text/plain"])
    expect(typesOf(`${project}/blobs/{sha}/raw`)).toEqual([
      "text/plain",
      "application/octet-stream",
      "image/png",
      "image/gif",
      "image/jpeg",
      "image/webp",
      "image/bmp",
      "image/x-icon",
      "application/pdf",
      "audio/mpeg",
      "audio/wave",
      "application/ogg",
      "video/webm",
      "video/avi",
      "video/mp4"
    ])
  })
})
