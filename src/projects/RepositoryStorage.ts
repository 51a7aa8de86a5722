import { Context, Effect, Layer } from "effect"
import { Objects } from "../git/Objects.ts"
import { Repositories } from "../git/Repositories.ts"
import { branchRef, isBranchName, tagRef } from "../git/refNames.ts"
import { defaultBranch, hasBranches, readRef, setDefaultBranch } from "../git/refs.ts"
import { run } from "../git/run.ts"
import { makeRepositoryFigures, type RepositoryFigures } from "./repositoryFigures.ts"
import { type FoundLicense, findLicense, findReadme } from "./rootFiles.ts"
import { usualBranch } from "./usualBranch.ts"

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
    /** The name of the README at the root of a branch; null for none. */
    readonly readme: (projectId: number, branch: string) => Effect.Effect<string | null>
    /** The licence that a file at the root of a branch tells; undefined for none. */
    readonly license: (projectId: number, branch: string) => Effect.Effect<FoundLicense | undefined>
    /** How much is in it. `tip`: full id of the commit of the default branch. What git cannot count is 0 and logged. */
    readonly figures: (projectId: number, tip: string) => Effect.Effect<RepositoryFigures>
  }
>()("chronoforge/projects/RepositoryStorage") {
  static readonly layer: Layer.Layer<RepositoryStorage, never, Objects | Repositories> = Layer.effect(
    RepositoryStorage,
    Effect.gen(function* () {
      return make(yield* Repositories, yield* Objects)
    })
  )
}

const make = (repositories: Repositories["Service"], objects: Objects["Service"]): RepositoryStorage["Service"] => {
  const { create, exists, of, remove } = repositories
  const figuresOf = makeRepositoryFigures()

  const isEmpty = Effect.fnUntraced(function* (id: number) {
    return !((yield* exists(id)) && (yield* hasBranches(of(id))))
  }, Effect.orDie)

  const defaultBranchOf = (id: number) => defaultBranch(of(id))

  const hasBranch = Effect.fnUntraced(
    function* (id: number, branch: string) {
      if (!isBranchName(branch) || !(yield* exists(id))) return false
      return (yield* readRef(of(id), branchRef(branch))) !== undefined
    },
    Effect.orDie,
    Effect.provideService(Objects, objects)
  )

  const chooseDefaultBranch = Effect.fnUntraced(function* (id: number, branch: string) {
    const isThere = yield* hasBranch(id, branch)
    if (isThere) yield* setDefaultBranch(of(id), branch)
    return isThere
  }, Effect.orDie)

  const readme = Effect.fnUntraced(
    function* (id: number, branch: string) {
      return (yield* exists(id)) ? yield* findReadme(of(id), branch) : null
    },
    Effect.orDie,
    Effect.provideService(Objects, objects)
  )

  const license = Effect.fnUntraced(
    function* (id: number, branch: string) {
      return (yield* exists(id)) ? yield* findLicense(of(id), branch) : undefined
    },
    Effect.orDie,
    Effect.provideService(Objects, objects)
  )

  const figures = Effect.fnUntraced(function* (id: number, tip: string) {
    return yield* Effect.catch(figuresOf(of(id), tip), (failed) =>
      Effect.as(Effect.logWarning(`Repository ${id} could not be counted`, failed), { commits: 0, bytes: 0 })
    )
  })

  const fork = Effect.fn("RepositoryStorage.fork")(function* (sourceId: number, id: number, branch: string | null) {
    const head = branch ?? (yield* defaultBranchOf(sourceId)) ?? usualBranch
    const target = yield* create(id, head)
    if (yield* isEmpty(sourceId)) return
    const refs = branch === null ? [branchRef("*"), tagRef("*")] : [branchRef(branch)]
    const wanted = refs.map((ref) => `+${ref}:${ref}`)
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
    defaultBranch: defaultBranchOf,
    hasBranch,
    chooseDefaultBranch,
    readme,
    license,
    figures
  }
}
