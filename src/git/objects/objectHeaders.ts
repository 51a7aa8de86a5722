export interface Header {
  readonly name: string
  /** Lines of a folded one joined by line ends. */
  readonly value: Buffer
}

/** Bytes of a commit or a tag at most: lists hold hundreds of them. */
export const maxObjectBytes = 1024 * 1024

/** Bytes of headers that are read: so many have room for the signatures of a hundred tags that were merged. */
const maxHeaderBytes = 256 * 1024

/** Where the headers end and what follows the blank line behind them begins. */
const split = (content: Buffer): { readonly headersEnd: number; readonly messageStart: number } => {
  if (content[0] === 10) return { headersEnd: 0, messageStart: 1 }
  const blank = content.indexOf("\n\n")
  return blank === -1
    ? { headersEnd: content.length, messageStart: content.length }
    : { headersEnd: blank + 1, messageStart: blank + 2 }
}

/** One begins in the first column; lines that go on with it begin with a space. */
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
