import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { type CommitList, commitsSince } from "../history/commitsSince.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import type { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { diff } from "./diff.ts"
import type { DiffEntry } from "./entry.ts"
import { type DiffLimits, defaultLimits } from "./limits.ts"
import { PatchText, patchIdOf, patchText } from "./patchId.ts"

/** A change as it is shown for a merge request: from the merge base to the head of the source. */
export interface VersionRequest {
  /** The full id of the merge base, where the diff begins. */
  readonly base: string
  /** The full id of the head of the target, whose commits do not belong to the change. */
  readonly start: string
  readonly head: string
  /** The limits default to `versionLimits`. */
  readonly limits?: DiffLimits
  /** The highest number of commits; the default is 10,000. */
  readonly maxCommits?: number
  /** Whether a file is made by a tool rather than by hand; default: none is. */
  readonly isGenerated?: (entry: DiffEntry) => boolean
}

export interface VersionEntry extends DiffEntry {
  readonly isGenerated: boolean
}

export interface Version {
  /** The entries are ordered by the bytes of the new path. */
  readonly entries: ReadonlyArray<VersionEntry>
  /** A limit cut the list. */
  readonly isOverflow: boolean
  /** The number of entries, with `+` behind it where the list was cut. */
  readonly size: string
  /** `git patch-id --stable`; null where nothing is changed, or too much. */
  readonly patchId: string | null
  /** The commits that belong to the change. */
  readonly commits: CommitList
}

/**
 * A version is read again and again, so its texts are left out only where they are large on their own: no text collapses. Source: diff
 * versions, and the limits of changes.
 */
export const versionLimits: DiffLimits = { ...defaultLimits, collapse: null }

/** The entries, and the id of the patches, for which git prints them only once unless the list was cut. */
const readDiff = Effect.fnUntraced(function* (
  repository: Repository,
  { base, head, limits = versionLimits }: VersionRequest
): Effect.fn.Return<Pick<Version, "isOverflow" | "patchId"> & { readonly entries: ReadonlyArray<DiffEntry> }, GitFailed> {
  const text = new PatchText()
  const found = yield* diff(repository, { from: base, to: head, limits, onOutput: (chunk) => text.push(chunk) })
  const patches = found.isOverflow ? yield* patchText(repository, base, head) : text.end()
  return { ...found, patchId: patches === undefined ? null : yield* patchIdOf(repository, patches) }
})

/** What a merge request changes, at its limits. The same commits have the same version every time. */
export const versionOf = Effect.fnUntraced(function* (
  repository: Repository,
  request: VersionRequest
): Effect.fn.Return<Version, GitFailed, Objects> {
  const { base, head, isGenerated = () => false, maxCommits = 10_000, start } = request
  yield* requireFullIds([base, start, head])
  const range = { base, start, head, limit: maxCommits }
  const [{ entries, isOverflow, patchId }, commits] = yield* Effect.all(
    [readDiff(repository, request), commitsSince(repository, range)],
    { concurrency: 2 }
  )
  return {
    entries: entries.map((entry) => ({ ...entry, isGenerated: isGenerated(entry) })),
    isOverflow,
    size: `${entries.length}${isOverflow ? "+" : ""}`,
    patchId,
    commits
  }
}, spanned("git.versionOf"))
