import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { secretsOf } from "./secretFields.ts"

/** A field of an event's data: its path, such as `changes.name`, and its value as text. */
export interface ChangedField {
  readonly name: string
  readonly value: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const pathOf = (outer: string, name: string): string => (outer === "" ? name : `${outer}.${name}`)

/**
 * The event's data as a reader may see it: in place of a secret stands its kind, such as `[sealed]`, everything else is as stored. Secrets do
 * not lie in the log in clear, but for those of uploads; what stands for them is of no use to a reader either.
 */
export const withoutSecrets = (event: Pick<RecordedEvent, "data" | "type">): unknown => {
  const kinds = secretsOf(event)
  const shown = (value: unknown, path: string): unknown => {
    const kind = kinds.get(path)
    if (kind !== undefined && value !== null) return `[${kind}]`
    if (Array.isArray(value)) return value.map((item) => shown(item, path))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, pathOf(path, name))]))
  }
  return shown(event.data, "")
}

/** The fields of data without secrets, those of nested objects by their path, in stored order. */
export const changedFields = (data: unknown, path = ""): ReadonlyArray<ChangedField> => {
  if (!isObject(data)) return path === "" ? [] : [{ name: path, value: data }]
  return Object.entries(data).flatMap(([key, value]) => changedFields(value, pathOf(path, key)))
}
