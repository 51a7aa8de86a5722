/** Reads what one side of a connection to Postgres sends, message by message. The first message of a client has no type. */
export const makeReader = (onMessage: (type: string, body: Buffer) => void, isClient: boolean) => {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = isClient
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = isFirst ? 0 : 1
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      onMessage(isFirst ? "" : String.fromCharCode(rest[0] ?? 0), rest.subarray(start + 4, end))
      rest = rest.subarray(end)
      isFirst = false
    }
  }
}

const textAt = (body: Buffer, from: number): readonly [text: string, next: number] => {
  const end = body.indexOf(0, from)
  return [body.toString("utf8", from, end), end + 1]
}

/** The name and the text of a statement that is prepared. */
export const parseOf = (body: Buffer): { readonly name: string; readonly text: string } => {
  const [name, next] = textAt(body, 0)
  return { name, text: textAt(body, next)[0] }
}

/** The name of a statement that is run, and its values as texts. */
export const bindOf = (body: Buffer): { readonly name: string; readonly values: ReadonlyArray<string | null> } => {
  const [name, formats] = textAt(body, textAt(body, 0)[1])
  let at = formats + 2 + 2 * body.readInt16BE(formats)
  const values: Array<string | null> = []
  const count = body.readInt16BE(at)
  at += 2
  for (let index = 0; index < count; index++) {
    const length = body.readInt32BE(at)
    at += 4
    values.push(length < 0 ? null : body.toString("utf8", at, at + length))
    at += Math.max(0, length)
  }
  return { name, values }
}
