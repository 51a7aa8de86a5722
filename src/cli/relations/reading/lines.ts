import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { excessIn } from "../../../http/request/jsonExcess.ts"
import { maxDepth } from "../../../http/request/limits.ts"
import { inSlices } from "../../../kernel/inSlices.ts"
import { mebibyte } from "../../../kernel/units.ts"
import { unpackedFile } from "./unpacked.ts"

/** The longest line that is read; to read one takes up to six times as much memory. */
const maxLineBytes = 256 * mebibyte

/** The highest number of values in a line: to parse and check so many takes up to 1 GiB of memory, in however few bytes they stand. */
const maxLineValues = 4_000_000

/** A line that is not read, and why. */
class LineRefused extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line} ${reason}`)
  }
}

const byteOrderMark = Buffer.from("\uFEFF")

/** The lines of a file, without their ends and without a byte order mark before the first. Dies of one that is too long. */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let [parts, size, number]: [Array<Buffer>, number, number] = [[], 0, 0]
  const add = (part: Buffer): void => {
    parts.push(part)
    size += part.length
    if (size > maxLineBytes) throw new LineRefused(number + 1, `has more than ${maxLineBytes / mebibyte} MiB`)
  }
  // What it was made of is let go before somebody works with it.
  const take = (): Buffer => {
    const line = Buffer.concat(parts)
    ;[parts, size, number] = [[], 0, number + 1]
    const isMarked = number === 1 && line.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    return isMarked ? line.subarray(byteOrderMark.length) : line
  }
  for await (const chunk of unpackedFile(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      yield take()
    }
    add(chunk.subarray(from))
  }
  if (size > 0) yield take()
}

const limits = { depth: maxDepth, values: maxLineValues, countsNesting: true }
const excesses = { depth: `is nested deeper than ${maxDepth} levels`, values: `has more than ${maxLineValues} values` }

const parsed = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The value that a line tells, or what is wrong with it. */
export const valueIn = Effect.fnUntraced(function* (line: Buffer) {
  if (!isUtf8(line)) return "is no UTF-8"
  const excess = yield* inSlices(excessIn(line, limits))
  return excess === undefined ? (parsed(line.toString("utf8")) ?? "is no JSON") : excesses[excess]
})
