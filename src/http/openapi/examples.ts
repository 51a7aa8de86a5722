import { defined } from "../../kernel/defined.ts"
import type { Parameter, ParameterTable } from "../parameters/parameters.ts"
import type { JsonObject } from "./components.ts"

/** The examples of those that have one; undefined where none has. */
const tableExample = (table: ParameterTable): JsonObject | undefined => {
  const examples = defined(Object.fromEntries(Object.entries(table).map(([name, each]) => [name, exampleOf(each)])))
  return Object.keys(examples).length > 0 ? examples : undefined
}

/** The example of a parameter; that of an object, or of a list of objects, is made of its fields. */
export const exampleOf = (parameter: Parameter): unknown => {
  if (parameter.kind === "hash") return tableExample(parameter.fields)
  if (parameter.kind !== "hashList") return parameter.example
  const element = tableExample(parameter.fields)
  return element && [element]
}

/** A body that holds the attributes with an example, and no other. */
export const bodyExample = (table: ParameterTable): JsonObject => tableExample(table) ?? {}
