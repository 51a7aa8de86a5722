import { isUtf8 } from "node:buffer"

/** The type of a file is detected from this many bytes at its beginning. */
export const sniffedBytes = 8192

type MediaType = `${string}/${string}`

const signature = (type: MediaType, text: string, at = 0) => ({ type, bytes: Buffer.from(text, "latin1"), at })

/** What browsers may show or play. Nothing that could hold scripts. */
const signatures = [
  signature("image/png", "\x89PNG\r\n\x1a\n"),
  signature("image/gif", "GIF87a"),
  signature("image/gif", "GIF89a"),
  signature("image/jpeg", "\xff\xd8\xff"),
  signature("image/webp", "WEBP", 8),
  signature("image/bmp", "BM"),
  signature("image/x-icon", "\0\0\x01\0"),
  signature("application/pdf", "%PDF-"),
  signature("audio/mpeg", "ID3"),
  signature("audio/wave", "WAVE", 8),
  signature("application/ogg", "OggS\0"),
  signature("video/webm", "\x1aE\xdf\xa3"),
  signature("video/avi", "AVI ", 8),
  signature("video/mp4", "ftyp", 4)
]

/** The types that a file may be shown with, without parameters. */
export const rawTypes: ReadonlyArray<MediaType> = [
  ...new Set<MediaType>(["text/plain", "application/octet-stream", ...signatures.map(({ type }) => type)])
]

/** The beginning of a text may end within a character. */
const isText = (start: Buffer, isWhole: boolean): boolean => {
  if (start.includes(0)) return false
  const cuts = isWhole ? [0] : [0, 1, 2, 3]
  return cuts.some((cut) => isUtf8(start.subarray(0, start.length - cut)))
}

export interface RawType {
  readonly contentType: string
  readonly disposition: "inline" | "attachment"
}

/** How a file is shown, by its first bytes. `size`: bytes of the whole. Text of other encodings is told by having no NUL. */
export const rawType = (content: Buffer, size: number): RawType => {
  const start = content.subarray(0, sniffedBytes)
  if (isText(start, size <= start.length) && !start.subarray(0, 5).equals(Buffer.from("%PDF-")))
    return { contentType: "text/plain; charset=utf-8", disposition: "inline" }
  const known = signatures.find(({ at, bytes }) => start.subarray(at, at + bytes.length).equals(bytes))
  if (known !== undefined) return { contentType: known.type, disposition: "inline" }
  if (!start.includes(0)) return { contentType: "text/plain", disposition: "inline" }
  return { contentType: "application/octet-stream", disposition: "attachment" }
}
