import { Effect } from "effect"
import { countedCommits } from "../../changelog/commits.ts"
import { failures } from "../../changelog/template/errors.ts"
import { parseCommit } from "../../git/objects/commit.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { trailersOf } from "../../git/objects/trailers.ts"
import type { Repository } from "../../git/Repository.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { titleOf } from "../commits/messages.ts"

/** What a changelog keeps of a commit. */
export interface SelectedCommit {
  readonly id: string
  readonly title: string
  readonly authorEmail: string
  readonly trailers: ReadonlyArray<readonly [key: string, value: string]>
  /** The value of the trailer that selected the commit. */
  readonly category: string
}

const pageSize = 1024
/** The highest number of bytes. Gap: a larger commit is skipped. */
const maxCommitBytes = 64 * 1024
/** The highest number of characters of all commits together. */
const maxTotalCharacters = 32 * 1024 * 1024

const readOne = Effect.fnUntraced(function* (repository: Repository, id: string) {
  const object = yield* (yield* Objects).read(repository, id, maxCommitBytes)
  if (object?.type !== "commit") return undefined
  const { author, message } = parseCommit(id, object.content)
  return { id, authorEmail: author.email, message, trailers: trailersOf(message).map(({ key, value }) => [key, value] as const) }
})

/** Reads the commits that exist, in the order of the ids. */
const readPage = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<string>) {
  const read = (id: string) =>
    Effect.catchTag(readOne(repository, id), "GitFailed", (failure) =>
      failure.exceeded === "output" ? Effect.undefined : Effect.die(failure)
    )
  const page = yield* Effect.forEach(ids, read, { concurrency: 200 })
  return page.filter((commit) => commit !== undefined)
})

/** A title of more characters is truncated. */
const maxTitleLength = 99
/** A truncated title has this many characters, with three dots. */
const truncatedTitleLength = 81

/** Long titles end at a space, as the reference cuts them. */
const shownTitle = (message: string): string => {
  const characters = [...titleOf(message)]
  if (characters.length <= maxTitleLength) return characters.join("")
  const available = truncatedTitleLength - "...".length
  const space = characters.lastIndexOf(" ", available)
  return `${characters.slice(0, space > 0 ? space : available).join("")}...`
}

const sizeOf = ({ authorEmail, title, trailers }: SelectedCommit): number =>
  trailers.reduce((size, [key, value]) => size + key.length + value.length, authorEmail.length + title.length)

/** The commits with the trailer that are not reverted. `ids`: newest first. */
export const selectCommits = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<string>, trailer: string) {
  const reverted = new Set<string>()
  const selected: Array<SelectedCommit> = []
  let size = 0
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = yield* readPage(repository, ids.slice(start, start + pageSize))
    for (const { category, commit } of countedCommits(page, trailer, reverted)) {
      const { authorEmail, id, message, trailers } = commit
      const entry = { id, title: shownTitle(message), authorEmail, trailers, category }
      size += sizeOf(entry)
      selected.push(entry)
    }
    if (size > maxTotalCharacters) return yield* failures.templateTimeout()
  }
  return selected
}, spanned("changelog.selectCommits"))
