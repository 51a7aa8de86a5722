import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Repository } from "../../Repository.ts"

/** Refs that changed within so many milliseconds may change again without a later time. */
const racyMillis = 100
/** Where more refs lie in files of their own, looking at them is dearer than what it saves. */
const maxEntries = 2_000

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

/** A folder of refs with those in it; their number is that of all entries. */
const folders = async (path: string): Promise<{ readonly paths: ReadonlyArray<string>; readonly entries: number }> => {
  const found = await readdir(path, { withFileTypes: true }).catch(() => [])
  const inner = await Promise.all(found.filter((entry) => entry.isDirectory()).map(({ name }) => folders(join(path, name))))
  return {
    paths: [path, ...inner.flatMap(({ paths }) => paths)],
    entries: inner.reduce((sum, { entries }) => sum + entries, found.length)
  }
}

/**
 * A text that is another one once a ref of the repository has moved, from the times of the files and folders in which refs lie: moves
 * replace files. Undefined where that cannot be told, because a ref has just moved or too many lie in files of their own.
 */
export const refsState = async ({ path }: Repository): Promise<string | undefined> => {
  const { entries, paths } = await folders(join(path, "refs"))
  if (entries > maxEntries) return undefined
  const all = await Promise.all([join(path, "HEAD"), join(path, "packed-refs"), ...paths].map(seen))
  const last = Math.max(...all.map(({ changedAt }) => changedAt))
  return Date.now() - last < racyMillis ? undefined : all.map(({ key }) => key).join(" ")
}
