import type { PlannedVariable } from "../plan.ts"
import { at, isBlank, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { isBoolean, mapAt } from "./checks.ts"
import { type Place, within, wrong } from "./place.ts"

/** The keys of a variable that is a map; those that only forms show are of no use here. */
export type VariableKeys = ReadonlyArray<"value" | "description" | "options" | "expand">

export const globalVariableKeys: VariableKeys = ["value", "description", "expand", "options"]
export const jobVariableKeys: VariableKeys = ["value", "expand"]

/** Variables as a map of texts, numbers and booleans, or of maps with these keys. */
export const readVariables = (value: Value, keys: VariableKeys, place: Place): ReadonlyArray<PlannedVariable> =>
  Array.from(mapAt(value, place) ?? [], ([key, item]) => readVariable(key, item, keys, place)).flatMap(
    (variable) => variable ?? []
  )

type Scalar = boolean | number | string

const isScalar = (value: Value | undefined): value is Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const readVariable = (key: string, value: Value, keys: VariableKeys, place: Place): PlannedVariable | undefined => {
  if (isScalar(value)) return { key, value: String(value), isExpanded: true }
  const map = value === null ? new Map<string, Value>() : value
  if (isMap(map)) return readMap(key, map, keys, within(place, key))
  place.reading.faults.push("variable definition must be either a string or a hash")
  return undefined
}

const readMap = (key: string, map: ValueMap, keys: VariableKeys, place: Place): PlannedVariable => {
  const value = at(map, "value")
  const expand = at(map, "expand")
  if (value !== null && !isScalar(value)) wrong(place, "config value must be a scalar")
  if (expand !== null && !isBoolean(expand)) wrong(place, "config expand should be a boolean value")
  const extra = [...map.keys()].filter((name) => !keys.some((known) => known === name))
  if (keys.length === 0) wrong(place, "config must be a string")
  else if (extra.length > 0) wrong(place, `config uses invalid data keys: ${extra.join(", ")}`)
  else checkForm(map, value, place)
  return { key, value: isScalar(value) ? String(value) : "", isExpanded: expand !== false }
}

const checkForm = (map: ValueMap, value: Value, place: Place): void => {
  const description = at(map, "description")
  const options = at(map, "options")
  if (description !== null && typeof description !== "string" && typeof description !== "number")
    wrong(place, "config description must be an alphanumeric string")
  if (options !== null && !isTexts(options)) wrong(place, "config options should be an array of strings")
  if (isList(options) && !isBlank(options) && !options.includes(value)) wrong(place, "config value must be present in options")
}
