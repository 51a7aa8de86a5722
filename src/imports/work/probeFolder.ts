import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { probeRemote } from "../remote/git.ts"
import { safeFolders } from "./staging.ts"

const withSafeFolders = <A, E, R>(use: (globalConfig: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "chronoforge-probe-"))),
    (folder) => {
      const globalConfig = join(folder, "global-config")
      return Effect.andThen(
        Effect.promise(() => writeFile(globalConfig, safeFolders)),
        use(globalConfig)
      )
    },
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

/** Asks a folder or bundle of this machine, of whichever user, for its HEAD, before anything is made for it. */
export const probeFolder = (path: string) =>
  withSafeFolders((globalConfig) => probeRemote({ _tag: "Folder", path }, { globalConfig }))
