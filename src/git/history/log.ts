import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { type Commit, readCommits } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import { pathParts } from "../objects/tree.ts"
import { consumeLines } from "../process/consumeLines.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { hiddenRefs } from "../refs/refNames.ts"

/** Selects commits of a history, and their order. An absent option does not restrict. */
export interface LogOptions {
  /** The full ids of the commits whose histories are listed; `all` stands for every ref that users see. */
  readonly from: ReadonlyArray<string> | "all"
  /** The full ids of the commits whose histories are left out. */
  readonly without?: ReadonlyArray<string>
  /** Lists only commits that change this file, or something in this directory. */
  readonly path?: string
  /** A part of the author's `Name <email>`. Gap: it is compared as text, where the reference takes a regular expression. */
  readonly author?: string
  /** Lists commits of this time or later; seconds since 1970. */
  readonly since?: number
  /** Lists commits of this time or earlier; seconds since 1970. */
  readonly until?: number
  /** Follows only the first parent of merges. */
  readonly firstParent?: boolean
  readonly merges?: "none" | "only"
  /** With `topo`, no parent comes before its children; the default is by time of commit, newest first. */
  readonly order?: "default" | "topo"
  /** Lists the oldest of the selected commits first. */
  readonly reverse?: boolean
  readonly skip?: number
  readonly limit?: number
}

const flag = (name: string, value: string | number | undefined) => (value === undefined ? [] : [`--${name}=${value}`])

/** The arguments of `git rev-list`; undefined when no commit can fit. */
const argumentsOf = (options: LogOptions): ReadonlyArray<string> | undefined => {
  const { author, firstParent, from, limit, merges, order, path = "", reverse, since, skip, until, without = [] } = options
  const parts = pathParts(path)
  const isImpossible = parts.some((part) => part === "." || part === "..") || `${path}${author ?? ""}`.includes("\0")
  if (from.length === 0 || isImpossible) return
  return [
    ...flag("max-age", since),
    ...flag("min-age", until),
    ...(author === undefined || author === "" ? [] : ["--fixed-strings", `--author=${author}`]),
    ...(firstParent ? ["--first-parent"] : []),
    ...(merges === undefined ? [] : [merges === "none" ? "--no-merges" : "--merges"]),
    ...(order === "topo" ? ["--topo-order"] : []),
    ...(reverse ? ["--reverse"] : []),
    ...flag("skip", skip),
    ...flag("max-count", limit),
    ...(from === "all" ? [`--exclude=${hiddenRefs}*`, "--all"] : from),
    ...without.map((id) => `^${id}`),
    "--",
    ...(parts.length === 0 ? [] : [parts.join("/")])
  ]
}

const timeLimit = 30_000

/** The ids of the selected commits, a million and a half at most. */
export const logIds = Effect.fnUntraced(function* (
  repository: Repository,
  options: LogOptions
): Effect.fn.Return<ReadonlyArray<string>, GitFailed> {
  const args = argumentsOf(options)
  if (args === undefined || options.limit === 0) return []
  const ids: Array<string> = []
  yield* consumeLines(repository, ["rev-list", ...args], (line) => void ids.push(line.toString("latin1")), { timeLimit })
  return ids
}, spanned("git.logIds"))

export const log = (repository: Repository, options: LogOptions): Effect.Effect<ReadonlyArray<Commit>, GitFailed, Objects> =>
  Effect.flatMap(logIds(repository, options), (ids) => readCommits(repository, ids))

/** How many commits `logIds` would answer. */
export const countCommits = Effect.fnUntraced(function* (
  repository: Repository,
  options: LogOptions
): Effect.fn.Return<number, GitFailed> {
  const args = argumentsOf(options)
  if (args === undefined) return 0
  const { stdout } = yield* run(repository, ["rev-list", "--count", ...args], { timeLimit })
  return Number(stdout.toString("latin1"))
}, spanned("git.countCommits"))
