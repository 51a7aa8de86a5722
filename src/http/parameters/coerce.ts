import { isStorable } from "../../kernel/characters.ts"
import { type Moment, parseMoment } from "./dateTimes.ts"
import type { Parameter } from "./parameters.ts"

/** Marks a value that cannot be coerced, which is answered as `x is invalid`. */
export const invalid: unique symbol = Symbol("invalid")

/** A value of the parameter's kind; null for an explicit null, and for blank text where text is not what is asked for. */
export type Coerced<A> = A | null | typeof invalid

/** Gap: NUL cannot be stored by Postgres and a lone surrogate not be encoded, so neither is accepted anywhere. */
export const toText = (raw: unknown): Coerced<string> => {
  if (typeof raw === "string") return isStorable(raw) ? raw : invalid
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw)
  return raw === null ? null : invalid
}

const integerText = /^\s*[+-]?\d+(?:_\d+)*\s*$/

/** Gap: numbers that JavaScript cannot hold exactly (beyond ±2^53 - 1) are refused rather than rounded. */
const safeInteger = (value: number): number | typeof invalid => {
  const truncated = Math.trunc(value) + 0 // turns -0 into 0
  return Number.isSafeInteger(truncated) ? truncated : invalid
}

export const toInteger = (raw: unknown): Coerced<number> => {
  if (typeof raw === "number") return safeInteger(raw)
  if (raw === null || raw === "") return null
  if (typeof raw !== "string" || !integerText.test(raw)) return invalid
  return safeInteger(Number(raw.replaceAll("_", "")))
}

const floatText = /^\s*[+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+)?\s*$/i

export const toFloat = (raw: unknown): Coerced<number> => {
  if (raw === null || raw === "") return null
  const value = typeof raw === "string" && floatText.test(raw) ? Number(raw.replaceAll("_", "")) : raw
  return typeof value === "number" && Number.isFinite(value) ? value : invalid
}

const isInteger = (raw: unknown): boolean => (typeof raw === "string" ? integerText.test(raw) : Number.isInteger(raw))

/** Coerces an id. Beyond the largest number that is held exactly nothing has one: such a number becomes that one, and is not found. */
export const toId = (raw: unknown): Coerced<number> => {
  const coerced = toInteger(raw)
  return coerced === invalid && isInteger(raw) ? Number.MAX_SAFE_INTEGER : coerced
}

const trueTexts = ["1", "on", "On", "ON", "t", "T", "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES"]
const falseTexts = ["0", "off", "Off", "OFF", "f", "F", "false", "False", "FALSE", "n", "N", "no", "No", "NO"]
const booleans: ReadonlyMap<unknown, boolean | null> = new Map<unknown, boolean | null>([
  ...trueTexts.map((text) => [text, true] as const),
  ...falseTexts.map((text) => [text, false] as const),
  [1, true],
  [true, true],
  [0, false],
  [false, false],
  ["", null],
  [null, null]
])

export const toBoolean = (raw: unknown): Coerced<boolean> => {
  const value = booleans.get(raw)
  return value === undefined ? invalid : value
}

/** Coerces to milliseconds since 1970. */
export const toDateTime = (raw: unknown): Coerced<number> => {
  if (raw === null || raw === "") return null
  return typeof raw === "string" ? (parseMoment(raw)?.millis ?? invalid) : invalid
}

export const toMoment = (raw: unknown): Coerced<Moment> => {
  if (raw === null || raw === "") return null
  return typeof raw === "string" ? (parseMoment(raw) ?? invalid) : invalid
}

/** Coerces to the day `YYYY-MM-DD` as written, whatever the zone behind it. */
export const toDate = (raw: unknown): Coerced<string> => {
  if (raw === null || raw === "") return null
  return typeof raw === "string" ? (parseMoment(raw)?.day ?? invalid) : invalid
}

/** Gap: no list in this interface is near this long; a longer one is refused before it costs memory. */
export const maxElements = 10_000

/** Splits as the reference does: blanks at the end vanish, those between stay. */
const commaSeparated = (text: string): ReadonlyArray<string> => {
  const parts = text.split(",", maxElements + 1)
  const last = parts.findLastIndex((part) => part !== "")
  return parts.slice(0, last + 1).map((part) => part.trim())
}

/** Whether a name is an index: `x[0]=a&x[1]=b` arrives as an object with such names. */
const isIndex = (name: string): boolean => /^\d+$/.test(name)

/**
 * The elements of an array, of an object whose names are all indices, or of one value.
 * Gap: the reference turns other objects into an empty list, which would silently clear what was there; they are refused.
 */
export const elementsOf = (raw: unknown): ReadonlyArray<unknown> | typeof invalid => {
  if (Array.isArray(raw)) return raw
  if (typeof raw !== "object" || raw === null) return [raw]
  return Object.keys(raw).every(isIndex) ? Object.values(raw) : invalid
}

export const toTextList = (raw: unknown): Coerced<ReadonlyArray<string>> => {
  if (raw === null) return null
  const elements = elementsOf(raw)
  if (elements === invalid) return invalid
  const texts: Array<string> = []
  for (const element of elements) {
    const text = toText(element)
    if (text === invalid) return invalid
    if (text !== null) texts.push(...commaSeparated(text))
    if (texts.length > maxElements) return invalid
  }
  return texts
}

/** Coerces words among fixed ones: a blank is a word that nobody knows. */
export const toWordList = (raw: unknown): Coerced<ReadonlyArray<string>> => {
  const elements = raw === null ? [] : elementsOf(raw)
  const isBlank = (element: unknown) => typeof element === "string" && !/\S/.test(element)
  return elements !== invalid && elements.some(isBlank) ? [""] : toTextList(raw)
}

/** Coerces ids. Junk is 0 and what follows a number is ignored, as in the reference. */
export const toIntegerList = (raw: unknown): Coerced<ReadonlyArray<number>> => {
  const texts = toTextList(raw)
  if (texts === null || texts === invalid) return texts
  const numbers: Array<number> = []
  for (const text of texts) {
    const [digits = "0"] = /^[+-]?\d+(?:_\d+)*/.exec(text) ?? []
    const id = toId(digits)
    if (typeof id === "number") numbers.push(id)
  }
  return numbers
}

/** The coercion of a kind that is one value or a list; hashes are decoded field by field. */
export const coercionOf = (kind: Exclude<Parameter["kind"], "hash" | "hashList">): ((raw: unknown) => Coerced<unknown>) => {
  switch (kind) {
    case "string":
      return toText
    case "integer":
      return toInteger
    case "float":
      return toFloat
    case "boolean":
      return toBoolean
    case "dateTime":
      return toDateTime
    case "moment":
      return toMoment
    case "date":
      return toDate
    case "stringList":
      return toTextList
    case "integerList":
      return toIntegerList
  }
}
