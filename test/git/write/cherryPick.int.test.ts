import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { readCommit } from "#src/git/objects/commit.ts"
import { cherryPick, revert } from "#src/git/write/cherryPick.ts"
import { mergeCommits, mergeTrees } from "#src/git/write/mergeTrees.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const committer = { name: "Wendy Writer", email: "wendy@example.com", seconds: 1_700_009_999, offset: "+0100" }
const lines = (...changed: ReadonlyArray<string>) =>
  Array.from({ length: 30 }, (_, index) => `${changed[index] ?? index}\n`).join("")

let made: (GitFixture & { readonly ids: Record<string, string> }) | undefined
/** `base`, then `ours` (renames a file and changes its start), `theirs` (changes its end), `clash` (its start too). */
const forked = () => {
  if (made !== undefined) return made
  const fixture = emptyRepository(`${standard().repository.path}-forked.git`)
  const end = `${lines().slice(0, -3)}end\n`
  const ids = fixture.commits([
    { mark: "base", files: { "a.txt": lines(), "b.txt": "b\n" } },
    { mark: "ours", files: { "a.txt": null, "renamed.txt": lines("ours"), "b.txt": "b\n" } },
    { mark: "theirs", ref: "refs/heads/theirs", parents: ["base"], files: { "a.txt": end } },
    { mark: "more", ref: "refs/heads/theirs", files: { "new.txt": "new\n" } },
    { mark: "clash", ref: "refs/heads/clash", parents: ["base"], files: { "a.txt": lines("clash"), "b.txt": null } },
    { mark: "merge", ref: "refs/heads/merge", parents: ["base", "theirs"], files: { "a.txt": end } }
  ])
  made = { ...fixture, ids }
  return made
}

/** What `git cherry-pick` or `git revert` itself makes of it: the tree. */
const treeByGit = (command: "cherry-pick" | "revert", id: string, onto: string, args: ReadonlyArray<string> = []): string => {
  const { repository } = forked()
  const folder = `${repository.path}-work`
  const git = (...all: ReadonlyArray<string>) =>
    runProgram("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...all])
      .toString()
      .trim()
  git("--git-dir", repository.path, "worktree", "add", "--quiet", "--force", "--detach", folder, onto)
  try {
    git("-C", folder, command, ...(command === "revert" ? ["--no-edit"] : []), ...args, id)
    return git("-C", folder, "rev-parse", "HEAD^{tree}")
  } finally {
    git("--git-dir", repository.path, "worktree", "remove", "--force", folder)
  }
}

const pick = Effect.fnUntraced(function* (id: string, onto: string, make: typeof cherryPick) {
  const { repository } = forked()
  const commit = yield* Effect.map(readCommit(repository, id), (found) => found ?? expect.unreachable())
  return yield* make(repository, { commit, onto, committer, message: "Picked" })
})
const treeOf = (id: string) => forked().git(["rev-parse", `${id}^{tree}`])

describe("a pick", () => {
  it("carries a change over a rename, and keeps the author", async () => {
    const { git, ids } = forked()
    const { ours = "", theirs = "" } = ids
    const id = await withObjects(pick(theirs, ours, cherryPick))
    expect(treeOf(id)).toBe(treeByGit("cherry-pick", theirs, ours))
    expect(git(["log", "-1", "--format=%P|%an|%cn|%ct|%B", id])).toBe(`${ours}|Ann Author|Wendy Writer|1700009999|Picked`)
    expect(git(["show", `${id}:renamed.txt`])).toContain("end")
  })

  it("takes only the change of that commit, and that of a merge against its first parent", async () => {
    const { ids } = forked()
    const { merge = "", more = "", ours = "" } = ids
    expect(treeOf(await withObjects(pick(more, ours, cherryPick)))).toBe(treeByGit("cherry-pick", more, ours))
    expect(treeOf(await withObjects(pick(merge, ours, cherryPick)))).toBe(treeByGit("cherry-pick", merge, ours, ["-m", "1"]))
  })

  it("of a first commit brings all its files", async () => {
    const { ids, repository } = standard()
    const id = await withObjects(
      Effect.gen(function* () {
        const commit = yield* Effect.map(readCommit(repository, ids.orphan), (found) => found ?? expect.unreachable())
        return yield* cherryPick(repository, { commit, onto: ids.first, committer, message: "x" })
      })
    )
    expect(standard().git(["diff-tree", "-r", "--name-status", ids.first, id])).toBe("A\talone.txt")
  })

  it("fails with the files in conflict, or when it changes nothing", async () => {
    const { ids } = forked()
    const { clash = "", more = "", ours = "", theirs = "" } = ids
    const conflict = await withObjects(Effect.flip(pick(clash, ours, cherryPick)))
    expect(conflict).toMatchObject({ _tag: "ChangeConflicts", paths: ["renamed.txt"] })
    expect(await withObjects(Effect.flip(pick(theirs, more, cherryPick)))).toMatchObject({
      _tag: "ChangeIsEmpty",
      commit: theirs
    })
  })
})

describe("a revert", () => {
  it("undoes a change, that of a merge too", async () => {
    const { git, ids } = forked()
    const { merge = "", more = "", theirs = "" } = ids
    const id = await withObjects(pick(theirs, more, revert))
    expect(treeOf(id)).toBe(treeByGit("revert", theirs, more))
    expect(git(["log", "-1", "--format=%P|%an|%cn", id])).toBe(`${more}|Wendy Writer|Wendy Writer`)
    expect(treeOf(await withObjects(pick(merge, merge, revert)))).toBe(treeByGit("revert", merge, merge, ["-m", "1"]))
  })

  it("fails with conflicts, or when there is nothing left to undo", async () => {
    const { ids } = forked()
    const { base = "", clash = "", ours = "", theirs = "" } = ids
    expect(await withObjects(Effect.flip(pick(clash, ours, revert)))).toMatchObject({ _tag: "ChangeConflicts" })
    expect(await withObjects(Effect.flip(pick(theirs, base, revert)))).toMatchObject({ _tag: "ChangeIsEmpty" })
  })
})

const commitCount = () => forked().git(["cat-file", "--batch-all-objects", "--batch-check=%(objecttype)"]).split("commit").length

describe("a merge", () => {
  it("of commits is what git merges, with several bases too", async () => {
    const { git, ids, repository } = standard()
    const { conflicts, tree } = await Effect.runPromise(mergeCommits(repository, [ids.crossLeft, ids.crossRight]))
    expect(conflicts).toEqual([])
    expect(tree).toBe(git(["rev-parse", `${ids.crossLeft}^{tree}`]))
    const apart = await Effect.runPromise(mergeCommits(repository, [ids.head, ids.orphan]))
    expect(git(["ls-tree", "--name-only", apart.tree]).split("\n")).toContain("alone.txt")
  })

  it("of trees leaves nothing behind", async () => {
    const { git, ids, repository } = forked()
    const { base = "", clash = "", ours = "" } = ids
    const trees = { base: treeOf(base), ours: treeOf(ours), theirs: treeOf(clash) }
    const before = commitCount()
    const merged = await Effect.runPromise(mergeTrees(repository, trees))
    expect(merged.conflicts).toEqual(["renamed.txt"])
    expect(git(["show", `${merged.tree}:renamed.txt`])).toContain("<<<<<<<")
    expect(commitCount()).toBe(before)
  })
})
