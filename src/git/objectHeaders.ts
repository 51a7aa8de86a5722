export interface Header {
  readonly name: string
  /** Lines of a folded one joined by line ends. */
  readonly value: Buffer
}

/** The headers of a commit or tag object in their order, and what follows the blank line behind them. */
export const parseObject = (content: Buffer): { readonly headers: ReadonlyArray<Header>; readonly message: Buffer } => {
  const headers: Array<Header> = []
  let at = 0
  while (at < content.length && content[at] !== 10) {
    const lineEnd = content.indexOf(10, at)
    const end = lineEnd === -1 ? content.length : lineEnd
    const line = content.subarray(at, end)
    at = end + 1
    const space = line.indexOf(32)
    const last = headers.at(-1)
    if (space === 0 && last !== undefined) {
      headers[headers.length - 1] = { name: last.name, value: Buffer.concat([last.value, Buffer.from("\n"), line.subarray(1)]) }
    } else if (space > 0) {
      headers.push({ name: line.toString("latin1", 0, space), value: line.subarray(space + 1) })
    }
  }
  return { headers, message: content.subarray(at + 1) }
}
