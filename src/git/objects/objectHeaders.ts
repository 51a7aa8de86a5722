export interface Header {
  readonly name: string
  /** The value; the lines of a folded one are joined by line ends. */
  readonly value: Buffer
}

/** A commit or tag has at most this many bytes, because lists hold hundreds of them. */
export const maxObjectBytes = 1024 * 1024

/** At most this many bytes of headers are read, which has room for the signatures of a hundred merged tags. */
const maxHeaderBytes = 256 * 1024

/** The index at which the headers end, and that behind the blank line after them. */
const split = (content: Buffer): { readonly headersEnd: number; readonly messageStart: number } => {
  if (content[0] === 10) return { headersEnd: 0, messageStart: 1 }
  const blank = content.indexOf("\n\n")
  return blank === -1
    ? { headersEnd: content.length, messageStart: content.length }
    : { headersEnd: blank + 1, messageStart: blank + 2 }
}

/** Matches a header, which begins in the first column; its continuation lines begin with a space. */
const headerLines = /^([^ \n]+) ([^\n]*(?:\n [^\n]*)*)$/gm

/** The headers of a commit or tag object in their order, and what follows the blank line behind them. */
export const parseObject = (content: Buffer): { readonly headers: ReadonlyArray<Header>; readonly message: Buffer } => {
  const { headersEnd, messageStart } = split(content)
  const text = content.toString("latin1", 0, Math.min(headersEnd, maxHeaderBytes))
  const headers = Array.from(text.matchAll(headerLines), ([, name = "", value = ""]) => ({
    name,
    value: Buffer.from(value.replaceAll("\n ", "\n"), "latin1")
  }))
  return { headers, message: content.subarray(messageStart) }
}
