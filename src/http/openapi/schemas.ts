import { JsonSchema, Schema, SchemaRepresentation } from "effect"
import type { Success } from "../answer/success.ts"
import { type Endpoint, successesOf } from "../Endpoint.ts"
import type { JsonObject } from "./components.ts"

const saysNothing = (key: string, value: unknown): boolean =>
  (key === "additionalProperties" && value === true) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER)

/** Removes from a schema what holds for every object and every integer. */
const concise = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(concise)
  if (typeof schema !== "object" || schema === null) return schema
  return conciseObject(schema)
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value)

/** A schema in one, where texts of its place stand apart from it. */
const joined = ({ allOf, ...schema }: JsonObject): JsonObject => {
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return allOf === undefined ? schema : { ...schema, allOf }
  return Object.fromEntries([schema, ...allOf].flatMap((part) => Object.entries(part)))
}

const conciseObject = (schema: object): JsonObject =>
  Object.fromEntries(
    Object.entries(joined({ ...schema })).flatMap(([key, value]) =>
      saysNothing(key, value) ? [] : [[key, concise(value)] as const]
    )
  )

export interface BodySchemas {
  /** Schema of the body of a success; undefined where it is not JSON. */
  readonly of: (success: Success) => JsonObject | undefined
  /** Schemas with an identifier, which the others refer to. */
  readonly definitions: Readonly<Record<string, JsonObject>>
}

type Body = NonNullable<Success["body"]>

const jsonSchemaOf = (body: Body) =>
  JsonSchema.toMultiDocumentOpenApi3_1(
    SchemaRepresentation.toJsonSchemaMultiDocument(SchemaRepresentation.toRepresentations([Schema.toCodecJson(body).ast]))
  )

/** The wire shapes of all success bodies as JSON Schema; shapes with an identifier become shared definitions. It pauses between bodies. */
export const bodySchemas = function* (endpoints: ReadonlyArray<Endpoint>): Generator<void, BodySchemas, void> {
  const roots = new Map<Body, JsonObject>()
  const definitions: Record<string, JsonObject> = {}
  for (const body of new Set(endpoints.flatMap(successesOf).flatMap(({ body }) => body ?? []))) {
    const { definitions: shared, schemas } = jsonSchemaOf(body)
    for (const schema of schemas) roots.set(body, conciseObject(schema))
    for (const [name, schema] of Object.entries(shared)) definitions[name] ??= conciseObject(schema)
    yield
  }
  return { of: ({ body }) => body && roots.get(body), definitions }
}
