import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Repository } from "../Repository.ts"

/** The number of bytes of the packs of a repository, by which the size of a pack of all its objects can be told. */
export const packBytes = async ({ path }: Repository): Promise<number> => {
  const folder = join(path, "objects", "pack")
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".pack"))
  // Maintenance may remove a pack meanwhile.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0
      )
    )
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
