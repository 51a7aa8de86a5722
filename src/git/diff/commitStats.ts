import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Commit } from "../objects/commit.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { type DiffTotals, renames, settings, shortstat } from "./diff.ts"

const args = [...settings, "diff-tree", "--stdin", "--root", ...renames, "--shortstat"]

/** What commits change against their first parents, by id, counted by one process as `diffTotals` does. One that changes nothing has no entry. */
export const commitStats = Effect.fnUntraced(function* (
  repository: Repository,
  commits: ReadonlyArray<Pick<Commit, "id" | "parents">>
): Effect.fn.Return<ReadonlyMap<string, DiffTotals>, GitFailed> {
  const found = new Map<string, DiffTotals>()
  if (commits.length === 0) return found
  const pairs = commits.map(({ id, parents }) => [id, ...parents.slice(0, 1)])
  yield* requireFullIds(pairs.flat())
  const { stdout } = yield* run(repository, args, { input: pairs.map((pair) => `${pair.join(" ")}\n`).join("") })
  let id = ""
  for (const line of stdout.toString("latin1").split("\n")) {
    if (line.startsWith(" ")) found.set(id, shortstat(line))
    else id = line.slice(0, 40)
  }
  return found
}, spanned("git.commitStats"))
