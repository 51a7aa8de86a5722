import type { OpenApiDocument } from "#src/http/openapi/openapi.ts"

interface DocumentedParameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: { readonly default?: unknown }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<DocumentedParameter | { readonly $ref: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: Sample["body"] }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** What the tests read of a document that came over the wire. */
export interface Documented extends Pick<OpenApiDocument, "openapi"> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, DocumentedParameter>> }
}

export const isDocument = (body: unknown): body is Documented => typeof body === "object" && body !== null && "openapi" in body

/** A request as tools that read the document propose it. */
export interface Sample {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  /** The example of the body in the encoding that was asked for. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The types of bodies that the operation lists, by status. */
  readonly answers: ReadonlyMap<number, ReadonlyArray<string>>
}

const isInline = (parameter: DocumentedOperation["parameters"][number]): parameter is DocumentedParameter => "name" in parameter

const parametersOf = (document: Documented, { parameters }: DocumentedOperation): ReadonlyArray<DocumentedParameter> =>
  parameters.flatMap((parameter) =>
    isInline(parameter) ? [parameter] : (document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""] ?? [])
  )

/** The sample of each operation: with the examples of parameters, and, as some tools do, with their defaults. */
export const samplesOf = (
  document: Documented,
  { encoding = "application/json", withDefaults = false } = {}
): ReadonlyArray<Sample> =>
  Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]): Sample => {
      const parameters = parametersOf(document, operation)
      const proposed = ({ example, schema }: DocumentedParameter) => example ?? (withDefaults ? schema.default : undefined)
      const body = operation.requestBody?.content[encoding]?.example
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const parameter = parameters.find((each) => each.in === "path" && each.name === name)
          return encodeURIComponent(String(parameter?.example))
        }),
        query: parameters.flatMap((parameter) => {
          const value = proposed(parameter)
          return parameter.in === "query" && value !== undefined ? [[parameter.name, String(value)] as const] : []
        }),
        ...(body !== undefined && { body }),
        answers: new Map(
          Object.entries(operation.responses).map(([status, { content = {} }]) => [Number(status), Object.keys(content)])
        )
      }
    })
  )
