/** A field of an event's data: its path, such as `changes.name`, and its value as text. */
export interface ChangedField {
  readonly name: string
  readonly value: unknown
}

const sealedMark = "[sealed]"
const digestMark = "[digest]"

const sealedName = /token|secret|password|privatekey/i
const digestName = /digest/i
/** What `sealText` makes: version 1, initialisation vector, text and tag, in Base64 without padding. */
const sealedShape = /^A[Q-Za-f][\w-]{37,}$/
const digestShape = /^(?:[0-9a-f]{64}|\$?scrypt\b.*)$/

/** Secrets do not lie in the log in clear, but what stands for them is of no use to a reader either. */
const shown = (name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (digestName.test(name) || digestShape.test(value)) return digestMark
  return sealedName.test(name) || sealedShape.test(value) ? sealedMark : value
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The event's data as a reader may see it: sealed texts and digests are replaced, everything else is as stored. */
export const withoutSecrets = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name))
  if (!isObject(value)) return shown(name, value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, key)]))
}

/** The fields of data without secrets, those of nested objects by their path, in stored order. */
export const changedFields = (data: unknown, path = ""): ReadonlyArray<ChangedField> => {
  if (!isObject(data)) return path === "" ? [] : [{ name: path, value: data }]
  return Object.entries(data).flatMap(([key, value]) => changedFields(value, path === "" ? key : `${path}.${key}`))
}
