import { Effect } from "effect"
import { emptyTreeId } from "../objectId.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { alternates } from "../process/alternates.ts"
import { consume } from "../process/consume.ts"
import { runText } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { type DiffEntry, diffEntry } from "./entry.ts"
import { DiffGate, type DiffLimits, defaultLimits } from "./limits.ts"
import { DiffParser, type Patch } from "./parser.ts"

export interface DiffRequest {
  /** The full id of a commit or tree. The changes of a commit without parents are its difference from `emptyTreeId`. */
  readonly from: string
  readonly to: string
  /** The limits default to `defaultLimits`. */
  readonly limits?: DiffLimits
  /** Other repositories in which objects of either side may lie. */
  readonly alsoFrom?: ReadonlyArray<Repository>
  /** Only these files, by their names on either side; by default all. */
  readonly paths?: ReadonlyArray<string>
  /** Gets what git prints, list and patches, as it comes; of a list that is cut, not all. */
  readonly onOutput?: (chunk: Buffer) => void
}

export interface Diff {
  /** The entries are ordered by the bytes of the new path. */
  readonly entries: ReadonlyArray<DiffEntry>
  /** A hard limit cut the list. Collapsed and too large texts do not make it so. */
  readonly isOverflow: boolean
}

export interface DiffTotals {
  readonly files: number
  readonly additions: number
  readonly deletions: number
}

/** Renames at 30 % similarity, no copies; nothing that a repository configures changes the output. */
export const renames = ["-r", "--find-renames=30%", "--no-ext-diff", "--no-textconv"]
export const format = ["--raw", "-z", "--no-abbrev", "--patch", "--full-index", "--no-color", "--submodule=short", "--unified=3"]
export const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"]
/** Larger files count as binary, so that no text of gigabytes is compared. Newer versions of git would take attributes from HEAD. */
export const settings = ["-c", "core.bigFileThreshold=50m", "-c", `attr.tree=${emptyTreeId}`]

/** Asks for the list of what differs, and then for the patches. */
export const diffArguments = (from: string, to: string, paths: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...settings,
  "diff-tree",
  ...renames,
  ...format,
  ...prefixes,
  from,
  to,
  "--",
  ...paths
]

/** The changed files between two commits or trees. `git` is ended as soon as a hard limit is reached. */
export const diff = (repository: Repository, request: DiffRequest): Effect.Effect<Diff, GitFailed> => {
  const { alsoFrom = [], from, limits = defaultLimits, onOutput, paths = [], to } = request
  const read = Effect.suspend(() => {
    // The parser reads one more entry than is shown, to know whether there are more.
    const parser = new DiffParser(limits.patchBytes, limits.hard.files + 1)
    const gate = new DiffGate(limits)
    const entries: Array<DiffEntry> = []
    let isOverflow = false
    const take = (patches: ReadonlyArray<Patch>) => {
      for (const patch of patches) {
        const admission = isOverflow ? "cut" : gate.admit(patch, parser.total === 1)
        if (admission === "cut") isOverflow = true
        else entries.push(diffEntry(patch, admission))
      }
    }
    const onChunk = (chunk: Buffer) => {
      onOutput?.(chunk)
      take(parser.push(chunk))
      return isOverflow ? "enough" : undefined
    }
    return Effect.map(consume(repository, diffArguments(from, to, paths), onChunk, { env: alternates(alsoFrom) }), () => {
      if (!isOverflow) take(parser.end())
      return { entries, isOverflow }
    })
  })
  return Effect.andThen(requireFullIds([from, to]), read)
}

/** Counts over all changed files, whatever the limits; binary files have no lines. */
export const diffTotals = (
  repository: Repository,
  { alsoFrom = [], from, to }: Omit<DiffRequest, "limits">
): Effect.Effect<DiffTotals, GitFailed> => {
  const args = [...settings, "diff-tree", ...renames, "--shortstat", from, to, "--"]
  const read = Effect.map(runText(repository, args, { env: alternates(alsoFrom) }), shortstat)
  return Effect.andThen(requireFullIds([from, to]), read)
}

/** Reads ` 3 files changed, 2 insertions(+), 1 deletion(-)`, of which parts without anything to count are left out. */
export const shortstat = (line: string): DiffTotals => {
  const count = (what: RegExp) => Number(what.exec(line)?.[1] ?? 0)
  return { files: count(/(\d+) file/), additions: count(/(\d+) insertion/), deletions: count(/(\d+) deletion/) }
}
