import { Effect } from "effect"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readAbridged } from "../../git/objects/commit.ts"
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

const commitIdsOf = Effect.fnUntraced(function* ({ projectId }: MergeRequestKey, { version }: MergeRequest) {
  const repositories = yield* Repositories
  if (version === undefined || !(yield* repositories.exists(projectId))) return []
  const { baseSha: base, headSha: head, startSha: start } = version
  return (yield* commitsSince(repositories.of(projectId), { base, head, start, limit: maxCommits })).ids
}, Effect.orDie)

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
type Found = Map<string, IssueReference>

function* search(texts: ReadonlyArray<string>, find: Find, all: Found): Generator<void, void> {
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      for (const reference of find(piece)) all.set(`${reference.project ?? ""}#${reference.iid}`, reference)
      if (all.size >= maxReferences) return
      yield
    }
  }
}

/** Adds the issues that are found in pieces of the texts, each once, while others have their turns. */
export const findIn = (texts: ReadonlyArray<string>, find: Find, all: Found) => inSlices(search(texts, find, all))

/** The issues that a merge request may name in its title, its description, and the messages of its commits, which are read bit by bit. */
export const referencesIn = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, find: Find) {
  const all: Found = new Map()
  const { description, title } = request.attributes
  yield* findIn([title, description ?? ""], find, all)
  const ids = yield* commitIdsOf(key, request)
  const repository = (yield* Repositories).of(key.projectId)
  for (let at = 0; at < ids.length && all.size < maxReferences; at += batch) {
    const commits = yield* Effect.orDie(readAbridged(repository, ids.slice(at, at + batch), maxMessage))
    yield* findIn(
      commits.map(({ message }) => message),
      find,
      all
    )
  }
  return [...all.values()].slice(0, maxReferences)
})
