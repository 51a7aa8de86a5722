import type { Schema } from "effect"

/** What a configuration is made of. Values are never changed, so they may stand in several places at once. */
export type Value = null | boolean | number | string | ReadonlyArray<Value> | ValueMap | Reference

/** Its keys are in the order in which they stand in the file. */
export type ValueMap = ReadonlyMap<string, Value>

/** `!reference [...]`, which stands for the value at a path from the root. */
export interface Reference {
  readonly reference: Value
}

export const isList = (value: Value | undefined): value is ReadonlyArray<Value> => Array.isArray(value)

export const isMap = (value: Value | undefined): value is ValueMap => value instanceof Map

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === "object" && value !== null && "reference" in value

export const isTexts = (value: Value | undefined): value is ReadonlyArray<string> =>
  isList(value) && value.every((item) => typeof item === "string")

/** Texts as the reference tells of them: `["a", "b"]`. */
export const inspected = (texts: ReadonlyArray<string>): string => `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`

/** Whether nothing is there: null, false, a blank text, an empty list or map. */
export const isBlank = (value: Value | undefined): boolean => {
  if (value === undefined || value === null || value === false) return true
  if (typeof value === "string") return value.trim() === ""
  return isList(value) ? value.length === 0 : isMap(value) && value.size === 0
}

/** The value of a key; null if it has none. */
export const at = (map: ValueMap, key: string): Value => map.get(key) ?? null

interface Measure {
  /** About the bytes of memory it takes where nothing is shared. */
  readonly weight: number
  /** Lists and maps within one another. */
  readonly depth: number
}

const weightOfValue = 40
/** Shorter texts take no memory of their own in the reference. */
const lightText = 23

const measures = new WeakMap<object, Measure>()

const weightOfText = (text: string): number => weightOfValue + (text.length > lightText ? text.length : 0)

const lightMeasure: Measure = { weight: weightOfValue, depth: 0 }

/** What a value takes, each part counted as often as it stands in it. Parts that stand in it twice are visited once. */
export const measureOf = (value: Value): Measure => {
  if (typeof value === "string") return { weight: weightOfText(value), depth: 0 }
  if (typeof value !== "object" || value === null) return lightMeasure
  const known = measures.get(value)
  if (known !== undefined) return known
  let weight = weightOfValue
  let depth = 0
  if (isMap(value)) for (const key of value.keys()) weight += weightOfText(key)
  for (const child of isReference(value) ? [value.reference] : value.values()) {
    const measure = measureOf(child)
    weight += measure.weight
    depth = Math.max(depth, measure.depth)
  }
  const measure = { weight, depth: depth + 1 }
  measures.set(value, measure)
  return measure
}

/** A value as executors are handed it. */
export const toJson = (value: Value): Schema.Json => {
  if (isMap(value)) return Object.fromEntries(Array.from(value, ([key, item]) => [key, toJson(item)]))
  if (isList(value)) return value.map(toJson)
  return isReference(value) ? null : value
}
