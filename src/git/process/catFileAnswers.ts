export type ObjectType = "blob" | "tree" | "commit" | "tag"

export interface ObjectInfo {
  readonly id: string
  readonly type: ObjectType
  /** The number of bytes of its content. */
  readonly size: number
}

export interface GitObject extends ObjectInfo {
  readonly content: Buffer
}

export type Question = "info" | "contents"
/** The answer has `content` only for `contents`; it is undefined when there is no such object, or the name fits several. */
export type Answer = (ObjectInfo & { readonly content?: Buffer }) | undefined

const present = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/
const absent = / (missing|ambiguous|submodule)$/
/** A line holds a name of up to 4 KiB and what is said of it. */
const maxLineLength = 5000

const isType = (text: string): text is ObjectType => text === "blob" || text === "tree" || text === "commit" || text === "tag"

const parseInfo = (line: string): ObjectInfo | undefined => {
  const [, id = "", type = "", size = ""] = present.exec(line) ?? []
  return isType(type) ? { id, type, size: Number(size) } : undefined
}

/**
 * Reads what `git cat-file --batch-command` prints, in pieces as they come. `nextQuestion` tells what was asked first of all that
 * is not answered yet; `onAnswer` whether an answer makes sense. The function answers false when the output does not.
 */
export const answerReader = (
  nextQuestion: () => Question | undefined,
  onAnswer: (answer: Answer) => boolean
): ((chunk: Buffer) => boolean) => {
  let line: Buffer = Buffer.alloc(0)
  let body: { readonly info: ObjectInfo; readonly parts: Array<Buffer>; missing: number } | undefined

  const readLine = (text: string): boolean => {
    const question = nextQuestion()
    if (question === undefined) return false
    const info = parseInfo(text)
    if (info === undefined) {
      return absent.test(text) && onAnswer(undefined)
    }
    if (question === "info") return onAnswer(info)
    body = { info, parts: [], missing: info.size + 1 }
    return true
  }
  const readBody = (chunk: Buffer, { info, parts }: NonNullable<typeof body>): boolean => {
    parts.push(chunk)
    if (body === undefined) return false
    body.missing -= chunk.length
    if (body.missing > 0) return true
    body = undefined
    // The content is copied, because the pieces lie in larger buffers of the pipe.
    const content = Buffer.concat(parts, info.size + 1)
    return content[info.size] === 10 && onAnswer({ ...info, content: content.subarray(0, info.size) })
  }
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (body !== undefined) {
        const piece = chunk.subarray(at, at + body.missing)
        at += piece.length
        if (!readBody(piece, body)) return false
        continue
      }
      const end = chunk.indexOf(10, at)
      line = Buffer.concat([line, chunk.subarray(at, end === -1 ? chunk.length : end)])
      if (end === -1) return line.length <= maxLineLength
      const text = line.toString("utf8")
      line = Buffer.alloc(0)
      at = end + 1
      if (!readLine(text)) return false
    }
    return true
  }
}
