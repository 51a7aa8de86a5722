import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { Objects } from "../objects/Objects.ts"
import type { ObjectInfo } from "../process/catFileAnswers.ts"
import { consume } from "../process/consume.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { branchRef, tagRef } from "./refNames.ts"
import { removeStaleLocks } from "./staleLocks.ts"

/** A branch where it is. */
export interface BranchTip {
  /** The name without `refs/heads/`. Bytes that are not UTF-8 are U+FFFD: such a branch cannot be named. */
  readonly name: string
  /** The id of its commit. */
  readonly commit: string
}

export interface Branch extends BranchTip {
  /** The time of its commit in seconds since 1970. */
  readonly committedSeconds: number
}

export interface Tag {
  /** The name without `refs/tags/`. */
  readonly name: string
  /** The id of what the tag names: of the tag object, when it is annotated. */
  readonly target: string
  readonly isAnnotated: boolean
  /** The id of the commit that the tag leads to; undefined when it leads to a file or a directory. */
  readonly commit: string | undefined
  /** The time of the tag, or of its commit where it is not annotated; 0 where that is not known. */
  readonly createdSeconds: number
}

const maxOutput = 256 * 1024 * 1024

/** Lists refs as records of fields, one line each, because names have no line ends. */
const list = (repository: Repository, fields: ReadonlyArray<string>, args: ReadonlyArray<string>) =>
  run(repository, ["for-each-ref", `--format=${fields.map((it) => `%(${it})`).join("%00")}`, ...args], { maxOutput }).pipe(
    Effect.map(({ stdout }) => {
      const lines = stdout.toString("utf8").split("\n")
      return lines.slice(0, -1).map((line) => line.split("\0"))
    })
  )

const tipFields = ["refname:lstrip=2", "objectname"]
const branchFields = [...tipFields, "committerdate:unix"]
const tagFields = ["refname:lstrip=2", "objectname", "objecttype", "*objectname", "*objecttype", "creatordate:unix"]

const toTip = ([name = "", commit = ""]: ReadonlyArray<string>): BranchTip => ({ name, commit })

/** All branches by name, without reading their commits. */
export const branchTips = (repository: Repository): Effect.Effect<ReadonlyArray<BranchTip>, GitFailed> =>
  Effect.map(list(repository, tipFields, ["refs/heads/"]), (records) => records.map(toTip))

/** Whether there is a branch at all. */
export const hasBranches = (repository: Repository): Effect.Effect<boolean, GitFailed> =>
  Effect.map(list(repository, tipFields, ["--count=1", "refs/heads/"]), (records) => records.length > 0)

/** All branches by name, with their times, for which every commit is read. */
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

/** The branches, of `names` or all, whose commits are all in the history of a commit. */
export const branchesMergedInto = (
  repository: Repository,
  commit: string,
  names?: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<BranchTip>, GitFailed> => {
  if (names?.length === 0) return Effect.succeed([])
  const refs = names === undefined ? ["refs/heads/"] : names.map(branchRef)
  return Effect.map(list(repository, tipFields, [`--merged=${commit}`, ...refs]), (records) => records.map(toTip))
}

/** The tips that have a commit in their history. They share one walk, where `for-each-ref --contains` would walk for each. */
const descendants = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  { refs, tips }: { readonly refs: "--branches" | "--tags"; readonly tips: ReadonlySet<string | undefined> }
) {
  yield* requireFullIds([commit])
  const found = new Set<string>()
  let rest = ""
  const onChunk = (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split("\n")
    rest = lines.pop() ?? ""
    for (const id of lines) if (tips.has(id)) found.add(id)
    return undefined
  }
  yield* consume(repository, ["rev-list", "--ancestry-path", `^${commit}`, refs], onChunk)
  return found
})

/** The names of the branches or tags that have a commit in their history, by name. */
export const refsContaining = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  kind: "branch" | "tag"
): Effect.fn.Return<ReadonlyArray<string>, GitFailed, Objects> {
  const isBranch = kind === "branch"
  const refs = yield* isBranch ? branchTips(repository) : listTags(repository)
  const tips = new Set(refs.map((ref) => ref.commit))
  const later = yield* descendants(repository, commit, { refs: isBranch ? "--branches" : "--tags", tips })
  const has = (tip: string | undefined) => tip !== undefined && (tip === commit || later.has(tip))
  return refs.filter((ref) => has(ref.commit)).map(({ name }) => name)
}, spanned("git.refsContaining"))

/** `git` reads such a name as one of a commit when there is no such ref: `v1.0-3-g0123abc`, as `git describe` prints it. */
const describePattern = /-g[0-9a-f]+$/i

/** The other names that `git` tries for a full name when there is no such ref: a branch or tag whose own name is a full one. */
const alternativeNames = (name: string): ReadonlyArray<string> => [tagRef(name), branchRef(name)]

/** What a ref names; undefined when there is none. `name` is a full one that passed `isRefName`. */
export const readRef = Effect.fnUntraced(function* (
  repository: Repository,
  name: string
): Effect.fn.Return<ObjectInfo | undefined, GitFailed, Objects> {
  const { info } = yield* Objects
  const found = yield* info(repository, name)
  if (found === undefined) return
  const others = yield* Effect.forEach(alternativeNames(name), (ref) => info(repository, ref), { concurrency: "unbounded" })
  if (!describePattern.test(name) && others.every((other) => other === undefined)) return found
  const { status } = yield* run(repository, ["show-ref", "--verify", "--quiet", "--", name], { statuses: [0, 1] })
  return status === 0 ? found : undefined
})

/** Answers an empty text where there is no repository, and so no HEAD. */
const absent = (error: NodeJS.ErrnoException): string => {
  if (error.code === "ENOENT") return ""
  throw error
}

/** The branch that HEAD names, which an empty repository does not have yet. */
export const defaultBranch = (repository: Repository): Effect.Effect<string | undefined> =>
  Effect.promise(() => readFile(join(repository.path, "HEAD"), "utf8").catch(absent)).pipe(
    Effect.map((text) => /^ref: refs\/heads\/(.+)\n?$/.exec(text)?.[1])
  )

/** Makes HEAD name another branch, whether or not there is one of that name. */
export const setDefaultBranch = (repository: Repository, name: string): Effect.Effect<void, GitFailed> =>
  Effect.asVoid(Effect.andThen(removeStaleLocks(repository, []), run(repository, ["symbolic-ref", "HEAD", branchRef(name)])))
