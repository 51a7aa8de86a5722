import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { ObjectInfo } from "./catFileAnswers.ts"
import { Objects } from "./Objects.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { branchRef } from "./refNames.ts"
import { run } from "./run.ts"

export interface Branch {
  /** Without `refs/heads/`. Bytes that are not UTF-8 are U+FFFD: such a branch cannot be named. */
  readonly name: string
  /** Id of its commit. */
  readonly commit: string
  /** When that was committed, in seconds since 1970. */
  readonly committedSeconds: number
}

export interface Tag {
  /** Without `refs/tags/`. */
  readonly name: string
  /** Id of what it names: of the tag object, when it is annotated. */
  readonly target: string
  readonly isAnnotated: boolean
  /** Id of the commit that it leads to; undefined when it leads to a file or a directory. */
  readonly commit: string | undefined
  /** When the tag was made, or its commit where it is not annotated; 0 where that is not known. */
  readonly createdSeconds: number
}

/** Records of fields. Names have no line ends. */
const list = (repository: Repository, fields: ReadonlyArray<string>, args: ReadonlyArray<string>) =>
  run(repository, ["for-each-ref", `--format=${fields.map((it) => `%(${it})`).join("%00")}`, ...args], {
    maxOutput: 256 * 1024 * 1024
  }).pipe(
    Effect.map(({ stdout }) => {
      const lines = stdout.toString("utf8").split("\n")
      return lines.slice(0, -1).map((line) => line.split("\0"))
    })
  )

const branchFields = ["refname:lstrip=2", "objectname", "committerdate:unix"]
const tagFields = ["refname:lstrip=2", "objectname", "objecttype", "*objectname", "*objecttype", "creatordate:unix"]

/** All branches by name. */
export const listBranches = (repository: Repository): Effect.Effect<ReadonlyArray<Branch>, GitFailed> =>
  Effect.map(list(repository, branchFields, ["refs/heads/"]), (records) =>
    records.map(([name = "", commit = "", seconds]) => ({ name, commit, committedSeconds: Number(seconds) }))
  )

/** All tags by name. */
export const listTags = (repository: Repository): Effect.Effect<ReadonlyArray<Tag>, GitFailed, Objects> =>
  Effect.flatMap(list(repository, tagFields, ["refs/tags/"]), (records) =>
    Effect.forEach(records, (record) => toTag(repository, record), { concurrency: 100 })
  )

const toTag = Effect.fnUntraced(function* (repository: Repository, record: ReadonlyArray<string>) {
  const [name = "", target = "", type, peeled, peeledType, seconds] = record
  const tag = { name, target, isAnnotated: type === "tag", createdSeconds: Number(seconds) }
  if (type === "commit") return { ...tag, commit: target }
  if (peeledType === "commit") return { ...tag, commit: peeled }
  const objects = yield* Objects
  // git 2.39 looks behind one tag, but not behind a tag of a tag.
  const found = peeledType === "tag" ? yield* objects.info(repository, `${target}^{commit}`) : undefined
  return { ...tag, commit: found?.id }
})

/** Names of the branches whose commits are all in the history of a commit. */
export const branchesMergedInto = (repository: Repository, commit: string): Effect.Effect<ReadonlySet<string>, GitFailed> =>
  Effect.map(
    list(repository, ["refname:lstrip=2"], [`--merged=${commit}`, "refs/heads/"]),
    (records) => new Set(records.map(([name = ""]) => name))
  )

/** Names of the branches or tags that have a commit in their history. */
export const refsContaining = (
  repository: Repository,
  commit: string,
  kind: "branch" | "tag"
): Effect.Effect<ReadonlyArray<string>, GitFailed> =>
  Effect.map(
    list(repository, ["refname:lstrip=2"], [`--contains=${commit}`, kind === "branch" ? "refs/heads/" : "refs/tags/"]),
    (records) => records.map(([name = ""]) => name)
  )

/** `git` reads such a name as one of a commit when there is no such ref: `v1.0-3-g0123abc`, as `git describe` prints it. */
const looksDescribed = /-g[0-9a-f]+$/i

/** What a ref names; undefined when there is none. `name` is a full one that passed `isRefName`. */
export const readRef = Effect.fnUntraced(function* (
  repository: Repository,
  name: string
): Effect.fn.Return<ObjectInfo | undefined, GitFailed, Objects> {
  if (looksDescribed.test(name)) {
    const { status } = yield* run(repository, ["show-ref", "--verify", "--quiet", "--", name], { statuses: [0, 1] })
    if (status === 1) return
  }
  return yield* (yield* Objects).info(repository, name)
})

/** The branch that HEAD names, which an empty repository does not have yet. */
export const defaultBranch = (repository: Repository): Effect.Effect<string | undefined> =>
  Effect.promise(() => readFile(join(repository.path, "HEAD"), "utf8").catch(() => "")).pipe(
    Effect.map((text) => /^ref: refs\/heads\/(.+)\n?$/.exec(text)?.[1])
  )

/** Makes HEAD name another branch, whether or not there is one of that name. */
export const setDefaultBranch = (repository: Repository, name: string): Effect.Effect<void, GitFailed> =>
  Effect.asVoid(run(repository, ["symbolic-ref", "HEAD", branchRef(name)]))
