import { randomUUID } from "node:crypto"
import { access, appendFile, mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { run } from "./run.ts"

/** The repositories of the installation, by the id of their project. */
export class Repositories extends Context.Service<
  Repositories,
  {
    /** Where the repository of a project lies, whether or not there is one. */
    readonly of: (id: number) => Repository
    readonly exists: (id: number) => Effect.Effect<boolean>
    /** Makes an empty repository; nothing happens when there is one. `defaultBranch` without `refs/heads/`. */
    readonly create: (id: number, defaultBranch: string) => Effect.Effect<Repository, GitFailed>
    /** Removes it with everything in it; nothing happens when there is none. */
    readonly remove: (id: number) => Effect.Effect<void>
  }
>()("chronoforge/git/Repositories") {
  /** Below `DATA_DIR/repositories`, spread over 256 folders. */
  static readonly layer: Layer.Layer<Repositories, never, AppConfig> = Layer.effect(
    Repositories,
    Effect.map(AppConfig, ({ dataDir }) => make(join(dataDir, "repositories")))
  )
}

/** Settings of every repository, as they stand in its `config`. Objects that nothing names are kept for two weeks, as `git gc` does. */
const settings = `[core]
\tlogAllRefUpdates = false
\tcommitGraph = true
\tfsync = committed,loose-object,reference
[receive]
\tautogc = false
\tunpackLimit = 1000
\tadvertisePushOptions = true
\tfsckObjects = true
[repack]
\twriteBitmaps = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[transfer]
\thideRefs = refs/internal
`

const make = (folder: string): Repositories["Service"] => {
  const of = (id: number): Repository => ({
    path: join(folder, (id % 256).toString(16).padStart(2, "0"), `${id}.git`)
  })
  const exists = (id: number) =>
    Effect.promise(() =>
      access(of(id).path).then(
        () => true,
        () => false
      )
    )
  /** Under another name first, so that a repository is there whole or not at all. */
  const build = Effect.fnUntraced(function* (target: Repository, defaultBranch: string) {
    const draft: Repository = { path: `${target.path}.${randomUUID()}` }
    const fill = Effect.andThen(
      run(draft, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, "--template="]),
      Effect.promise(async () => {
        await appendFile(join(draft.path, "config"), settings)
        await rename(draft.path, target.path).catch((error) => access(target.path).catch(() => Promise.reject(error)))
      })
    )
    yield* Effect.promise(() => mkdir(dirname(target.path), { recursive: true }))
    yield* Effect.ensuring(
      fill,
      Effect.promise(() => rm(draft.path, { recursive: true, force: true }))
    )
    return target
  })
  return {
    of,
    exists,
    create: (id, defaultBranch) =>
      Effect.flatMap(exists(id), (is) => (is ? Effect.succeed(of(id)) : build(of(id), defaultBranch))),
    remove: (id) => Effect.promise(() => rm(of(id).path, { recursive: true, force: true }))
  }
}
