import { inflateSync } from "node:zlib"

/** So many bytes of objects, with the differences between them, are written each to a file of its own; to read them here takes some milliseconds. */
const maxLooseBytes = 4 * 1024 * 1024
const headerBytes = 12
const checksumBytes = 20
const [offsetDelta, idDelta] = [6, 7]

/** A number that is spread over several bytes, and where it ends. */
interface Spread {
  readonly value: number
  readonly end: number
}

/** A size: seven bits a byte, the lowest first; `bits` are those that stand in front of the first one. */
const sizeAt = (bytes: Buffer, at: number, value = 0, bits = 0): Spread => {
  const byte = bytes[at] ?? 0
  const sum = value + (byte & 127) * 2 ** bits
  return byte < 128 ? { value: sum, end: at + 1 } : sizeAt(bytes, at + 1, sum, bits + 7)
}

/** The type and size at the beginning of an object. */
const objectAt = (pack: Buffer, at: number): Spread & { readonly type: number } => {
  const first = pack[at] ?? 0
  const low = { value: first & 15, end: at + 1 }
  return { type: (first >> 4) & 7, ...(first < 128 ? low : sizeAt(pack, at + 1, low.value, 4)) }
}

/** Where the compressed content of an object begins, behind what names the base of a delta. */
const contentAt = (pack: Buffer, type: number, at: number): number => {
  if (type === idDelta) return at + 20
  if (type !== offsetDelta) return at
  let end = at
  while ((pack[end] ?? 0) >= 128) end++
  return end + 1
}

/** What a delta makes has this size. */
const madeBy = (delta: Buffer): number => sizeAt(delta, sizeAt(delta, 0).end).value

/** Node's types leave out what `info` makes of the answer. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}
const isInflated = (answer: object): answer is Inflated => "buffer" in answer && "engine" in answer

const inflate = (pack: Buffer, at: number, size: number): Inflated | undefined => {
  const answer: object = inflateSync(pack.subarray(at), { info: true, maxOutputLength: Math.max(1, size) })
  return isInflated(answer) ? answer : undefined
}

const measure = (pack: Buffer): number => {
  const count = pack.length < headerBytes ? 0 : pack.readUInt32BE(8)
  let [at, sum] = [headerBytes, 0]
  for (let index = 0; index < count && sum <= maxLooseBytes; index++) {
    const { end, type, value } = objectAt(pack, at)
    if (at >= pack.length - checksumBytes || sum + value > maxLooseBytes) return Number.POSITIVE_INFINITY
    const from = contentAt(pack, type, end)
    const content = inflate(pack, from, value)
    if (content === undefined) return Number.POSITIVE_INFINITY
    sum += value + (type === offsetDelta || type === idDelta ? madeBy(content.buffer) : 0)
    at = from + content.engine.bytesWritten
  }
  return sum
}

/**
 * Whether the objects of a whole pack are few bytes also where each is written in a file of its own, differences to others included. False for
 * what is no pack.
 */
export const expandsLittle = (pack: Buffer): boolean => {
  try {
    return measure(pack) <= maxLooseBytes
  } catch {
    return false
  }
}
