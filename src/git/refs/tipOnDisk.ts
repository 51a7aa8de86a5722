import { opendir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { Repository } from "../Repository.ts"
import { branchOf, isRefName } from "./refNames.ts"

/** A list of packed refs that has more bytes is git's to read. */
const maxPackedBytes = 1024 * 1024

/** What a ref has in its file, unless it stands for another one. */
export const fullId = /^[0-9a-f]{40}\n?$/

const textOf = (path: string): Promise<string | undefined> => readFile(path, "latin1").catch(() => undefined)

/** The file of packed refs, a line each, such as `<id> refs/heads/main`; empty where there is none. Undefined where it is git's to read. */
export const packedRefs = async ({ path }: Repository): Promise<string | undefined> => {
  const file = join(path, "packed-refs")
  const size = await stat(file).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? 0 : Number.POSITIVE_INFINITY)
  )
  if (size === 0) return ""
  return size > maxPackedBytes ? undefined : textOf(file)
}

/** The id that a ref has in the file of packed refs; undefined where it has none. */
export const packedId = (text: string, ref: string): string | undefined => {
  const end = text.indexOf(` ${Buffer.from(ref).toString("latin1")}\n`)
  if (end < 40) return undefined
  const id = text.slice(end - 40, end)
  return fullId.test(id) && text[end - 41] === "\n" ? id : undefined
}

const packed = async (repository: Repository, ref: string): Promise<string | undefined> =>
  packedId((await packedRefs(repository)) ?? "", ref)

const tip = async (repository: Repository, ref: string): Promise<string | undefined> => {
  const loose = await textOf(join(repository.path, ref))
  // Git looks into a file of its own first, too, which it removes only once the ref is in the list.
  if (loose === undefined) return packed(repository, ref)
  return fullId.test(loose) ? loose.slice(0, 40) : undefined
}

/** Whether a file of this folder, or of one in it, is a branch. Undefined where one is there that only git can tell of. */
const looseBranch = async (folder: string): Promise<boolean | undefined> => {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isDirectory() || entry.name.endsWith(".lock")) continue
    const text = await textOf(join(entry.parentPath, entry.name))
    return text !== undefined && fullId.test(text) ? true : undefined
  }
  return false
}

const anyBranch = async (repository: Repository): Promise<boolean | undefined> => {
  const loose = await looseBranch(join(repository.path, "refs/heads")).catch(() => undefined)
  if (loose !== false) return loose
  return (await packedRefs(repository))?.includes(" refs/heads/")
}

/** Whether there is a branch, according to the files of the repository. Undefined where they do not tell: then git may. */
export const anyBranchOnDisk = (repository: Repository): Effect.Effect<boolean | undefined> =>
  Effect.promise(() => anyBranch(repository))

/**
 * What a branch, by its full name, names according to the files of the repository, which takes no process. Undefined where they do not
 * tell: then git may, for such as a branch that stands for another one.
 */
export const tipOnDisk = (repository: Repository, ref: string): Effect.Effect<string | undefined> =>
  branchOf(ref) === undefined || !isRefName(ref) ? Effect.undefined : Effect.promise(() => tip(repository, ref))
