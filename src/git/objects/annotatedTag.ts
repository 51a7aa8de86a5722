import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { stripEnd } from "../../kernel/stripEnds.ts"
import type { ObjectType } from "../process/catFileAnswers.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { decodeText } from "./decodeText.ts"
import { Objects } from "./Objects.ts"
import { maxObjectBytes, parseObject } from "./objectHeaders.ts"
import { parseSignature, type Signature } from "./signature.ts"

/** A tag object. */
export interface AnnotatedTag {
  readonly id: string
  readonly name: string
  readonly target: string
  readonly targetType: string
  /** The tagger is missing in very old tags. */
  readonly tagger?: Signature
  /** The message without its signature and trailing line ends. */
  readonly message: string
  readonly gpgSignature?: string
}

const isLineEnd = (character: string): boolean => character === "\n"
const signatureStart = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/gm

/** The index at which the signature of a tag begins: the last one, as `git` finds it; -1 when there is none. */
export const startOfSignature = (text: string): number => [...text.matchAll(signatureStart)].at(-1)?.index ?? -1

export const parseTag = (id: string, content: Buffer): AnnotatedTag => {
  const { headers, message } = parseObject(content)
  const headerOf = (name: string) => headers.find((header) => header.name === name)?.value
  const tagger = headerOf("tagger")
  const text = decodeText(message)
  const start = startOfSignature(text)
  return {
    id,
    name: decodeText(headerOf("tag") ?? Buffer.alloc(0)),
    target: headerOf("object")?.toString("latin1") ?? "",
    targetType: headerOf("type")?.toString("latin1") ?? "",
    ...defined({ tagger: tagger && parseSignature(decodeText(tagger)) }),
    message: stripEnd(start === -1 ? text : text.slice(0, start), isLineEnd),
    ...defined({ gpgSignature: start === -1 ? undefined : text.slice(start) })
  }
}

/** A tag object by its full id; undefined when there is none, such as for a tag that is not annotated. */
export const readTag = Effect.fnUntraced(function* (
  repository: Repository,
  id: string
): Effect.fn.Return<AnnotatedTag | undefined, GitFailed, Objects> {
  const object = yield* (yield* Objects).read(repository, id, maxObjectBytes)
  const type: ObjectType | undefined = object?.type
  return object !== undefined && type === "tag" ? parseTag(object.id, object.content) : undefined
})
