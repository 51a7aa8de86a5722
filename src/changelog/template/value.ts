/** What templates are about; what is missing is null. */
export type Value = string | number | boolean | null | ReadonlyArray<Value> | ReadonlyMap<string, Value>

export const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)
export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map

/** Null, false and what is empty are false; 0 is true. */
export const isTrue = (value: Value): boolean => {
  if (isMap(value)) return value.size > 0
  if (isList(value)) return value.length > 0
  return value !== null && value !== false && value !== ""
}

/** What `{{ value }}` prints: texts as they are, null as nothing, lists and maps as `[1, "a"]` and `{"x"=>1}`. */
export const printed = (value: Value): string => {
  if (value === null) return ""
  return typeof value === "string" ? value : inspected(value)
}

const inspected = (value: Value): string => {
  if (value === null) return "nil"
  if (typeof value === "string") return quoted(value)
  if (isList(value)) return `[${value.map(inspected).join(", ")}]`
  if (isMap(value)) return `{${Array.from(value, ([key, item]) => `${quoted(key)}=>${inspected(item)}`).join(", ")}}`
  return String(value)
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["#", "\\#"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\f", "\\f"],
  ["\v", "\\v"],
  ["\b", "\\b"],
  ["\x07", "\\a"],
  ["\x1b", "\\e"],
  ["\x7f", "\\x7F"]
])

/** `#` is escaped only where it would start an interpolation. */
const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  `"${text.replace(/["\\\u0000-\u001f\u007f]|#(?=[{$@])/g, escaped)}"`

const escaped = (character: string): string =>
  escapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
