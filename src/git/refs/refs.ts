import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { filterInSlices, forEachInSlices, mapInSlices } from "../../kernel/inSlices.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { Objects } from "../objects/Objects.ts"
import type { ObjectInfo } from "../process/catFileAnswers.ts"
import { consumeLines } from "../process/consumeLines.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { branchRef, tagRef } from "./refNames.ts"
import { removeStaleLocks } from "./staleLocks.ts"
import { anyBranchOnDisk } from "./tipOnDisk.ts"

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

/** Lists refs as records of fields, one line each, because names have no line ends; more than 64 MiB of them are too many. */
const list = <A>(
  repository: Repository,
  { args, fields }: { readonly args: ReadonlyArray<string>; readonly fields: ReadonlyArray<string> },
  read: (record: ReadonlyArray<string>) => A
): Effect.Effect<ReadonlyArray<A>, GitFailed> =>
  Effect.suspend(() => {
    const found: Array<A> = []
    const onLine = (line: Buffer) => void found.push(read(line.toString("utf8").split("\0")))
    const format = `--format=${fields.map((it) => `%(${it})`).join("%00")}`
    return Effect.as(consumeLines(repository, ["for-each-ref", format, ...args], onLine), found)
  })

const tipFields = ["refname:lstrip=2", "objectname"]
const branchFields = [...tipFields, "committerdate:unix"]
const tagFields = ["refname:lstrip=2", "objectname", "objecttype", "*objectname", "*objecttype", "creatordate:unix"]

const toTip = ([name = "", commit = ""]: ReadonlyArray<string>): BranchTip => ({ name, commit })

/** All branches by name, without reading their commits. */
export const branchTips = (repository: Repository): Effect.Effect<ReadonlyArray<BranchTip>, GitFailed> =>
  list(repository, { fields: tipFields, args: ["refs/heads/"] }, toTip)

/** Whether there is a branch at all. */
export const hasBranches = Effect.fnUntraced(function* (repository: Repository): Effect.fn.Return<boolean, GitFailed> {
  const onDisk = yield* anyBranchOnDisk(repository)
  if (onDisk !== undefined) return onDisk
  const tips = yield* list(repository, { fields: tipFields, args: ["--count=1", "refs/heads/"] }, toTip)
  return tips.length > 0
})

const toBranch = ([name = "", commit = "", seconds]: ReadonlyArray<string>): Branch => ({
  name,
  commit,
  committedSeconds: Number(seconds)
})

/** All branches by name, with their times, for which every commit is read. */
export const listBranches = (repository: Repository): Effect.Effect<ReadonlyArray<Branch>, GitFailed> =>
  list(repository, { fields: branchFields, args: ["refs/heads/"] }, toBranch)

interface ListedTag extends Tag {
  /** Whether it names a tag that names a tag: git 2.39 looks behind one, but not behind that. */
  readonly isNested: boolean
}

const toTag = ([name = "", target = "", type, peeled, peeledType, seconds]: ReadonlyArray<string>): ListedTag => ({
  name,
  target,
  isAnnotated: type === "tag",
  createdSeconds: Number(seconds),
  commit: type === "commit" ? target : peeledType === "commit" ? peeled : undefined,
  isNested: peeledType === "tag"
})

/** The commits of such tags, by their ids. */
const nestedCommits = Effect.fnUntraced(function* (repository: Repository, tags: ReadonlyArray<ListedTag>) {
  const nested = yield* filterInSlices(tags, ({ isNested }) => isNested)
  const { info } = yield* Objects
  const read = ({ target }: Tag) => Effect.map(info(repository, `${target}^{commit}`), (found) => [target, found?.id] as const)
  return new Map(yield* Effect.forEach(nested, read, { concurrency: 100 }))
})

/** All tags by name. */
export const listTags = Effect.fnUntraced(function* (
  repository: Repository
): Effect.fn.Return<ReadonlyArray<Tag>, GitFailed, Objects> {
  const tags = yield* list(repository, { fields: tagFields, args: ["refs/tags/"] }, toTag)
  const commits = yield* nestedCommits(repository, tags)
  return yield* mapInSlices(tags, ({ isNested, ...tag }): Tag => (isNested ? { ...tag, commit: commits.get(tag.target) } : tag))
})

/** The branches, of `names` or all, whose commits are all in the history of a commit. */
export const branchesMergedInto = (
  repository: Repository,
  commit: string,
  names?: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<BranchTip>, GitFailed> => {
  if (names?.length === 0) return Effect.succeed([])
  const refs = names === undefined ? ["refs/heads/"] : names.map(branchRef)
  return list(repository, { fields: tipFields, args: [`--merged=${commit}`, ...refs] }, toTip)
}

/** The tips that have a commit in their history. They share one walk, where `for-each-ref --contains` would walk for each. */
const descendants = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  { refs, tips }: { readonly refs: "--branches" | "--tags"; readonly tips: ReadonlySet<string | undefined> }
) {
  yield* requireFullIds([commit])
  const found = new Set<string>()
  const onLine = (line: Buffer) => {
    const id = line.toString("latin1")
    if (tips.has(id)) found.add(id)
  }
  const args = ["rev-list", "--ancestry-path", `^${commit}`, refs]
  yield* consumeLines(repository, args, onLine, { maxOutput: Number.POSITIVE_INFINITY })
  return found
})

/** The names of the branches or tags that have a commit in their history, by name. */
export const refsContaining = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  kind: "branch" | "tag"
): Effect.fn.Return<ReadonlyArray<string>, GitFailed, Objects> {
  const isBranch = kind === "branch"
  const refs: ReadonlyArray<BranchTip | Tag> = yield* isBranch ? branchTips(repository) : listTags(repository)
  const tips = new Set<string | undefined>()
  yield* forEachInSlices(refs, ({ commit: tip }) => void tips.add(tip))
  const later = yield* descendants(repository, commit, { refs: isBranch ? "--branches" : "--tags", tips })
  const has = (tip: string | undefined) => tip !== undefined && (tip === commit || later.has(tip))
  const having: ReadonlyArray<{ readonly name: string }> = yield* filterInSlices(refs, (ref) => has(ref.commit))
  return yield* mapInSlices(having, ({ name }) => name)
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
  // They are asked for together, which takes as long as one of them.
  const names = [name, ...alternativeNames(name)]
  const [found, ...others] = yield* Effect.forEach(names, (ref) => info(repository, ref), { concurrency: "unbounded" })
  if (found === undefined) return
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
