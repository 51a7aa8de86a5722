/** What a browser may show of itself; everything else is a download. */
const media: Readonly<Record<string, `${"image" | "video" | "audio"}/${string}`>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  tiff: "image/tiff",
  ico: "image/x-icon",
  webp: "image/webp",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  ogv: "video/ogg",
  mp3: "audio/mpeg",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  spx: "audio/ogg",
  wav: "audio/wav"
}

/** An image that may hold scripts: it is embedded in texts, where they do not run, and never shown on a page of its own. */
const scripted = "svg"

const endingOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase()

/** Files have names of so many bytes at most, as file systems take them. */
const maxBytes = 255
/** So much of a long name is kept of what tells its kind. */
const maxEnding = 32

/** The longest beginning of a text with at most so many bytes, which ends no character in the middle. */
const beginning = (text: string, bytes: number): string => {
  let [end, size] = [0, 0]
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    end += character.length
  }
  return text.slice(0, end)
}

const shortened = (name: string): string => {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const dot = name.lastIndexOf(".")
  const isEnding = dot > 0 && Buffer.byteLength(name.slice(dot)) <= maxEnding
  const ending = isEnding ? name.slice(dot) : ""
  return beginning(isEnding ? name.slice(0, dot) : name, maxBytes - Buffer.byteLength(ending)) + ending
}

/**
 * The name under which a file is kept, by the one as it was sent: without its path, and with `_` for everything but letters, digits, `.`,
 * `-`, `_` and `+`.
 */
export const safeName = (sent: string): string => {
  const last =
    sent
      .toWellFormed()
      .split(/[/\\]/)
      .findLast((name) => name !== "") ?? ""
  const plain = last.replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}.\-+]/gu, "_")
  if (plain === "") return "unnamed"
  return shortened(/^\.+$/.test(plain) ? `_${plain}` : plain)
}

/** Whether a file is kept under this name. */
export const isSafeName = (name: string): boolean => safeName(name) === name

/** A pattern of the secrets of uploads. Those that are drawn here have 32 digits; other services, of whose exports uploads come, had others. */
export const secretPattern = "[0-9a-f]{10,40}"

const wholeSecret = new RegExp(`^${secretPattern}$`)

/** Whether this may be the secret of an upload. */
export const isSecret = (text: string): boolean => wholeSecret.test(text)

/** Whether texts show the file itself, not only a link to it. */
const isEmbedded = (name: string): boolean =>
  name.includes(".") && (Object.hasOwn(media, endingOf(name)) || endingOf(name) === scripted)

/** What stands for a file in texts: its name, without the ending for what is shown there. */
export const altOf = (name: string): string => {
  const dot = name.lastIndexOf(".")
  return isEmbedded(name) && dot > 0 ? name.slice(0, dot) : name
}

/** The Markdown that shows a file, or leads to it. */
export const markdownOf = (name: string, url: string): string => `${isEmbedded(name) ? "!" : ""}[${altOf(name)}](${url})`

export const binaryType = "application/octet-stream"

type MediaType = `${string}/${string}`

/** The types of files that may be shown where they are asked for. */
const shown: Readonly<Record<string, MediaType>> = { ...media, pdf: "application/pdf" }

/** The types with which files are sent. */
export const sentTypes: ReadonlyArray<MediaType> = [...new Set<MediaType>([...Object.values(shown), binaryType])]

/** The type that a file is sent with; `binaryType` for one that is a download. */
export const typeOf = (name: string): MediaType => {
  const ending = endingOf(name)
  return name.includes(".") && Object.hasOwn(shown, ending) ? (shown[ending] ?? binaryType) : binaryType
}
