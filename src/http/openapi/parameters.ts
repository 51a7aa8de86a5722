import { defined } from "../../kernel/defined.ts"
import type { Endpoint } from "../Endpoint.ts"
import type { Parameter, ParameterGroup, ParameterTable } from "../parameters/parameters.ts"
import { type JsonObject, reference } from "./components.ts"
import { bodyExample, exampleOf } from "./examples.ts"

type Entry = readonly [name: string, parameter: Parameter]

/** The names in a path, such as `cluster_id` in `/admin/clusters/:cluster_id`. */
export const pathNames = (path: string): ReadonlyArray<string> => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "")

const writes = new Set(["POST", "PUT", "PATCH"])

/** Whether parameters may be in the body. */
const hasParametersInBody = ({ method, takesFile }: Endpoint): boolean => writes.has(method) && takesFile === undefined

/** Schema of the values of one parameter, as JSON. */
export const parameterSchema = (parameter: Parameter): JsonObject => {
  switch (parameter.kind) {
    case "string":
      return {
        type: "string",
        ...defined({
          enum: parameter.values ?? parameter.oneOf?.values,
          // A pattern with flags cannot be expressed.
          pattern: parameter.pattern?.flags === "" ? parameter.pattern.source : undefined,
          minLength: parameter.allowBlank === false ? 1 : undefined
        }),
        ...withDefault(parameter.default)
      }
    case "integer":
      return {
        type: "integer",
        ...defined({ enum: parameter.values, not: parameter.forbidden && { enum: parameter.forbidden } }),
        ...withDefault(parameter.default)
      }
    case "float":
      return { type: "number" }
    case "boolean":
      return { type: "boolean", ...withDefault(parameter.default) }
    case "dateTime":
    case "moment":
      return { type: "string", format: "date-time" }
    case "date":
      return { type: "string", format: "date" }
    case "stringList":
      return {
        type: "array",
        items: { type: "string", ...defined({ enum: parameter.values }) },
        ...defined({ minItems: parameter.allowBlank === false ? 1 : undefined })
      }
    case "integerList":
      return { type: "array", items: { type: "integer" } }
    case "hashList":
      return { type: "array", items: objectSchema(Object.entries(parameter.fields), describedSchema) }
    case "hash":
      return objectSchema(Object.entries(parameter.fields), describedSchema)
  }
}

const withDefault = (value: unknown): JsonObject => defined({ default: value })

const notes = ({ deprecated, description }: Parameter): JsonObject =>
  defined({ description, deprecated: deprecated || undefined })

const describedSchema = (parameter: Parameter): JsonObject => ({ ...parameterSchema(parameter), ...notes(parameter) })

const objectSchema = (entries: ReadonlyArray<Entry>, schemaOf: (parameter: Parameter) => JsonObject): JsonObject => {
  const required = entries.filter(([, parameter]) => parameter.required).map(([name]) => name)
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, schemaOf(parameter)])),
    ...(required.length > 0 && { required })
  }
}

/** The names as forms write them: `outer[inner]` for hashes, `name[]` for lists. */
const formEntries = (table: ParameterTable, outer?: string, outerRequired = true): ReadonlyArray<Entry> =>
  Object.entries(table).flatMap(([name, parameter]): ReadonlyArray<Entry> => {
    const full = outer === undefined ? name : `${outer}[${name}]`
    const required = outerRequired && parameter.required === true
    if (parameter.kind === "hash") return formEntries(parameter.fields, full, required)
    if (parameter.kind === "hashList") return formEntries(parameter.fields, `${full}[]`, required)
    const list = parameter.kind === "stringList" || parameter.kind === "integerList"
    return [[list ? `${full}[]` : full, { ...parameter, required }]]
  })

const groupTexts: Readonly<Record<ParameterGroup["rule"], string>> = {
  atLeastOneOf: "At least one of them is required",
  exactlyOneOf: "Exactly one of them is required",
  mutuallyExclusive: "They exclude each other",
  allOrNoneOf: "They come together or not at all"
}

/** What a rule over several parameters demands, in words. */
export const groupText = ({ rule, names }: ParameterGroup): string =>
  `${names.map((name) => `\`${name}\``).join(", ")}: ${groupTexts[rule].toLowerCase()}.`

const parameterObject = ([name, parameter]: Entry, where: "path" | "query"): JsonObject => ({
  name,
  in: where,
  ...notes(parameter),
  ...((where === "path" || parameter.required) && { required: true }),
  ...queryStyle(parameter),
  schema: parameterSchema(parameter),
  ...defined({ example: exampleOf(parameter) })
})

const queryStyle = ({ kind }: Parameter): JsonObject => {
  if (kind === "hash") return { style: "deepObject", explode: true }
  return kind === "stringList" || kind === "integerList" ? { style: "form", explode: false } : {}
}

const ownEntries = (endpoint: Endpoint): ReadonlyArray<Entry> => {
  const path = pathNames(endpoint.path)
  return Object.entries(endpoint.parameters).filter(([name]) => !path.includes(name))
}

const undeclared: Parameter = { kind: "string" }

/** The path and query parameters, and the headers that the method knows. */
export const operationParameters = (endpoint: Endpoint): ReadonlyArray<JsonObject> => {
  const isRead = endpoint.method === "GET"
  const query = hasParametersInBody(endpoint) ? [] : ownEntries(endpoint)
  const paging = endpoint.paginated ? (["page", "per_page"] as const).filter((name) => !(name in endpoint.parameters)) : []
  return [
    ...pathNames(endpoint.path).map((name) => parameterObject([name, endpoint.parameters[name] ?? undeclared], "path")),
    ...query.map((entry) => parameterObject(entry, "query")),
    ...paging.map((name) => reference("parameters", name === "page" ? "Page" : "PerPage")),
    ...(isRead ? [reference("parameters", "IfNoneMatch")] : [reference("parameters", "IdempotencyKey")]),
    ...(endpoint.method === "DELETE" ? [reference("parameters", "IfUnmodifiedSince")] : []),
    reference("parameters", "IfConsistentWith"),
    reference("parameters", "Sudo")
  ]
}

const binary: JsonObject = { type: "string", format: "binary" }

const fileBody = (takesFile: NonNullable<Endpoint["takesFile"]>): JsonObject => {
  if (takesFile === true) return { required: true, content: { "application/octet-stream": { schema: binary } } }
  const { part } = takesFile
  const properties = { [part]: { ...binary, description: "The file, with its name." } }
  const schema = { type: "object", properties, required: [part] }
  return { required: true, content: { "multipart/form-data": { schema, example: { [part]: "What is in the file." } } } }
}

/** The body of a write in its three encodings, or a file; undefined when there is nothing to send. */
export const requestBody = (endpoint: Endpoint): JsonObject | undefined => {
  if (endpoint.takesFile !== undefined) return fileBody(endpoint.takesFile)
  const entries = ownEntries(endpoint)
  if (!hasParametersInBody(endpoint) || entries.length === 0) return undefined
  const formParameters = formEntries(Object.fromEntries(entries))
  const json = { schema: objectSchema(entries, describedSchema), example: bodyExample(Object.fromEntries(entries)) }
  const form = {
    schema: objectSchema(formParameters, describedSchema),
    example: bodyExample(Object.fromEntries(formParameters))
  }
  return {
    ...(entries.some(([, parameter]) => parameter.required) && { required: true }),
    content: {
      "application/json": json,
      "application/x-www-form-urlencoded": form,
      "multipart/form-data": form
    }
  }
}
