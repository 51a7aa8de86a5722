import { isUtf8 } from "node:buffer"
import { maxDepth } from "../../../http/request/limits.ts"
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

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Looks at the brackets and commas only: what is deep or crowded would take the memory of the machine to parse. */
const excessOf = (line: Uint8Array): string | undefined => {
  let depth = 0
  let values = 1
  let isInText = false
  for (let at = 0; at < line.length; at++) {
    const byte = line[at]
    if (byte === quote) isInText = !isInText
    else if (isInText) at += byte === backslash ? 1 : 0
    else if (byte === comma) values++
    else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === openBracket || byte === openBrace) {
      depth++
      values++
    }
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
    if (values > maxLineValues) return `has more than ${maxLineValues} values`
  }
  return undefined
}

const parsed = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The value that a line tells, or what is wrong with it. */
export const valueIn = (line: Buffer): { readonly json: unknown } | string => {
  if (!isUtf8(line)) return "is no UTF-8"
  return excessOf(line) ?? parsed(line.toString("utf8")) ?? "is no JSON"
}
