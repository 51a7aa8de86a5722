import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { Repository } from "#src/git/Repository.ts"
import { runProgram } from "../processes/runProgram.ts"
import { gitEnvironment } from "./gitEnvironment.ts"
import { type CommitStep, importStream } from "./gitImport.ts"

/** A bare repository made for a test, and real git to ask about it. */
export interface GitFixture {
  readonly repository: Repository
  /** Standard output as UTF-8 without the last line's end. Throws when git fails. */
  readonly git: (args: ReadonlyArray<string>, input?: string | Uint8Array) => string
  readonly gitBytes: (args: ReadonlyArray<string>, input?: string | Uint8Array) => Buffer
  /** Makes the commits; branches (full names: `refs/heads/main`) move along. Answers the ids by their marks. */
  readonly commits: <Mark extends string>(steps: ReadonlyArray<CommitStep<Mark>>) => Record<Mark, string>
  /** Writes an object as it is, unchecked. */
  readonly object: (type: "blob" | "tree" | "commit" | "tag", content: string | Uint8Array) => string
}

const environment = {
  ...gitEnvironment,
  TZ: "UTC",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_AUTHOR_NAME: "Ann Author",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_AUTHOR_DATE: "1700000000 +0200",
  GIT_COMMITTER_NAME: "Carl Committer",
  GIT_COMMITTER_EMAIL: "carl@example.com",
  GIT_COMMITTER_DATE: "1700000100 -0330"
}

/** Real git on a repository that is there already. */
export const gitFixture = (repository: Repository): GitFixture => {
  const gitBytes: GitFixture["gitBytes"] = (args, input = "") =>
    runProgram("git", ["-c", "core.quotePath=false", "-c", "gc.auto=0", `--git-dir=${repository.path}`, ...args], {
      env: environment,
      input
    })
  const git: GitFixture["git"] = (args, input) => gitBytes(args, input).toString("utf8").replace(/\n$/, "")
  return {
    repository,
    git,
    gitBytes,
    commits: <Mark extends string>(steps: ReadonlyArray<CommitStep<Mark>>) => {
      const { marks, stream } = importStream(steps, (ref) => git(["for-each-ref", ref]) !== "")
      const ids = git(["fast-import", "--quiet", "--force", "--date-format=raw"], stream).split("\n")
      return Object.fromEntries(marks.map((mark, index) => [mark, ids[index]])) as Record<Mark, string>
    },
    object: (type, content) => git(["hash-object", "-t", type, "-w", "--stdin", "--literally"], content)
  }
}

/** An empty bare repository at the path, with HEAD at `refs/heads/main`. */
export const emptyRepository = (path: string): GitFixture => {
  mkdirSync(dirname(path), { recursive: true })
  const fixture = gitFixture({ path })
  fixture.git(["init", "--quiet", "--bare", "--initial-branch=main", "--template="])
  return fixture
}
