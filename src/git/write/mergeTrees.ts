import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { emptyTreeId } from "../objectId.ts"
import type { Signature } from "../objects/signature.ts"
import { alternates } from "../process/alternates.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { type Quarantine, quarantineSettings } from "./quarantine.ts"
import { writeCommit } from "./writeCommit.ts"

export interface Merged {
  /** The id of the resulting tree, which is written. Files with conflicts have markers in it. */
  readonly tree: string
  /** Whether all went well. */
  readonly isClean: boolean
  /** Paths of the files with conflicts; there may be none, where it is not clear into which directory files belong. */
  readonly conflicts: ReadonlyArray<string>
}

const options = ["--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories"]
/** Newer versions of git would take attributes from HEAD, and merge the same commits differently whenever that moves. */
const settings = ["-c", `attr.tree=${emptyTreeId}`]

interface Place {
  /** Where the objects are written; the repository itself when it is undefined. */
  readonly quarantine: Quarantine | undefined
  readonly env?: Readonly<Record<string, string>>
}

const merge = (repository: Repository, sides: readonly [string, string], { env, quarantine }: Place) =>
  run(repository, [...settings, ...(quarantine ? quarantineSettings : []), "merge-tree", ...options, ...sides], {
    statuses: [0, 1],
    env: { ...quarantine?.env, ...env }
  }).pipe(
    Effect.map(({ status, stdout }): Merged => {
      const [tree = "", ...conflicts] = stdout.toString("utf8").split("\0").slice(0, -1)
      return { tree, isClean: status === 0, conflicts: [...new Set(conflicts)] }
    })
  )

/** What a merge of two commits, by full ids, results in, with renames, from their merge base; several bases are merged first. */
export const mergeCommits = (
  repository: Repository,
  [ours, theirs]: readonly [string, string],
  quarantine?: Quarantine
): Effect.Effect<Merged, GitFailed> => merge(repository, [ours, theirs], { quarantine })

/** The ids of the three trees of a merge. */
export interface ThreeTrees {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** Git asks for the author of a commit, also of these, which are gone after the merge. */
const nobody: Signature = { name: "nobody", email: "", seconds: 0, offset: "+0000" }

/** A folder for objects that only one merge needs. */
const temporaryRepository = Effect.acquireRelease(
  Effect.promise(async (): Promise<Repository> => {
    const path = await mkdtemp(join(tmpdir(), "chronoforge-merge-"))
    await mkdir(join(path, "objects"))
    return { path }
  }),
  ({ path }) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const mergeViaCommits = Effect.fnUntraced(function* (
  repository: Repository,
  { base, ours, theirs }: ThreeTrees,
  quarantine: Quarantine | undefined
) {
  const other = yield* temporaryRepository
  const commit = (tree: string, parents: ReadonlyArray<string>, message: string) =>
    writeCommit(other, { tree, parents, author: nobody, committer: nobody, message }, { isDurable: false })
  const root = yield* commit(base, [], "base")
  const sides = [yield* commit(ours, [root], "ours"), yield* commit(theirs, [root], "theirs")] as const
  return yield* merge(repository, sides, { quarantine, env: alternates(quarantine ? [repository, other] : [other]) })
})

/**
 * What is the result when `ours` also gets what changed from `base` to `theirs`, with renames. `git merge-tree` only takes commits
 * (before 2.45) and finds their base itself, so there are three of them outside the repository that have just this history.
 */
export const mergeTrees = (
  repository: Repository,
  trees: ThreeTrees,
  quarantine?: Quarantine
): Effect.Effect<Merged, GitFailed> => Effect.scoped(mergeViaCommits(repository, trees, quarantine))
