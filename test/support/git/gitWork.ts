import { runProgram } from "../processes/runProgram.ts"
import { gitEnvironment } from "./gitEnvironment.ts"
import type { GitFixture } from "./gitFixtures.ts"

/** What `git` does in a work tree: the id of the commit that it made, or undefined where there were conflicts. */
export interface GitWork {
  readonly merge: (target: string, source: string) => string | undefined
  readonly rebase: (target: string, source: string) => string | undefined
}

const settings = ["user.name=x", "user.email=x@y", "advice.detachedHead=false", "core.autocrlf=false"]

/** A work tree of a repository, beside it, at a commit, in which one command after the other runs. */
export const gitWork = ({ git, repository }: GitFixture, at: string): GitWork => {
  const folder = `${repository.path}-work`
  git(["worktree", "add", "--quiet", "--detach", "--no-checkout", folder, at])
  const inside = (args: ReadonlyArray<string>) =>
    runProgram("git", [...settings.flatMap((setting) => ["-c", setting]), "-C", folder, ...args], { env: gitEnvironment })
      .toString()
      .trim()
  const tried = (start: string, args: ReadonlyArray<string>): string | undefined => {
    inside(["checkout", "--quiet", "--force", "--detach", start])
    try {
      inside(args)
      return inside(["rev-parse", "HEAD"])
    } catch {
      return undefined
    } finally {
      // What is left of a merge or rebase that stopped.
      inside(["reset", "--quiet", "--hard"])
      inside(["clean", "-ffdxq"])
    }
  }
  return {
    merge: (target, source) => tried(target, ["merge", "--no-ff", "--no-edit", source]),
    rebase: (target, source) => {
      const head = tried(source, ["rebase", "--quiet", target])
      if (head === undefined) inside(["rebase", "--quit"])
      return head
    }
  }
}
