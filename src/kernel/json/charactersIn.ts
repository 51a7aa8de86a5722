const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null
const isIterable = (value: object): value is Iterable<unknown> => Symbol.iterator in value

/** About how many characters the JSON of a value has, of which collections may be a part, without making it: the characters of a text are not looked at. */
export const charactersIn = (value: unknown): number => {
  if (typeof value === "string") return value.length + 2
  if (!isObject(value)) return typeof value === "number" ? 8 : 5
  let count = 2
  if (isIterable(value)) {
    for (const element of value) count += charactersIn(element) + 1
    return count
  }
  // No list of the fields is made, which would take several times as long.
  for (const name in value) if (value[name] !== undefined) count += name.length + 4 + charactersIn(value[name])
  return count
}
