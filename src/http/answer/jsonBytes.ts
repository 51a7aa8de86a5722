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

const hasLongList = (value: unknown): boolean => isRecord(value) && Object.values(value).some(isLongList)

/** Whether a body is a long list, or has one among its fields or those of its elements: it would take too long to encode at once. */
export const isLong = (body: unknown): boolean => (isList(body) ? isLongList(body) || body.some(hasLongList) : hasLongList(body))

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
