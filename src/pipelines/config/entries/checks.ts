import { maxNesting } from "../limits.ts"
import { at, isList, isMap, isTexts, type Value, type ValueMap } from "../value.ts"
import { type Place, wrong } from "./place.ts"

export const isInteger = (value: Value | undefined): value is number => Number.isInteger(value)

export const isBoolean = (value: Value | undefined): value is boolean => typeof value === "boolean"

export const isText = (value: Value | undefined): value is string => typeof value === "string"

/** Whether a map has no keys but these; otherwise it is told. */
export const hasOnly = (map: ValueMap, keys: ReadonlyArray<string>, place: Place): boolean => {
  const unknown = [...map.keys()].filter((key) => !keys.includes(key))
  if (unknown.length === 0) return true
  wrong(place, `config contains unknown keys: ${unknown.join(", ")}`)
  return false
}

/** A text, or the texts of a list; undefined for anything else. */
export const textsOf = (value: Value | undefined): ReadonlyArray<string> | undefined => {
  if (isText(value)) return [value]
  return isTexts(value) ? value : undefined
}

/** The items of a list and of the lists in it; undefined where lists are nested too deeply. */
export const flattened = (value: Value, levels = maxNesting): ReadonlyArray<Value> | undefined => {
  if (!isList(value)) return [value]
  if (levels <= 0) return undefined
  const items: Array<Value> = []
  for (const item of value) {
    if (!isList(item)) items.push(item)
    else {
      const inner = flattened(item, levels - 1)
      if (inner === undefined) return undefined
      for (const one of inner) items.push(one)
    }
  }
  return items
}

/** Reads a map; anything else is told. */
export const mapAt = (value: Value, place: Place): ValueMap | undefined =>
  isMap(value) ? value : wrong(place, "config should be a hash")

export const booleanAt = (value: Value, place: Place): boolean | undefined =>
  isBoolean(value) ? value : wrong(place, "config should be a boolean value")

export const textsAt = (value: Value, place: Place): ReadonlyArray<string> | undefined =>
  isTexts(value) ? value : wrong(place, "config should be an array of strings")

/** What is wrong with the attribute of an entry if it is there and does not fit. */
export const attribute = <A extends Value>(
  map: ValueMap,
  [key, fits, fault]: readonly [key: string, fits: (value: Value) => value is A, fault: string],
  place: Place
): A | undefined => {
  const value = at(map, key)
  if (value === null) return undefined
  return fits(value) ? value : wrong(place, `${key.replaceAll("_", " ")} ${fault}`)
}
