import type { Effect } from "effect"
import { stripEnd } from "../../kernel/stripEnds.ts"
import { formatKeptSignature, formatSignature, type Signature } from "../objects/signature.ts"
import type { Repository } from "../Repository.ts"
import { type WriteOptions, writeObject } from "./writeObject.ts"

/** A commit to be. The same one has the same id every time. */
export interface CommitDraft {
  /** The id of a tree that exists. */
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly author: Signature
  /** Whether the author is that of another commit, whose name stays as it is there. */
  readonly keepsAuthor?: boolean
  readonly committer: Signature
  /** The message, which is kept but for NUL characters. */
  readonly message: string
}

/** The content of the commit object. */
export const formatCommit = ({ author, committer, keepsAuthor = false, message, parents, tree }: CommitDraft): Buffer =>
  Buffer.from(
    [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${keepsAuthor ? formatKeptSignature(author) : formatSignature(author)}`,
      `committer ${formatSignature(committer)}`,
      "",
      message.replaceAll("\0", "")
    ].join("\n")
  )

/** Writes a commit and answers its id. No ref moves. */
export const writeCommit = (repository: Repository, draft: CommitDraft, options?: WriteOptions): Effect.Effect<string> =>
  writeObject(repository, "commit", formatCommit(draft), options)

export interface TagDraft {
  readonly name: string
  /** The id of a commit. */
  readonly target: string
  readonly tagger: Signature
  readonly message: string
}

/** Writes the object of an annotated tag and answers its id. A line end is added to its message. No ref is made. */
export const writeTag = (repository: Repository, { message, name, tagger, target }: TagDraft): Effect.Effect<string> => {
  const lines = [`object ${target}`, "type commit", `tag ${name}`, `tagger ${formatSignature(tagger)}`, ""]
  const text = stripEnd(message.replaceAll("\0", ""), (character) => character === "\n")
  return writeObject(repository, "tag", Buffer.from(`${[...lines, text].join("\n")}\n`))
}
