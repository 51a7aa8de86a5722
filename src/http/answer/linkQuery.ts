import type { Parameter, ParameterTable } from "../parameters/parameters.ts"
import { isFields, type RawParameters } from "../parameters/rawParameters.ts"
import { isoMillis } from "./jsonTimes.ts"

/** Encodes as the reference does: spaces become `+`, and only letters, digits and `-._~` stay as they are. */
const encode = (text: string): string => {
  if (/^[\w.~-]*$/.test(text)) return text
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

const textOf = (value: unknown, kind: Parameter["kind"] | undefined): string => {
  if (value === null) return ""
  return kind === "dateTime" && typeof value === "number" ? isoMillis(value) : String(value)
}

const pairsOf = (name: string, value: unknown, parameter: Parameter | undefined): ReadonlyArray<string> => {
  if (value === undefined) return []
  if (Array.isArray(value)) {
    // The elements are one entry, so that sorting keeps their order.
    const elements = value.map((element) => `${encode(`${name}[]`)}=${encode(textOf(element, undefined))}`)
    return elements.length === 0 ? [] : [elements.join("&")]
  }
  if (isFields(value)) {
    const fields = parameter?.kind === "hash" ? parameter.fields : {}
    return Object.entries(value).flatMap(([field, inner]) => pairsOf(`${name}[${field}]`, inner, fields[field]))
  }
  return [`${encode(name)}=${encode(textOf(value, parameter?.kind))}`]
}

/**
 * The query that asks for the same again, in pieces to be joined with `&`: all validated parameters with those in the path
 * and the defaults, sorted by name, except the names in `replaced`, which get these values. Names that the table does not
 * declare, and so credentials, never come back in it.
 */
export const linkQueryParts = (
  table: ParameterTable,
  decoded: RawParameters,
  replaced: Readonly<Record<string, string | number>>
): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (const name of Object.keys(decoded)) {
    if (!Object.hasOwn(replaced, name)) parts.push(...pairsOf(name, decoded[name], table[name]))
  }
  for (const name of Object.keys(replaced)) parts.push(...pairsOf(name, replaced[name], table[name]))
  return parts.sort()
}
