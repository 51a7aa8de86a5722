import { Context, Effect, Layer } from "effect"
import { Objects } from "../../git/objects/Objects.ts"
import { Repositories } from "../../git/Repositories.ts"
import { copyRefs } from "../../git/refs/copyRefs.ts"
import { branchRef, isBranchName } from "../../git/refs/refNames.ts"
import { defaultBranch, hasBranches, readRef, setDefaultBranch } from "../../git/refs/refs.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { makeRepositoryFigures, type RepositoryFigures } from "./figures.ts"
import { initialBranch } from "./initialBranch.ts"
import { type FoundLicense, findLicense, findReadme } from "./rootFiles.ts"

/** The repositories of projects. A failure of git is a defect. */
export class RepositoryStorage extends Context.Service<
  RepositoryStorage,
  {
    /** Makes an empty repository; nothing happens when there is one. Branches are without `refs/heads/`. */
    readonly create: (projectId: number, defaultBranch: string) => Effect.Effect<void>
    /** Nothing happens when there is none. */
    readonly remove: (projectId: number) => Effect.Effect<void>
    /** Makes the project's repository with the branches and tags of another one, or one branch alone; nothing happens when there is one. */
    readonly fork: (sourceId: number, projectId: number, branch: string | null) => Effect.Effect<void>
    /** Whether it has no branches, or is not there. */
    readonly isEmpty: (projectId: number) => Effect.Effect<boolean>
    /** The branch that HEAD names, whether or not it is there. */
    readonly defaultBranch: (projectId: number) => Effect.Effect<string | undefined>
    readonly hasBranch: (projectId: number, branch: string) => Effect.Effect<boolean>
    /** Makes HEAD name a branch, whether or not it is there. Nothing happens when it does, or when there is no repository. */
    readonly setDefaultBranch: (projectId: number, branch: string) => Effect.Effect<void>
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

  const pointHead = Effect.fnUntraced(function* (id: number, branch: string) {
    if ((yield* exists(id)) && (yield* defaultBranchOf(id)) !== branch) yield* setDefaultBranch(of(id), branch)
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

  const fork = Effect.fnUntraced(
    function* (sourceId: number, id: number, branch: string | null) {
      const head = branch ?? (yield* defaultBranchOf(sourceId)) ?? initialBranch
      if (yield* isEmpty(sourceId)) return yield* create(id, head)
      const wanted = branch === null ? undefined : branchRef(branch)
      return yield* create(id, head, (draft) => copyRefs(draft, of(sourceId), wanted))
    },
    Effect.orDie,
    spanned("RepositoryStorage.fork")
  )

  return {
    create: (id, branch) => Effect.asVoid(Effect.orDie(create(id, branch))),
    remove: (id) => Effect.andThen(remove(id), objects.release(of(id))),
    fork: (sourceId, id, branch) => Effect.asVoid(fork(sourceId, id, branch)),
    isEmpty,
    defaultBranch: defaultBranchOf,
    hasBranch,
    setDefaultBranch: pointHead,
    readme,
    license,
    figures
  }
}
