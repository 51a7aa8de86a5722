/** Lists with more elements than this are encoded in slices. */
const maxAtOnce = 200
/** So many elements of all lists in a value are encoded at once, such as the people and labels of a page. */
const maxAllAtOnce = 2_000
/** So many characters of a text take as long as an element. */
const charactersOfElement = 64
/** Longer texts are encoded in pieces, of so many characters. */
const [maxText, pieceLength] = [charactersOfElement * maxAllAtOnce, 32 * 1024]
/** Short texts, such as of the elements of a list, are gathered. */
const minGathered = 16 * 1024
/** Lists and texts that lie deeper are not looked for. */
const maxDepth = 4

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)
const isLongList = (value: unknown): boolean => isList(value) && value.length > maxAtOnce
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

const hasLongList = (value: unknown): boolean => {
  // No list of the values is made, which would take as long as encoding them.
  if (isObject(value)) for (const name in value) if (isLongList(value[name])) return true
  return false
}

/** How many elements the lists in a value have, and as many as its texts take as long as; once they are too many they are not counted further. */
const elementsIn = (value: object, depth = 0): number => {
  let count = 0
  const add = (inner: unknown) => {
    if (typeof inner === "string") count += inner.length / charactersOfElement
    else if (typeof inner === "object" && inner !== null && depth < maxDepth && count <= maxAllAtOnce)
      count += elementsIn(inner, depth + 1)
  }
  if (isList(value)) {
    count = value.length
    for (const element of value) add(element)
  } else if (isObject(value)) for (const name in value) add(value[name])
  return count
}

/** Whether a plain value has a long list or text, or many short ones: it would take too long to encode at once. */
export const isLong = (value: unknown): boolean => {
  if (typeof value === "string") return value.length > maxText
  const hasLong = isList(value) ? isLongList(value) || value.some(hasLongList) : hasLongList(value)
  return hasLong || (isObject(value) && elementsIn(value) > maxAllAtOnce)
}

const isHighSurrogate = (code: number): boolean => code >> 10 === 0x36
const isLowSurrogate = (code: number): boolean => code >> 10 === 0x37

/** Where a piece ends: halves of a character stay together, which would be escaped when they are apart. */
const endOf = (text: string, start: number): number => {
  const end = start + pieceLength
  return isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end
}

/** A text as JSON, without its quotes, in pieces that are whole characters. */
export function* escapedPieces(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
}

function* textTexts(text: string): Generator<string, void, void> {
  yield '"'
  yield* escapedPieces(text)
  yield '"'
}

function* listTexts(list: ReadonlyArray<unknown>): Generator<string, void, void> {
  yield "["
  for (const [index, element] of list.entries()) {
    if (index > 0) yield ","
    yield* smallTexts(element)
  }
  yield "]"
}

function* recordTexts(record: Readonly<Record<string, unknown>>): Generator<string, void, void> {
  let separator = "{"
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ","
    yield* smallTexts(value)
  }
  yield separator === "{" ? "{}" : "}"
}

function* smallTexts(value: unknown): Generator<string, void, void> {
  if (!isLong(value)) yield JSON.stringify(value) ?? "null"
  else if (typeof value === "string") yield* textTexts(value)
  else if (isList(value)) yield* listTexts(value)
  else if (isObject(value)) yield* recordTexts(value)
}

/**
 * The texts that make up the JSON of a plain value, as `JSON.stringify` encodes it: one for what is short, else some of at least 16 Ki characters, each of
 * which takes a millisecond or so.
 */
export function* jsonTexts(value: unknown): Generator<string, void, void> {
  let gathered = ""
  for (const text of smallTexts(value)) {
    gathered += text
    if (gathered.length < minGathered) continue
    yield gathered
    gathered = ""
  }
  if (gathered !== "") yield gathered
}
