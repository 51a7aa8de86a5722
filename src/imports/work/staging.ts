import { randomUUID } from "node:crypto"
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { syncFolder } from "../../git/process/syncFolder.ts"
import type { Repository } from "../../git/Repository.ts"

/**
 * The temporary repository, beside that of a project, into which an import fetches, so that a failed import leaves nothing. Its folders
 * have unique names, so that processes of a killed run do not disturb the next one.
 */
export interface Staging extends Repository {
  /** The folder that holds everything. */
  readonly folder: string
  /** A file of git settings under which a folder of another user may be read. */
  readonly globalConfig: string
}

/** Settings of git under which a folder of another user may be read. */
export const safeFolders = "[safe]\n\tdirectory = *\n"

const marker = ".import-"

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** Removes what runs that were killed have left beside the repository. */
export const clearStaging = ({ path }: Repository): Effect.Effect<void> =>
  Effect.promise(async () => {
    const [folder, prefix] = [dirname(path), `${basename(path)}${marker}`]
    for (const name of await readdir(folder).catch(() => [])) if (name.startsWith(prefix)) await remove(join(folder, name))
  })

const make = Effect.fnUntraced(function* (target: Repository) {
  yield* clearStaging(target)
  const folder = `${target.path}${marker}${randomUUID()}`
  const staging: Staging = { folder, path: join(folder, "repository.git"), globalConfig: join(folder, "global-config") }
  yield* Effect.promise(async () => {
    await mkdir(folder)
    await writeFile(staging.globalConfig, safeFolders)
  })
  return staging
})

/** Runs `use` with a staging, which is removed afterwards. Only one for each repository at a time. */
export const withStaging = <A, E, R>(target: Repository, use: (staging: Staging) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(make(target), use, ({ folder }) => Effect.promise(() => remove(folder)))

const filesOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The number of bytes of its objects so far. */
export const sizeOf = ({ path }: Repository): Effect.Effect<number> =>
  Effect.promise(async () => {
    let bytes = 0
    for (const file of await filesOf(join(path, "objects"))) {
      bytes += await stat(file).then(
        ({ size }) => size,
        () => 0
      )
    }
    return bytes
  })

/** Moves all objects into the repository, to stay: the index of a pack last, as it makes the pack count. */
export const moveObjects = (staging: Repository, target: Repository): Effect.Effect<void> =>
  Effect.promise(async () => {
    const [from, to] = [join(staging.path, "objects"), join(target.path, "objects")]
    const files = (await filesOf(from)).filter((file) => /\/(pack\/pack-[^/]+|[0-9a-f]{2}\/[0-9a-f]{38})$/.test(file))
    const indexes = files.filter((file) => file.endsWith(".idx"))
    for (const file of [...files.filter((each) => !indexes.includes(each)), ...indexes]) {
      const destination = join(to, file.slice(from.length + 1))
      await mkdir(dirname(destination)).catch(() => {})
      await rename(file, destination)
    }
    for (const folder of new Set(files.map((file) => join(to, dirname(file.slice(from.length + 1)))))) await syncFolder(folder)
    await syncFolder(to)
  })
