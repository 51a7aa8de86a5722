import { createHash, randomUUID } from "node:crypto"
import { promises } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import type { ObjectType } from "../process/catFileAnswers.ts"
import { syncFolder } from "../process/syncFolder.ts"
import type { Repository } from "../Repository.ts"

/**
 * Writes a file whole or not at all, and waits for the disk. The name of the draft is one that `git prune` removes when it is left
 * behind.
 */
const writeDurably = async (path: string, content: Uint8Array) => {
  const folder = dirname(path)
  const draft = join(dirname(folder), `tmp_obj_${randomUUID()}`)
  const handle = await promises.open(draft, "wx", 0o444)
  const put = async () => {
    await handle.writeFile(content)
    await handle.sync()
    const made = await promises.mkdir(folder, { recursive: true })
    await promises.rename(draft, path)
    return made
  }
  const made = await put()
    .finally(() => handle.close())
    .catch(async (error) => {
      // On a full disk, the draft would keep it full.
      await promises.rm(draft, { force: true })
      throw error
    })
  await syncFolder(folder)
  if (made !== undefined) await syncFolder(dirname(folder))
}

const durableFs = { promises: { ...promises, writeFile: writeDurably } }
const plainFs = { promises }

export interface WriteOptions {
  /** Whether it must survive a loss of power; default true. */
  readonly isDurable?: boolean
}

const now = () => new Date()

/** The id of an object with this content. */
export const idOf = (type: ObjectType, content: Uint8Array): string =>
  createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex")

/**
 * Writes an object and answers its id. `git` finds it at once. The same object again only becomes young again, so that
 * `git prune` keeps it until something names it. Its content is not checked.
 */
export const writeObject = (
  repository: Repository,
  type: ObjectType,
  content: Uint8Array,
  { isDurable = true }: WriteOptions = {}
): Effect.Effect<string> => {
  const gitdir = repository.path
  const write = async () => {
    const fs = isDurable ? durableFs : plainFs
    // The module is not needed to start, and slow to load.
    const { default: git } = await import("isomorphic-git")
    const id = await git.writeObject({ fs, gitdir, type, object: content, format: "content" })
    await promises.utimes(join(gitdir, "objects", id.slice(0, 2), id.slice(2)), now(), now())
    return id
  }
  // The write is retried once: the object may have existed and been pruned before its time was set.
  return Effect.promise(() => write().catch(write))
}
