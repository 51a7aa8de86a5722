import { randomUUID } from "node:crypto"
import { access, appendFile, chmod, readdir, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Context, Effect, Layer, type Scope } from "effect"
import { AppConfig } from "../config.ts"
import { hasCode, makeFolder } from "./process/makeFolder.ts"
import { run } from "./process/run.ts"
import { type GitFailed, isThere, type Repository } from "./Repository.ts"

const ownerOnly = 0o700

type Fill = (draft: Repository) => Effect.Effect<unknown, GitFailed>

/** The repositories of the installation, by the id of their project. */
export class Repositories extends Context.Service<
  Repositories,
  {
    /** The place of the repository of a project, whether or not there is one. */
    readonly of: (id: number) => Repository
    /** The project to which a repository belongs. Any other repository is a defect. */
    readonly idOf: (repository: Repository) => number
    readonly exists: (id: number) => Effect.Effect<boolean>
    /**
     * Makes an empty repository, or one that `fill` has filled; nothing happens when there is one. It is there whole or not at all.
     * `defaultBranch` without `refs/heads/`.
     */
    readonly create: (id: number, defaultBranch: string, fill?: Fill) => Effect.Effect<Repository, GitFailed>
    /** A folder on the disk of the repositories, for as long as it is needed; what is left of it by a process that was killed goes with the drafts. */
    readonly scratch: Effect.Effect<string, never, Scope.Scope>
    /** The ids of all repositories that exist. It lists all folders, so only commands ask for it. */
    readonly ids: Effect.Effect<ReadonlyArray<number>>
    /**
     * Removes what processes that were killed while they made a repository have left; answers the paths. It lists the folder of drafts
     * alone.
     */
    readonly removeDrafts: Effect.Effect<ReadonlyArray<string>>
    /** Removes the drafts that earlier versions made beside the repositories, too. It lists all folders. */
    readonly removeAllDrafts: Effect.Effect<ReadonlyArray<string>>
    /** Removes it with everything in it; nothing happens when there is none. */
    readonly remove: (id: number) => Effect.Effect<void>
  }
>()("chronoforge/git/Repositories") {
  /** The repositories lie in `DATA_DIR/repositories`, spread over 256 folders; other users of the machine cannot enter it. */
  static readonly layer: Layer.Layer<Repositories, never, AppConfig> = Layer.effect(
    Repositories,
    Effect.flatMap(AppConfig, ({ dataDir }) => {
      const folder = join(dataDir, "repositories")
      // An earlier version let them, and so may whoever restored a backup.
      return Effect.as(
        Effect.promise(() => chmod(folder, ownerOnly).catch(() => {})),
        make(folder)
      )
    })
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

/** The age in milliseconds after which a draft is abandoned; filling a repository takes less, and an import less than a day. */
const [draftAge, scratchAge] = [3_600_000, 86_400_000]

const scratchName = "scratch"

const make = (folder: string): Repositories["Service"] => {
  const of = (id: number): Repository => ({
    path: join(folder, (id % 256).toString(16).padStart(2, "0"), `${id}.git`)
  })
  const idOf = ({ path }: Repository): number => {
    const id = Number(/\/(\d+)\.git$/.exec(path)?.[1])
    if (of(id).path !== path) throw new Error(`${path} is the repository of no project`)
    return id
  }
  const exists = (id: number) => isThere(of(id))
  // What is being made has a folder of its own, so that what is left of it is found without a look at the repositories.
  const drafts = join(folder, "drafts")
  const draftPath = (name: string) => join(drafts, `${name}.git.${randomUUID()}`)
  const makeOwnFolder = (path: string) => Effect.promise(() => makeFolder(path, ownerOnly))
  const removeFolder = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  const scratch = Effect.acquireRelease(
    Effect.suspend(() => {
      const path = draftPath(scratchName)
      return Effect.as(makeOwnFolder(path), path)
    }),
    removeFolder
  )
  /** Makes the repository as a draft first, so that it appears whole or not at all. */
  const build = Effect.fnUntraced(function* (target: Repository, defaultBranch: string, fill: Fill) {
    const draft: Repository = { path: draftPath(basename(target.path, ".git")) }
    const made = Effect.gen(function* () {
      yield* run(draft, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, "--template="])
      yield* Effect.promise(() => appendFile(join(draft.path, "config"), settings))
      yield* fill(draft)
      yield* Effect.promise(() =>
        rename(draft.path, target.path).catch((error) => access(target.path).catch(() => Promise.reject(error)))
      )
    })
    for (const parent of [drafts, dirname(target.path)]) yield* makeOwnFolder(parent)
    yield* Effect.ensuring(made, removeFolder(draft.path))
    return target
  })
  /** The paths below the folder, such as `07/7.git`. */
  const stored = Effect.promise(async () => {
    const folders = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f]{2}$/.test(name))
    const paths = await Promise.all(folders.map(async (name) => (await readdir(join(folder, name))).map((it) => join(name, it))))
    return paths.flat()
  })
  const removeDraft = async (path: string): Promise<ReadonlyArray<string>> => {
    // A draft that was finished meanwhile has another name now.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    const maxAge = basename(path).startsWith(scratchName) ? scratchAge : draftAge
    if (Date.now() - mtimeMs < maxAge) return []
    await rm(path, { recursive: true, force: true })
    return [path]
  }
  const removeDraftsAmong = (paths: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const found = paths.filter((path) => /\.git\.[0-9a-f-]{36}$/.test(path))
      return (await Promise.all(found.map(removeDraft))).flat()
    })
  const removeDrafts = Effect.promise(() => readdir(drafts).catch(() => [])).pipe(
    Effect.flatMap((names) => removeDraftsAmong(names.map((name) => join(drafts, name))))
  )
  const removeFormerDrafts = Effect.flatMap(stored, (paths) => removeDraftsAmong(paths.map((path) => join(folder, path))))
  /**
   * Takes a repository out of its place at once, where nobody finds it any more, and removes it then, though git may still write there. What is
   * left of it goes with the drafts.
   */
  const removeWhole = async (path: string): Promise<void> => {
    const gone = draftPath(basename(path, ".git"))
    await makeFolder(drafts, ownerOnly)
    try {
      await rename(path, gone)
    } catch (error) {
      if (hasCode(error, "ENOENT")) return
      throw error
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
  return {
    of,
    idOf,
    exists,
    create: (id, defaultBranch, fill = () => Effect.void) =>
      Effect.flatMap(exists(id), (is) => (is ? Effect.succeed(of(id)) : build(of(id), defaultBranch, fill))),
    ids: Effect.map(stored, (paths) =>
      paths.flatMap((path) => /^[0-9a-f]{2}\/(\d+)\.git$/.exec(path)?.slice(1).map(Number) ?? [])
    ),
    removeDrafts,
    removeAllDrafts: Effect.zipWith(removeDrafts, removeFormerDrafts, (made, former) => [...made, ...former]),
    scratch,
    remove: (id) => Effect.promise(() => removeWhole(of(id).path))
  }
}
