import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Repository } from "../../Repository.ts"

/** Refs that changed within so many milliseconds may change again without a later time. */
const racyMillis = 100
/** Where more refs lie in files of their own, looking at them is dearer than what it saves. */
const maxEntries = 500

interface Seen {
  readonly key: string
  readonly changedAt: number
}

/** A file or folder as it is now: whatever replaces it, or makes or removes an entry of it, changes that. */
const seen = async (path: string): Promise<Seen> => {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  if (found === undefined) return { key: "none", changedAt: 0 }
  const { ino, mtimeMs, mtimeNs, size } = found
  return { key: `${ino}:${size}:${mtimeNs}`, changedAt: Number(mtimeMs) }
}

/** The folder of refs with those in it; undefined as soon as there are too many entries. */
const foldersOfRefs = async (path: string): Promise<ReadonlyArray<string> | undefined> => {
  const folders = [path]
  let entries = 0
  // The list grows while it is gone through.
  for (const folder of folders) {
    const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
    entries += found.length
    if (entries > maxEntries) return undefined
    folders.push(...found.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)))
  }
  return folders
}

/**
 * A text that is another one once a ref of the repository has moved, from the times of the files and folders in which refs lie: moves
 * replace files. Undefined where that cannot be told, because a ref has just moved or too many lie in files of their own.
 */
export const refsState = async ({ path }: Repository): Promise<string | undefined> => {
  const folders = await foldersOfRefs(join(path, "refs"))
  if (folders === undefined) return undefined
  const all = await Promise.all([join(path, "HEAD"), join(path, "packed-refs"), ...folders].map(seen))
  const last = Math.max(...all.map(({ changedAt }) => changedAt))
  return Date.now() - last < racyMillis ? undefined : all.map(({ key }) => key).join(" ")
}
