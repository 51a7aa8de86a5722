import { isUtf8 } from "node:buffer"

const westEuropean = new TextDecoder("windows-1252")
const utf8WithReplacements = new TextDecoder("utf-8", { ignoreBOM: true })
/** A character of two to four bytes. Applied to bytes as characters. */
const multibyte = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/

const decodeLine = (line: Buffer): string => {
  if (isUtf8(line)) return line.toString("utf8")
  return multibyte.test(line.toString("latin1")) ? utf8WithReplacements.decode(line) : westEuropean.decode(line)
}

/**
 * Decodes bytes of unknown encoding. Valid UTF-8 is kept. Otherwise each line is decoded by itself: one that has characters of several
 * bytes is UTF-8 in which invalid bytes become U+FFFD, any other one is Latin-1 (as browsers read it: windows-1252).
 */
export const decodeText = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString("utf8")
  const lines: Array<string> = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end === -1 ? bytes.length : end + 1
    lines.push(decodeLine(bytes.subarray(from, to)))
    from = to
  }
  return lines.join("")
}

/** A path of unknown encoding as text: each part for itself, because they may be of different ones. */
export const decodePath = (path: Buffer): string =>
  isUtf8(path)
    ? path.toString("utf8")
    : path
        .toString("latin1")
        .split("/")
        .map((part) => decodeText(Buffer.from(part, "latin1")))
        .join("/")
