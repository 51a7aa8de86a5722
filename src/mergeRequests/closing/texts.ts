import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import type { MergeRequestKey } from "../ids.ts"
import type { MergeRequest } from "../state.ts"
import type { IssueReference } from "../text/closingReferences.ts"

/** So many of the newest commits are read, so many at a time, and of each message so many characters. */
const [maxCommits, batch, maxMessage] = [1_000, 50, 16_384]
/** The most of a text that is read at once; of a longer line so much is read twice, for the references that would be cut. */
const [maxPiece, overlap] = [16_384, 2_048]
/** So many issues are named at the most. */
const maxReferences = 1_000

const messagesOf = Effect.fnUntraced(function* ({ projectId }: MergeRequestKey, { version }: MergeRequest) {
  const repositories = yield* Repositories
  if (version === undefined || !(yield* repositories.exists(projectId))) return []
  const repository = repositories.of(projectId)
  const { baseSha: base, headSha: head, startSha: start } = version
  const { ids } = yield* commitsSince(repository, { base, head, start, limit: maxCommits })
  const messages: Array<string> = []
  for (let at = 0; at < ids.length; at += batch) {
    const commits = yield* readCommits(repository, ids.slice(at, at + batch))
    messages.push(...commits.map(({ message }) => message.slice(0, maxMessage)))
  }
  return messages
}, Effect.orDie)

/** All in which a merge request may name issues: its title, its description, and the messages of its commits. */
export const textsOf = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest) {
  const { description, title } = request.attributes
  return [title, description ?? "", ...(yield* messagesOf(key, request))]
})

/** Some lines of a text at a time, and pieces of long lines, which end and begin at blanks. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const limit = start + maxPiece
    if (limit >= text.length) return yield text.slice(start)
    const newline = text.lastIndexOf("\n", limit)
    if (newline > start) {
      yield text.slice(start, newline)
      start = newline
    } else {
      const blank = text.lastIndexOf(" ", limit)
      const end = blank > start + overlap ? blank : limit
      yield text.slice(start, end)
      const again = text.indexOf(" ", end - overlap)
      start = again < 0 || again > end ? end : again
    }
  }
}

type Find = (piece: string) => ReadonlyArray<IssueReference>

function* found(texts: ReadonlyArray<string>, find: Find): Generator<void, ReadonlyArray<IssueReference>> {
  const all = new Map<string, IssueReference>()
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      for (const reference of find(piece)) all.set(`${reference.project ?? ""}#${reference.iid}`, reference)
      if (all.size >= maxReferences) return [...all.values()].slice(0, maxReferences)
      yield
    }
  }
  return [...all.values()]
}

/** The issues that are found in pieces of the texts, each once, while others have their turns. */
export const findIn = (texts: ReadonlyArray<string>, find: Find) => inSlices(found(texts, find))
