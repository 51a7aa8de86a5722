import { open, rename } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { syncFolder } from "../process/syncFolder.ts"
import type { Repository } from "../Repository.ts"

/** The first line of a `packed-refs` file whose refs are in order, each tag with what it leads to. */
export const packedRefsHead = "# pack-refs with: peeled fully-peeled sorted \n"

/**
 * Gives refs to a repository that has none, all at once: a kill leaves all or none. `text`: of a `packed-refs` file, bytes as
 * characters. `draft`: path of a file that nobody uses, on the same disk. It is for whoever keeps others from moving refs there
 * meanwhile.
 */
export const putRefs = (text: string, repository: Repository, draft: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const file = await open(draft, "w")
    try {
      await file.writeFile(text, "latin1")
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(repository.path, "packed-refs"))
    await syncFolder(repository.path)
  })
