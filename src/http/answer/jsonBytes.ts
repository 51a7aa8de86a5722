import { createHash } from "node:crypto"

/** Lists with more elements than this are encoded in slices. */
const maxAtOnce = 200
/** After so many milliseconds other requests have their turn. */
const sliceMillis = 4
/** A piece is hashed and encoded at a time, which takes less than a slice. */
const pieceLength = 256 * 1024

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)
const isLongList = (value: unknown): boolean => isList(value) && value.length > maxAtOnce
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

const hasLongList = (value: unknown): boolean => {
  // No list of the values is made, which would take as long as encoding them.
  if (isRecord(value)) for (const name in value) if (isLongList(value[name])) return true
  return false
}

/** So many elements of all lists in a body are encoded at once, such as the people and labels of a page. */
const maxAllAtOnce = 2_000
/** Lists that lie deeper are not looked for. */
const maxDepth = 4

/** How many elements the lists in a value have; once they are too many they are not counted further. */
const elementsIn = (value: object, depth = 0): number => {
  let count = 0
  const add = (inner: unknown) => {
    if (typeof inner === "object" && inner !== null && depth < maxDepth && count <= maxAllAtOnce)
      count += elementsIn(inner, depth + 1)
  }
  if (isList(value)) {
    count = value.length
    for (const element of value) add(element)
  } else if (isRecord(value)) for (const name in value) add(value[name])
  return count
}

/** Whether a body is or has a long list, or many short ones: it would take too long to encode at once. */
export const isLong = (body: unknown): boolean => {
  const hasLong = isList(body) ? isLongList(body) || body.some(hasLongList) : hasLongList(body)
  return hasLong || (isRecord(body) && elementsIn(body) > maxAllAtOnce)
}

/** The texts that make up a list. */
function* listTexts(list: ReadonlyArray<unknown>): Generator<string, void, void> {
  yield "["
  for (const [index, element] of list.entries()) {
    if (index > 0) yield ","
    if (hasLongList(element)) yield* texts(element)
    else yield JSON.stringify(element) ?? "null"
  }
  yield "]"
}

function* texts(body: unknown): Generator<string, void, void> {
  if (isList(body)) return yield* listTexts(body)
  let separator = "{"
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ","
    if (isList(value)) yield* listTexts(value)
    else yield JSON.stringify(value)
  }
  yield separator === "{" ? "{}" : "}"
}

/** Encodes a list or object of plain values as `JSON.stringify` does, with the SHA-256 of its bytes in hexadecimal; it pauses every few milliseconds. */
export function* jsonBytes(body: unknown): Generator<void, { readonly bytes: Buffer; readonly sha256: string }, void> {
  const hash = createHash("sha256")
  const pieces: Array<Buffer> = []
  let text = ""
  let since = performance.now()
  const take = () => {
    const piece = Buffer.from(text)
    hash.update(piece)
    pieces.push(piece)
    text = ""
  }
  for (const part of texts(body)) {
    text += part
    if (text.length >= pieceLength) take()
    if (performance.now() - since < sliceMillis) continue
    yield
    since = performance.now()
  }
  take()
  return { bytes: Buffer.concat(pieces), sha256: hash.digest("hex") }
}
