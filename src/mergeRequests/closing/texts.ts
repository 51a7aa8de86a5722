import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readAbridged } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import type { MergeRequest } from "../decisions/state.ts"
import type { Version } from "../events.ts"
import type { MergeRequestKey } from "../ids.ts"
import { closingReferences, type IssueReference, mentionedIssues, type ReferenceContext } from "../text/closingReferences.ts"

/** So many of the newest commits are read, so many at a time, and of each message so many characters. */
const [maxCommits, batch, maxMessage] = [1_000, 50, 16_384]
/** The most of a text that is read at once; of a longer line so much is read twice, for the references that would be cut. */
const [maxPiece, overlap] = [16_384, 2_048]
/** So many issues are named at the most. */
const maxReferences = 1_000

/** Some lines of a text at a time, and pieces of long lines, which end and begin at blanks. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const limit = start + maxPiece
    if (limit >= text.length) return yield text.slice(start)
    // Looked for in all of the text, what is not there would be looked for up to its beginning, again for each piece.
    const piece = text.slice(start, limit + 1)
    const newline = piece.lastIndexOf("\n")
    if (newline > 0) {
      yield piece.slice(0, newline)
      start += newline
    } else {
      const blank = piece.lastIndexOf(" ")
      const end = blank > overlap ? blank : maxPiece
      yield piece.slice(0, end)
      const again = piece.indexOf(" ", end - overlap)
      start += again < 0 || again > end ? end : again
    }
  }
}

/** What is looked for: issues that are closed, or all that are named. */
type Wanted = "closed" | "mentioned"
type Find = (piece: string) => ReadonlyArray<IssueReference>

const finders: Readonly<
  Record<Wanted, (texts: ReadonlyArray<string>, context: ReferenceContext) => ReadonlyArray<IssueReference>>
> = {
  closed: closingReferences,
  mentioned: mentionedIssues
}

type Found = Map<string, IssueReference>

const addTo = (all: Found, reference: IssueReference) => all.set(`${reference.project ?? ""}#${reference.iid}`, reference)

function* search(texts: ReadonlyArray<string>, find: Find, all: Found): Generator<void, void> {
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      for (const reference of find(piece)) addTo(all, reference)
      if (all.size >= maxReferences) return
      yield
    }
  }
}

/** Adds the issues that are found in pieces of the texts, each once, while others have their turns. */
export const findIn = (texts: ReadonlyArray<string>, find: Find, all: Found) => inSlices(search(texts, find, all))

/** The commits of a version, and where they are. */
interface Commits extends Version {
  readonly repository: Repository
}

const inMessages = Effect.fnUntraced(function* ({ baseSha, headSha, repository, startSha }: Commits, find: Find) {
  const range = { base: baseSha, head: headSha, start: startSha, limit: maxCommits }
  const { ids } = yield* commitsSince(repository, range)
  const all: Found = new Map()
  for (let at = 0; at < ids.length && all.size < maxReferences; at += batch) {
    const commits = yield* readAbridged(repository, ids.slice(at, at + batch), maxMessage)
    yield* findIn(
      commits.map(({ message }) => message),
      find,
      all
    )
  }
  return [...all.values()]
}, Effect.orDie)

/** About the number of bytes of a reference, and of all that are cached. */
const [bytesOfReference, maxCached] = [100, 8 * 1024 * 1024]

/** What the messages of commits name, by what is looked for, version and context, of those that were read lately: a version has the same commits for ever. */
const cached = new LRUCache<string, ReadonlyArray<IssueReference>>({
  maxSize: maxCached,
  sizeCalculation: ({ length }, key) => length * bytesOfReference + key.length
})

/** A repository that is not there yet, or no more, has none. */
const ofCommits = Effect.fnUntraced(function* (key: string, projectId: number, version: Version, find: Find) {
  const known = cached.get(key)
  if (known !== undefined) return known
  const repositories = yield* Repositories
  if (!(yield* repositories.exists(projectId))) return []
  const found = yield* inMessages({ ...version, repository: repositories.of(projectId) }, find)
  cached.set(key, found)
  return found
})

/** The issues that a merge request may name in its title, its description, and the messages of its commits, which are read bit by bit. */
export const referencesIn = Effect.fnUntraced(function* (
  { projectId }: MergeRequestKey,
  { attributes: { description, title }, version }: MergeRequest,
  wanted: Wanted,
  context: ReferenceContext
) {
  const find: Find = (piece) => finders[wanted]([piece], context)
  const all: Found = new Map()
  yield* findIn([title, description ?? ""], find, all)
  if (version !== undefined && all.size < maxReferences) {
    const { baseSha, headSha, startSha } = version
    const commits = JSON.stringify([wanted, projectId, baseSha, headSha, startSha, context.projectPath, context.externalUrl])
    for (const reference of yield* ofCommits(commits, projectId, version, find)) addTo(all, reference)
  }
  return [...all.values()].slice(0, maxReferences)
})
