import { Context, Effect, Layer } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { run, runText } from "../git/run.ts"
import { isBranchName } from "./faults.ts"

/** The repositories of projects. A failure of git is a defect. */
export class RepositoryStorage extends Context.Service<
  RepositoryStorage,
  {
    /** Makes an empty repository; nothing happens when there is one. Branches are without `refs/heads/`. */
    readonly create: (projectId: number, defaultBranch: string) => Effect.Effect<void>
    /** Nothing happens when there is none. */
    readonly remove: (projectId: number) => Effect.Effect<void>
    /** Copies branches and tags, or one branch alone, into the project's repository, which is made if there is none. */
    readonly fork: (sourceId: number, projectId: number, branch: string | null) => Effect.Effect<void>
    /** Whether it has no branches, or is not there. */
    readonly isEmpty: (projectId: number) => Effect.Effect<boolean>
    /** The branch that HEAD names, whether or not it is there. */
    readonly defaultBranch: (projectId: number) => Effect.Effect<string | undefined>
    readonly hasBranch: (projectId: number, branch: string) => Effect.Effect<boolean>
    /** Makes HEAD name a branch; false, and nothing happens, when the branch is not there. */
    readonly chooseDefaultBranch: (projectId: number, branch: string) => Effect.Effect<boolean>
  }
>()("chronoforge/projects/RepositoryStorage") {
  static readonly layer: Layer.Layer<RepositoryStorage, never, Repositories> = Layer.effect(
    RepositoryStorage,
    Effect.map(Repositories, (repositories) => make(repositories))
  )
}

/** What a new repository calls its first branch when nobody wishes otherwise. */
export const usualBranch = "main"

const heads = "refs/heads/"

const make = (repositories: Repositories["Service"]): RepositoryStorage["Service"] => {
  const { create, exists, of, remove } = repositories

  const isEmpty = Effect.fnUntraced(function* (id: number) {
    if (!(yield* exists(id))) return true
    return (yield* runText(of(id), ["for-each-ref", "--count=1", "--format=x", heads])) === ""
  }, Effect.orDie)

  const defaultBranch = Effect.fnUntraced(function* (id: number) {
    if (!(yield* exists(id))) return undefined
    const target = yield* runText(of(id), ["symbolic-ref", "HEAD"])
    return target.startsWith(heads) ? target.slice(heads.length) : undefined
  }, Effect.orDie)

  const hasBranch = Effect.fnUntraced(function* (id: number, branch: string) {
    if (!isBranchName(branch) || !(yield* exists(id))) return false
    const asked = ["show-ref", "--verify", "--quiet", "--", `${heads}${branch}`]
    return (yield* run(of(id), asked, { statuses: [0, 1] })).status === 0
  }, Effect.orDie)

  const chooseDefaultBranch = Effect.fnUntraced(function* (id: number, branch: string) {
    const isThere = yield* hasBranch(id, branch)
    if (isThere) yield* run(of(id), ["symbolic-ref", "HEAD", `${heads}${branch}`])
    return isThere
  }, Effect.orDie)

  const fork = Effect.fn("RepositoryStorage.fork")(function* (sourceId: number, id: number, branch: string | null) {
    const head = branch ?? (yield* defaultBranch(sourceId)) ?? usualBranch
    const target = yield* create(id, head)
    if (yield* isEmpty(sourceId)) return
    const wanted =
      branch === null ? [heads, "refs/tags/"].map((each) => `+${each}*:${each}*`) : [`+${heads}${branch}:${heads}${branch}`]
    // Only from one folder of this service to another.
    const local = ["-c", "protocol.file.allow=always"]
    yield* run(target, [...local, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", of(sourceId).path, ...wanted], {
      timeLimit: 600_000
    })
  }, Effect.orDie)

  return {
    create: (id, branch) => Effect.asVoid(Effect.orDie(create(id, branch))),
    remove,
    fork,
    isEmpty,
    defaultBranch,
    hasBranch,
    chooseDefaultBranch
  }
}
